-- The answers that a judge can change, under each judge: step 2 of MMBench, and step 3, the random
-- fallback. One row per run, question, pass, sample, judge and judge sample, for the answers that
-- the rules leave open. A verdict that a harness stated of the answer without a reply comes first,
-- as far as the release counts it.
-- @predicted The judge's label, X for none of the choices, or the label that was drawn; NULL:
--   nothing yet, or a verdict without a label.
-- @prediction The raw output that is judged.
-- @resolved_by judge, random, pending; unresolved where the answer is hidden and there is no
--   verdict.
WITH with_verdicts AS (
    SELECT
        a.run_id, a.model, a.dataset, a.question_id, a.question_key, a.pass, a.sample, a.component,
        d.answer, s.subject_hash, j.judge_id, j.judge, j.judge_sample, j.max_attempts, a.prediction,
        t.judgment_id AS stated_judgment_id, t.stated,
        stated_score(t.stated, t.score) AS stated_score,
        own.state = 'ok' OR own.n_unusable >= j.max_attempts AS is_own,
        own.judgment_id AS own_judgment_id, own.verdict AS own_verdict, own.state AS own_state,
        own.n_unusable AS own_n_unusable, shared.judgment_id AS shared_judgment_id,
        shared.verdict AS shared_verdict, shared.state AS shared_state,
        shared.n_unusable AS shared_n_unusable
    FROM answered_pass AS a
    INNER JOIN dataset_pass AS d USING (question_id, pass)
    INNER JOIN subject AS s USING (question_id, pass)
    INNER JOIN judge_asked AS j ON j.task = 'choice_extraction'
    LEFT JOIN verdict AS own USING (subject_hash, judge_id, judge_sample, run_id)
    LEFT JOIN shared_verdict AS shared USING (subject_hash, judge_id, judge_sample)
    LEFT JOIN stated_verdict AS t USING (run_id, question_id, pass, sample, judge_id, judge_sample)
    WHERE a.state = 'open' AND a.prediction = s.text
),

-- Its own import, if that settles it: a verdict, or nothing after all attempts.
chosen AS (
    SELECT
        *,
        CASE
            WHEN stated_score IS NOT NULL THEN stated_judgment_id
            WHEN is_own THEN own_judgment_id
            ELSE shared_judgment_id
        END AS judgment_id,
        CASE WHEN is_own THEN own_verdict ELSE shared_verdict END AS verdict,
        CASE WHEN is_own THEN own_state ELSE shared_state END AS state,
        coalesce(CASE WHEN is_own THEN own_n_unusable ELSE shared_n_unusable END, 0) AS n_unusable
    FROM with_verdicts
),

settled AS (
    SELECT
        *,
        CASE
            WHEN stated_score IS NOT NULL AND stated = 'drawn' THEN 'random'
            WHEN stated_score IS NOT NULL OR state = 'ok' THEN 'judge'
            WHEN n_unusable >= max_attempts THEN 'random'
            WHEN answer IS NULL THEN 'unresolved'
            ELSE 'pending'
        END AS resolved_by
    FROM chosen
),

drawn AS (
    SELECT
        s.*,
        CASE
            WHEN s.resolved_by = 'random'
                THEN draw_number(
                    md5(
                        'draw/1,' || hex(s.dataset) || ',' || hex(s.question_key) || ','
                        || CAST(s.pass AS VARCHAR) || ',' || CAST(s.sample AS VARCHAR) || ','
                        || hex(s.model) || ',' || hex(r.run) || ',0'
                    )
                ) % (c.n_choices + 1)
        END AS draw_place
    FROM settled AS s
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN choice_set AS c USING (question_id, pass)
),

numbered AS (
    SELECT
        question_id, pass, label,
        row_number() OVER (PARTITION BY question_id, pass ORDER BY ordinal, label) - 1 AS draw_place
    FROM main.choice
),

resolved AS (
    SELECT
        d.*,
        CASE
            WHEN d.stated_score IS NOT NULL THEN NULL
            WHEN d.resolved_by = 'judge' THEN d.verdict
            WHEN d.resolved_by = 'random' THEN coalesce(n.label, 'X')
        END AS predicted
    FROM drawn AS d
    LEFT JOIN numbered AS n USING (question_id, pass, draw_place)
)

SELECT
    run_id, model, dataset, question_id, question_key, pass, sample, component, judge_id, judge,
    judge_sample, subject_hash, judgment_id, prediction, n_unusable, max_attempts, predicted,
    answer,
    CASE
        WHEN answer IS NULL OR resolved_by = 'pending' THEN NULL
        WHEN stated_score IS NOT NULL THEN stated_score
        WHEN predicted = answer THEN 1.0
        ELSE 0.0
    END AS score,
    resolved_by
FROM resolved
