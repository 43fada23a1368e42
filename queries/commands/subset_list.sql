-- Each subset that holds, and how it came about.
SELECT
    d.name AS dataset, s.name AS subset,
    (SELECT count(*) FROM main.subset_question AS q WHERE q.subset_id = s.subset_id) AS questions,
    (SELECT count(*) FROM main.question AS a WHERE a.dataset_id = s.dataset_id) AS "of",
    CASE
        WHEN f.format = 'answered_questions'
            THEN 'answered by ' || (f.flags ->> 'model') || ', ' || (f.flags ->> 'run')
        ELSE f.path
    END AS "source",
    f.ingested_at
FROM main.dataset_subset AS s
INNER JOIN main.dataset AS d ON s.dataset_id = d.dataset_id
INNER JOIN main.source AS f ON s.source_id = f.source_id
WHERE s.superseded_by IS NULL
ORDER BY d.name, s.name
