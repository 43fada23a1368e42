-- Programs that compare what another judge extracted, not the answer itself, and who extracts for
-- each: the endpoint of such a program names that judge by its fingerprint. One row per such
-- program.
-- @internal
-- @extractor_id Who extracts, as in main.judge.
SELECT p.judge_id, min(e.judge_id) AS extractor_id
FROM main.judge AS p
INNER JOIN main.judge AS e ON p.endpoint = 'program:' || e.fingerprint
WHERE p.kind = 'program' AND e.task = 'answer_extraction' AND e.retracted_at IS NULL
GROUP BY p.judge_id
