-- Which choice a text names, by the rule that lmms-eval's task of the benchmark has; for MMStar and
-- RealWorldQA it is a letter A to D, whatever choices there are. A benchmark that is not listed
-- here has the rule of paper_v1. One row per question, pass and text.
-- @matched The label; NULL: no match.
-- @rule letter (MMStar, RealWorldQA), diagram (AI2D), mmmu (a label) or text (a choice's text, of
--   MMMU), label (paper_v1's). NULL: none.
-- @state matched, open (no rule reads it; of MMMU the harness draws a letter), blank, or failed (of
--   other benchmarks).
WITH found AS (
    SELECT
        t.question_id, t.pass, t.text, r.state, b.benchmark,
        CASE b.benchmark
            WHEN 'MMStar' THEN letter_of(coalesce(t.text, ''))
            WHEN 'RealWorldQA' THEN letter_of(coalesce(t.text, ''))
            WHEN 'AI2D' THEN diagram_letter(coalesce(t.text, ''), c.labels)
            WHEN 'MMMU' THEN label_in(' ' || unmarked(coalesce(t.text, '')) || ' ', c.labels)
        END AS label,
        named_labels(c.labels, r.text_words) AS candidates
    FROM answer_text AS t
    INNER JOIN text_reading AS r ON t.text IS NOT DISTINCT FROM r.text
    INNER JOIN question_benchmark AS b ON t.question_id = b.question_id
    INNER JOIN choice_set AS c ON t.question_id = c.question_id AND t.pass = c.pass
),

decided AS (
    SELECT
        f.question_id, f.pass, f.text,
        CASE
            WHEN f.state = 'failed' AND f.benchmark IN ('MMStar', 'RealWorldQA', 'AI2D', 'MMMU') THEN 'open'
            ELSE f.state
        END AS state,
        CASE
            WHEN f.benchmark IN ('MMStar', 'RealWorldQA', 'AI2D') THEN f.label
            WHEN f.benchmark = 'MMMU' THEN coalesce(f.label, x.matched)
            WHEN f.state = 'open' AND array_length(f.candidates) = 1 THEN array_to_string(f.candidates, '')
        END AS matched,
        CASE
            WHEN f.benchmark IN ('MMStar', 'RealWorldQA') THEN 'letter'
            WHEN f.benchmark = 'AI2D' THEN 'diagram'
            WHEN f.benchmark = 'MMMU' AND f.label IS NULL THEN 'text'
            WHEN f.benchmark = 'MMMU' THEN 'mmmu'
            ELSE 'label'
        END AS rule
    FROM found AS f
    LEFT JOIN choice_text_match AS x
        ON f.question_id = x.question_id AND f.pass = x.pass AND f.text IS NOT DISTINCT FROM x.text
)

SELECT
    question_id, pass, text, matched,
    CASE WHEN matched IS NOT NULL THEN rule END AS rule,
    CASE WHEN matched IS NOT NULL THEN 'matched' ELSE state END AS state
FROM decided
