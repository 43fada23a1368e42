-- The questions of an ability in some runs, with what became of each pass, and the next ones of its
-- list. The runs are between first and last, which the engine looks at before it reads.
-- show: all, right, wrong, partly or pending. side: those alone that page_other, the scores of
-- another run, judge or release, has otherwise (any), or who alone is right (a, b), or both or
-- neither; NULL: all.
-- Where most is given, so many are shown of the one run: a page, or those around a question.
WITH signs AS NOT MATERIALIZED (
    SELECT
        run_id, question_id, pass, resolved_by,
        CASE
            WHEN resolved_by = 'missing' THEN '-'
            WHEN score IS NULL THEN '?'
            WHEN score >= 1 THEN '1'
            WHEN score <= 0 THEN '0'
            ELSE '~'
        END AS sign
    FROM pass_result
    WHERE
        run_id BETWEEN $first AND $last
        AND list_contains($runs, run_id)
        AND judge = $judge
        AND sample = 0
        AND judge_sample = 0
),

-- Read only where one of the two is asked for.
like_that AS (
    SELECT run_id, question_id
    FROM signs
    WHERE $resolved_by IS NOT NULL OR $pattern IS NOT NULL
    GROUP BY run_id, question_id
    HAVING
        ($resolved_by IS NULL OR bool_or(resolved_by = $resolved_by))
        AND ($pattern IS NULL OR string_agg(sign, '' ORDER BY pass) = $pattern)
),

chosen AS (
    SELECT
        r.run_id, r.question_id, r.question_key, r.score, r.score_low, r.score_high, r.n_pending,
        r.n_missing
    FROM question_result AS r
    INNER JOIN question_level AS l ON r.question_id = l.question_id AND l.ability_id = $ability
    LEFT JOIN page_other AS o ON r.question_key = o.question_key
    WHERE
        r.run_id BETWEEN $first AND $last
        AND list_contains($runs, r.run_id)
        AND r.strategy = $strategy
        AND r.judge = $judge
        AND CASE $show
            WHEN 'right' THEN r.score >= 1
            WHEN 'wrong' THEN r.score <= 0
            WHEN 'partly' THEN r.score > 0 AND r.score < 1
            WHEN 'pending' THEN r.score IS NULL
            ELSE TRUE
        END
        AND CASE
            WHEN $side IS NULL THEN TRUE
            WHEN o.question_key IS NULL THEN FALSE
            WHEN $side = 'a' THEN r.score >= 1 AND o.score <= 0
            WHEN $side = 'b' THEN r.score <= 0 AND o.score >= 1
            WHEN $side = 'both' THEN r.score >= 1 AND o.score >= 1
            WHEN $side = 'neither' THEN r.score <= 0 AND o.score <= 0
            ELSE r.score IS DISTINCT FROM o.score
        END
        AND (
            $subset = 'all'
            OR r.question_id IN (
                SELECT m.question_id
                FROM main.subset_question AS m
                INNER JOIN main.dataset_subset AS s ON m.subset_id = s.subset_id
                WHERE s.name = $subset AND s.superseded_by IS NULL
            )
        )
        AND (
            ($resolved_by IS NULL AND $pattern IS NULL)
            OR (r.run_id, r.question_id) IN (SELECT (run_id, question_id) FROM like_that)
        )
        AND (
            $text IS NULL
            OR r.question_key = $text
            OR r.question_id IN (
                SELECT q.question_id
                FROM main.question AS q
                WHERE contains(lower(q.text), lower($text))
            )
            OR r.question_id IN (
                SELECT a.question_id
                FROM main.prediction AS a
                WHERE
                    a.run_id BETWEEN $first AND $last
                    AND list_contains($runs, a.run_id)
                    AND contains(lower(a.text), lower($text))
            )
        )
),

numbered AS (
    SELECT
        *, row_number() OVER list AS place, count(*) OVER (PARTITION BY run_id) AS n_all,
        lag(question_id) OVER list AS previous, lead(question_id) OVER list AS next,
        min(CASE WHEN score <= 0 THEN question_id END) OVER (
            PARTITION BY run_id
            ORDER BY question_id
            ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ) AS next_wrong
    FROM chosen
    WINDOW list AS (PARTITION BY run_id ORDER BY question_id)
),

shown AS (
    SELECT *
    FROM numbered
    WHERE
        $most IS NULL
        OR (place - 1) // $most = CASE
            WHEN $question IS NULL THEN least($page - 1, (n_all - 1) // $most)
            ELSE (SELECT (n.place - 1) // $most FROM numbered AS n WHERE n.question_id = $question)
        END
),

passes AS (
    SELECT
        run_id, question_id, string_agg(sign, '' ORDER BY pass) AS pattern,
        list_sort(list(DISTINCT resolved_by)) AS resolved
    FROM signs
    WHERE question_id IN (SELECT question_id FROM shown)
    GROUP BY run_id, question_id
)

SELECT s.*, substr(q.text, 1, 300) AS text, p.pattern, p.resolved
FROM shown AS s
INNER JOIN main.question AS q ON s.question_id = q.question_id
LEFT JOIN passes AS p ON s.run_id = p.run_id AND s.question_id = p.question_id
ORDER BY s.run_id, s.question_id
