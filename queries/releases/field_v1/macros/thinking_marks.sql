-- A text whose marks of a model's thinking are all <think> and </think>: those of DeepSeek and Qwen
-- as they are, others' (thinking, thought, Kimi's, Magistral's, Seed's, Sky-T1's, and the channels
-- of harmony) in their place.
CREATE MACRO thinking_marks(text) AS
replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    text,
    '<thinking>', '<think>'), '</thinking>', '</think>'),
    '<thought>', '<think>'), '</thought>', '</think>'),
    '<seed:think>', '<think>'), '</seed:think>', '</think>'),
    '[THINK]', '<think>'), '[/THINK]', '</think>'),
    '◁think▷', '<think>'), '◁/think▷', '</think>'),
    '<|begin_of_thought|>', '<think>'), '<|end_of_thought|>', '</think>'),
    '<|channel|>analysis<|message|>', '<think>'), '<|channel|>final<|message|>', '</think>')
