-- What a text says to a question of yes or no, as the peer reads it (utils/yorn.py,
-- YOrN_Extraction): one of the two words, and not the other, among those that vqa_punctuation
-- leaves. '**Yes**' and 'Answer:Yes' are no such words, since asterisks and colons stay.
CREATE MACRO yes_no_read(text) AS
list_max(
    list_transform(
        [' ' || spaced(vqa_punctuation(python_lower(text))) || ' '],
        lambda w_:
            CASE
                WHEN contains(w_, ' yes ') AND NOT contains(w_, ' no ') THEN 'yes'
                WHEN contains(w_, ' no ') AND NOT contains(w_, ' yes ') THEN 'no'
            END
    )
)
