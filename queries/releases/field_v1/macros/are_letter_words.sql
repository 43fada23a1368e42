-- Whether the words of an answer (see answer_words) are a letter, or several.
CREATE MACRO are_letter_words(words) AS
array_length(words) > 0
AND array_length(
    list_filter(words, lambda y_: length(y_) <> 1 OR NOT regexp_matches(y_, '[a-z]'))
) = 0
