-- Whether two numbers are equal to Python, to which what is not a number equals nothing; to SQL it
-- equals itself.
-- @engines both
CREATE MACRO is_same_float(one, other) AS one = other AND lower(CAST(one AS VARCHAR)) <> 'nan'
