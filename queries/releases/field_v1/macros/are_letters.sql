-- Whether an answer is a letter, or several ("A, C").
CREATE MACRO are_letters(text) AS
are_letter_words(answer_words(text))
