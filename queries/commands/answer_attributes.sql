-- What stood next to the answers of some runs to some questions, reasoning first. Prompts, which
-- harnesses made, are left out.
SELECT
    *,
    regexp_full_match(
        lower(name), '(think|thinking|thoughts?|reasoning(_content|_text|_trace)?|chain_of_thought|cot|scratchpad)'
    ) AS is_reasoning
FROM main.answer_attribute
WHERE
    run_id BETWEEN $first AND $last
    AND list_contains($runs, run_id)
    AND list_contains($questions, question_id)
    AND name <> 'prompt'
ORDER BY run_id, question_id, pass, sample, is_reasoning DESC, name
