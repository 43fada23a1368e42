-- The word of the same pair that means the opposite of true, no and the like; NULL for other texts.
-- The pairs in Chinese: dui and cuo, zhengque and cuowu, shi and fou.
CREATE MACRO truth_opposite(text) AS
CASE python_lower(stripped(text))
    WHEN 'true' THEN 'false'
    WHEN 'false' THEN 'true'
    WHEN 'yes' THEN 'no'
    WHEN 'no' THEN 'yes'
    WHEN 'correct' THEN 'incorrect'
    WHEN 'incorrect' THEN 'correct'
    WHEN 'right' THEN 'wrong'
    WHEN 'wrong' THEN 'right'
    WHEN '对' THEN '错'
    WHEN '错' THEN '对'
    WHEN '正确' THEN '错误'
    WHEN '错误' THEN '正确'
    WHEN '是' THEN '否'
    WHEN '否' THEN '是'
END
