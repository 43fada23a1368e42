-- Which of two choices the peer's matcher finds in a text: A, whose text is the reference, or B,
-- 'Other Answers'; Z for a refusal; NULL: none. By label, by a stated answer, by the choice's text
-- (utils/matching_util.py, can_infer; word_match, label_match and text_match have the same for
-- questions with choices).
CREATE MACRO two_choice_read(text, reference) AS
CASE
    WHEN
        contains(text, 'Failed to obtain answer via API')
        THEN two_choice_text(python_lower(text), reference)
    WHEN
        contains(text, 'Sorry, I can''t help with images of people yet.')
        OR contains(text, 'I can''t process this file.')
        OR contains(text, 'I''m sorry, but without the image provided')
        OR contains(text, 'Cannot determine the answer')
        THEN 'Z'
    ELSE list_max(
        list_transform(
            [peer_words(text)],
            lambda w_:
                CASE
                    WHEN contains(w_, ' A ') AND NOT contains(w_, ' B ') AND ends_soon(w_, 'A') THEN 'A'
                    WHEN contains(w_, ' B ') AND NOT contains(w_, ' A ') AND ends_soon(w_, 'B') THEN 'B'
                    WHEN contains(w_, ' Z ') AND NOT contains(w_, ' A ') AND NOT contains(w_, ' B ')
                        THEN 'Z'
                    WHEN stated_letter(text) IN ('A', 'B') THEN stated_letter(text)
                    ELSE two_choice_text(python_lower(text), reference)
                END
        )
    )
END
