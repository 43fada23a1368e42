-- A text without the words that lead to an answer alone: The answer is, Answer:, Option.
CREATE MACRO without_lead(text) AS
each_replaced(
    text, '^ *(?:[Tt]he )?(?:[Cc]orrect |[Ff]inal |[Bb]est )?(?:[Aa]nswer|ANSWER|[Oo]ption)(?: is)?[ :]+([^ :])', '@1'
)
