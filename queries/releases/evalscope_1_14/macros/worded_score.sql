-- Whether a reply to a question without choices among questions of choice is right (evalscope 1.14,
-- cmmmu): it affirms or denies a statement more often, or has the reference's number or text in
-- what it states, here after an equals sign in any sentence. NULL: a draw, which is one there.
CREATE MACRO worded_score(text, answers) AS
CASE
    WHEN array_to_string(answers, '') IN ('对', '错')
        THEN list_max(
            list_transform(
                [truth_signs(key_parts(text, '.*(?:是|为|所以|判断|陈述|说法|表达|答案|结果)(.*[^ ])'))],
                lambda s_:
                    CASE
                        WHEN length(replace(s_, '+', '')) = length(replace(s_, '-', '')) THEN NULL
                        WHEN
                            (length(replace(s_, '-', '')) > length(replace(s_, '+', '')))
                            = (array_to_string(answers, '') = '对')
                            THEN 1.0
                        ELSE 0.0
                    END
            )
        )
    ELSE list_max(
        list_transform(
            key_parts(text, '.*(?:是|为|所以|等于|方案|选择|正确答案|因此|最后|答案|结果|=)(.*[^ ])'),
            lambda p_: open_part_score(p_, answers)
        )
    )
END
