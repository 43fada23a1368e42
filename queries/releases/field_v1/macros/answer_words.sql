-- The words of an answer without regard to case and to the marks that divide the parts of one.
CREATE MACRO answer_words(text) AS
list_filter(string_split(translate(plain_answer(text), ',/&%-', '     '), ' '), lambda x_: x_ <> '')
