-- Lower case as Python's str.lower has it, which is Spark's own.
CREATE MACRO python_lower(answer) AS
lower(answer)
