-- What each run's results take from judgments: the subjects of its answers. One row per run and
-- subject that some judge could be asked about.
-- @internal
SELECT run_id, subject_hash
FROM judged_pass
UNION
SELECT run_id, subject_hash
FROM open_judged
