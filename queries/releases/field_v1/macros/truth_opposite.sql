-- The word of the same pair that means the opposite of true, no and the like; NULL for other texts.
-- The pairs in Chinese: dui and cuo, zhengque and cuowu, shi and fou.
CREATE MACRO truth_opposite(text) AS
list_max(
    list_transform(
        -- Each use of a macro is planned: the text once, for all pairs.
        [python_lower(stripped(text))],
        lambda k_:
            list_max(
                list_transform(
                    list_filter(
                        [
                            'true=false', 'false=true', 'yes=no', 'no=yes',
                            'correct=incorrect', 'incorrect=correct', 'right=wrong', 'wrong=right',
                            '对=错', '错=对', '正确=错误', '错误=正确', '是=否', '否=是'
                        ],
                        lambda p_: split_part(p_, '=', 1) = k_
                    ),
                    lambda o_: split_part(o_, '=', 2)
                )
            )
    )
)
