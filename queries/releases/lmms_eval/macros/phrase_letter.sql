-- The letter that follows one of the phrases with which an answer is stated: of the first places of
-- A to D behind the first place of each phrase the last one, wherever in the text it is; '' for
-- none (tasks/_task_utils/mcq_extract.py).
CREATE MACRO phrase_letter(text, lower_text) AS
coalesce(
    substr(
        text,
        list_max(
            list_transform(
                [
                    'the answer is', 'answer is', 'the correct answer is', 'correct answer is',
                    'the best answer is', 'best answer is', 'the correct option is', 'correct option is',
                    'the best option is', 'best option is', 'the choice is', 'choice is',
                    'the correct choice is', 'correct choice is', 'i choose', 'i select', 'i pick',
                    'my answer is', 'my choice is', '옵션', '정답은', '답은', '답:', '答案是', '答案为', '选', '答えは'
                ],
                lambda p_:
                    CASE
                        WHEN contains(lower_text, p_)
                            THEN list_max(
                                list_transform(
                                    ['A', 'B', 'C', 'D'],
                                    lambda c_:
                                        CASE
                                            WHEN
                                                contains(
                                                    substr(text, strpos(lower_text, p_) + length(p_)), c_
                                                )
                                                THEN
                                                    strpos(lower_text, p_) + length(p_) - 1
                                                    + strpos(
                                                        substr(text, strpos(lower_text, p_) + length(p_)), c_
                                                    )
                                        END
                                )
                            )
                    END
            )
        ),
        1
    ),
    ''
)
