-- What reading_ticks left, with a sign in place of each phrase that refuses, rules out, or weighs
-- (see the macro phrases_listed for the kinds).
CREATE MACRO reading_cues(tokens) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(
    tokens,
    phrases('⌂'), ' ⌂ '),
    phrases_within('⌂'), ' ⌂ '),
    phrases('⊥'), ' ⊥ '),
    phrases_within('⊥'), ' ⊥ '),
    phrases('≈be'), ' ≈ '),
    phrases('⊗'), ' ⊗ '),
    phrases('⊘'), ' ⊘ '),
    phrases('⊝'), ' ⊝ '),
    phrases_within('⊘'), ' ⊘ '),
    phrases('¬'), ' ¬ '),
    phrases_within('¬'), ' ¬ '),
    phrases('⁇'), ' ⁇ '),
    phrases_within('＝likely'), ' ＝ '),
    phrases('≈'), ' ≈ '),
    phrases_within('≈'), ' ≈ ')
