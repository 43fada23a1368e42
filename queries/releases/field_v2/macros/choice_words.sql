-- What puts the choices back in place of their signs (see choices_marked): labels and texts.
CREATE MACRO choice_words(signs) AS
string_split(
    array_to_string(
        list_transform(
            signs,
            lambda x_: '¦' || substr(x_, 1, 1) || '¦' || split_part(x_, '¦', 2) || '§¦' || substr(x_, 2, 1) || '¦'
            || stripped(split_part(x_, '¦', 3))
        ),
        '§'
    ),
    '§'
)
