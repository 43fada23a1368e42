-- The questions of an ability in some runs, with what became of each pass. The runs are between
-- first and last, which the engine looks at before it reads. among: these questions alone; NULL:
-- all. show: all, right, wrong, partly or pending.
WITH passes AS (
    SELECT
        run_id,
        question_id,
        string_agg(
            CASE
                WHEN resolved_by = 'missing' THEN '-'
                WHEN score IS NULL THEN '?'
                WHEN score >= 1 THEN '1'
                WHEN score <= 0 THEN '0'
                ELSE '~'
            END, '' ORDER BY pass
        ) AS pattern,
        list_sort(list(DISTINCT resolved_by)) AS resolved
    FROM pass_result
    WHERE
        run_id BETWEEN $first AND $last
        AND list_contains($runs, run_id)
        AND judge = $judge
        AND sample = 0
        AND judge_sample = 0
    GROUP BY run_id, question_id
),

chosen AS (
    SELECT
        r.run_id,
        r.question_id,
        r.question_key,
        r.score,
        r.score_low,
        r.score_high,
        r.n_pending,
        r.n_missing
    FROM question_result AS r
    WHERE
        r.run_id BETWEEN $first AND $last
        AND list_contains($runs, r.run_id)
        AND r.strategy = $strategy
        AND r.judge = $judge
)

SELECT
    c.*,
    substr(q.text, 1, 300) AS text,
    p.pattern,
    p.resolved
FROM chosen AS c
INNER JOIN question_level AS l ON c.question_id = l.question_id AND l.ability_id = $ability
INNER JOIN main.question AS q ON c.question_id = q.question_id
LEFT JOIN passes AS p ON c.run_id = p.run_id AND c.question_id = p.question_id
WHERE
    ($among IS NULL OR list_contains($among, c.question_id))
    AND (
        $subset = 'all'
        OR c.question_id IN (
            SELECT m.question_id
            FROM main.subset_question AS m
            INNER JOIN main.dataset_subset AS s ON m.subset_id = s.subset_id
            WHERE s.name = $subset AND s.superseded_by IS NULL
        )
    )
    AND CASE $show
        WHEN 'right' THEN c.score >= 1
        WHEN 'wrong' THEN c.score <= 0
        WHEN 'partly' THEN c.score > 0 AND c.score < 1
        WHEN 'pending' THEN c.score IS NULL
        ELSE TRUE
    END
    AND ($resolved_by IS NULL OR list_contains(p.resolved, $resolved_by))
    AND ($pattern IS NULL OR p.pattern = $pattern)
    AND (
        $text IS NULL
        OR contains(lower(q.text), lower($text))
        OR c.question_key = $text
        OR c.question_id IN (
            SELECT a.question_id
            FROM main.prediction AS a
            WHERE list_contains($runs, a.run_id) AND contains(lower(a.text), lower($text))
        )
    )
ORDER BY c.run_id, c.question_id
