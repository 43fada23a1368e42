-- What an answer says after its thinking: what follows the last mark that closes it, up to one that
-- opens it again; where nothing follows, what stands before the first mark. Of thinking that never
-- ends nothing is read, so that a choice which it weighs is no answer.
-- @hook Gets the raw answer; gives the text that the rules read, NULL for NULL.
CREATE MACRO after_thinking(text) AS
CASE
    WHEN has_thinking(text)
        THEN array_to_string(
            list_transform(
                [thinking_marks(replace(replace(text, '<|return|>', ''), '<|end|>', ''))],
                lambda x_: coalesce(
                    nullif(
                        stripped(
                            split_part(
                                split_part(x_, '</think>', array_length(string_split(x_, '</think>'))), '<think>', 1
                            )
                        ),
                        ''
                    ),
                    CASE
                        WHEN contains(x_, '<think>') AND NOT contains(split_part(x_, '<think>', 1), '</think>')
                            THEN stripped(split_part(x_, '<think>', 1))
                    END,
                    ''
                )
            ),
            ''
        )
    WHEN substr(text, 1, 1) = decode(unhex('1E')) THEN substr(text, 2)
    ELSE text
END
