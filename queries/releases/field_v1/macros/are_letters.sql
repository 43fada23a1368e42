-- Whether an answer is a letter, or several ("A, C").
CREATE MACRO are_letters(text) AS
array_length(answer_words(text)) > 0
AND array_length(
    list_filter(answer_words(text), lambda y_: length(y_) <> 1 OR NOT regexp_matches(y_, '[a-z]'))
) = 0
