-- Whether at most three words follow the first place of a label.
CREATE MACRO ends_soon(text_words, label) AS
NOT regexp_matches(
    substr(text_words, strpos(text_words, ' ' || label || ' ') + length(label) + 2),
    '[^ ]+ +[^ ]+ +[^ ]+ +[^ ]'
)
