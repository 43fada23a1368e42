-- What reading_cues left, with a sign in place of each phrase that joins choices, states one, or
-- concludes (see phrases_listed).
CREATE MACRO reading_statements(tokens) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(replace(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(
    tokens,
    phrases('∨'), ' ∨ '),
    phrases_within('∨'), ' ∨ '),
    '([Ⓐ-ⓩ])  (?:o|ou|u|か) ', '@1  ∨ '),
    phrases('∧'), ' ∧ '),
    phrases_within('∧'), ' ∧ '),
    '([Ⓐ-ⓩ])  (?:y|e|и|و|और|ed) ', '@1  ∧ '),
    '([Ⓐ-ⓩ])  (?:is|are|was)  (?:(?:(?:clearly|definitely|my|final|best|correct|right|only|possible)  )*(?:answer|choice|option)|(?:best|correct|right|only|possible)  1)  ',
    '@1  ⇐  '),
    ' (?:la|le|el|il|die|der|das|den|l)  ([Ⓐ-ⓩ])', ' @1'),
    phrases('＝'), ' ＝ '),
    phrases_within('＝'), ' ＝ '),
    phrases('≐'), ' ≐ '),
    phrases('⇐'), ' ⇐ '),
    phrases_within('⇐'), ' ⇐ '),
    phrases('⇠'), ' ⇠ '),
    phrases_within('⇠'), ' ⇠ '),
    ' it  is  ([Ⓐ-ⓩ])', ' ⊢  @1'),
    ' it  is  ([.,!])', ' ⇐  @1'),
    ' it  is $', ' ⇐ '),
    ' it  is  ¬ ', ' ¬ '),
    phrases('⊢'), ' ⊢ '),
    phrases_within('⊢'), ' ⊢ '),
    phrases('↺'), ' ↺ '),
    phrases_within('↺'), ' ↺ '),
    ' (?:is|are|=)  ([Ⓐ-ⓩ])', ' ◈  @1')
