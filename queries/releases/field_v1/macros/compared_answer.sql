-- What of an answer in words is compared with the references: what stands after its thinking.
CREATE MACRO compared_answer(text) AS after_thinking(text)
