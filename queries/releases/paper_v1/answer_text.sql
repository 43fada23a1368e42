-- The distinct texts that anyone answered to a question and pass: what matching has to look at.
SELECT DISTINCT
    question_id,
    pass,
    text
FROM main.prediction
