-- A text without punctuation, as the official script of VQA v2 takes it out (GT-Vision-Lab/VQA, vqaEval.py,
-- processPunctuation). The lists of one text let each step read the one before once.
CREATE MACRO vqa_punctuation(text) AS
list_max(
    list_transform(
        list_transform(
            list_transform([text], lambda x_: vqa_marks_out(x_, vqa_commas(x_))),
            lambda y_: vqa_marked_dots(y_)
        ),
        lambda z_: vqa_dots(z_)
    )
)
