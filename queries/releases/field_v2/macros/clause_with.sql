-- The last sentence that has one of two signs, or the first of them.
CREATE MACRO clause_with(marked, letter_sign, text_sign, is_first) AS
array_to_string(
    list_transform(
        [
            array_to_string(
                list_filter(
                    string_split(each_replaced(marked, ' [.;!?¶|] ', '¦'), '¦'),
                    lambda x_: contains(x_, letter_sign) OR contains(x_, text_sign)
                ),
                '¦'
            )
        ],
        lambda y_: split_part(y_, '¦', CASE WHEN is_first THEN 1 ELSE array_length(string_split(y_, '¦')) END)
    ),
    ''
)
