-- An answer to a visual question as the official script of VQA v2 compares it.
CREATE MACRO vqa_plain(text) AS
list_max(
    list_transform(
        [
            vqa_words(
                vqa_punctuation(
                    stripped(replace(replace(text, decode(unhex('0A')), ' '), decode(unhex('09')), ' '))
                )
            )
        ],
        lambda w_: vqa_contractions(w_)
    )
)
