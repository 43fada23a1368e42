-- The named figures of every run: what boards of many benchmarks rest on. A benchmark declares its
-- figures in its folder; without any it has one, Overall, its board's score. One row per run,
-- judge, figure and ability; for the whole dataset the ability is Overall.
-- @table per run
-- @key judge figure ability_id
-- @figure The figure's name.
-- @figure_ordinal Its place in the benchmark's list; 0 is the main figure.
-- @strategy What it is made of; group:NAME counts groups of questions.
-- @score As the benchmark scales it; NULL while pending or hidden.
-- @score_low The score if every pending verdict turns out wrong; of F1, precision and recall 0.
-- @score_high The score if every one turns out right.
-- @n_unread Answers (passes) that no rule and no judge could read: they count 0.
-- @n Questions, or groups of them; of figures made of others the most of any of them.
WITH questions AS (
    SELECT *
    FROM figure_of_questions
),

part AS (
    SELECT
        f.benchmark_id, f.ordinal, f.name, f.aggregate, f.level, f.scale,
        array_length(f.parts) AS n_parts, o.name AS part
    FROM declared_figure AS f
    INNER JOIN declared_figure AS o
        ON
            f.benchmark_id = o.benchmark_id
            AND array_length(list_filter(f.parts, lambda x_: x_ = o.name)) > 0
    WHERE f.is_made_of_figures
),

-- Mean and total: of several figures for the same ability.
combined AS (
    SELECT
        q.run_id, q.judge, p.ordinal, p.name, q.ability_id,
        p.scale * sum(q.low) / CASE p.aggregate WHEN 'mean' THEN p.n_parts ELSE 1 END AS low,
        p.scale * sum(q.high) / CASE p.aggregate WHEN 'mean' THEN p.n_parts ELSE 1 END AS high,
        max(q.n) AS n, max(q.n_answered) AS n_answered, max(q.n_missing) AS n_missing,
        max(q.n_pending) AS n_pending, max(q.n_unread) AS n_unread
    FROM part AS p
    INNER JOIN current_run AS r USING (benchmark_id)
    INNER JOIN questions AS q ON r.run_id = q.run_id AND p.part = q.name
    WHERE p.level IS NULL
    GROUP BY q.run_id, q.judge, p.ordinal, p.name, p.aggregate, p.scale, p.n_parts, q.ability_id
    HAVING count(q.low) = p.n_parts
),

below AS (
    SELECT *
    FROM questions
    UNION ALL
    SELECT *
    FROM combined
),

-- Macro and sum over the abilities of a level: for what stands above them, and for the whole.
above AS (
    SELECT t.benchmark_id, t.level, t.ability_id, t.parent_id AS above_id
    FROM ability_tree AS t
    WHERE t.parent_id IS NOT NULL AND t.parent_id <> 0
    UNION ALL
    SELECT t.benchmark_id, t.level, t.ability_id, 0 AS above_id
    FROM ability_tree AS t
    WHERE t.ability_id <> 0
),

over_level AS (
    SELECT
        q.run_id, q.judge, p.ordinal, p.name, a.above_id AS ability_id,
        p.scale * CASE p.aggregate WHEN 'macro' THEN avg(q.low) ELSE sum(q.low) END AS low,
        p.scale * CASE p.aggregate WHEN 'macro' THEN avg(q.high) ELSE sum(q.high) END AS high,
        sum(q.n) AS n, sum(q.n_answered) AS n_answered, sum(q.n_missing) AS n_missing,
        sum(q.n_pending) AS n_pending, sum(q.n_unread) AS n_unread
    FROM part AS p
    INNER JOIN current_run AS r USING (benchmark_id)
    INNER JOIN above AS a USING (benchmark_id, level)
    INNER JOIN below AS q
        ON r.run_id = q.run_id AND p.part = q.name AND a.ability_id = q.ability_id
    GROUP BY q.run_id, q.judge, p.ordinal, p.name, p.aggregate, p.scale, a.above_id
    HAVING count(q.low) = count(*)
),

figure AS (
    SELECT *
    FROM below
    UNION ALL
    SELECT *
    FROM over_level
)

SELECT
    f.run_id, r.benchmark, r.dataset, r.version, r.split, r.language, r.model, r.run, r.is_latest,
    d.strategy, f.judge, f.name AS figure, f.ordinal AS figure_ordinal, t.level, t.ability,
    t.abbreviation, t.ordinal AS ability_ordinal, t.ability_id,
    -- The last bits depend on the order in which an engine adds up.
    CASE WHEN f.low = f.high THEN round(f.low, 10) END AS score,
    round(f.low, 10) AS score_low, round(f.high, 10) AS score_high, CAST(f.n AS BIGINT) AS n,
    CAST(f.n_answered AS BIGINT) AS n_answered, CAST(f.n_missing AS BIGINT) AS n_missing,
    CAST(f.n_pending AS BIGINT) AS n_pending, CAST(f.n_unread AS BIGINT) AS n_unread
FROM figure AS f
INNER JOIN current_run AS r USING (run_id)
INNER JOIN declared_figure AS d USING (benchmark_id, name)
INNER JOIN ability_tree AS t USING (benchmark_id, ability_id)
