-- What the rules of Inspect's own scorers includes, match, exact, f1, pattern and answer make of
-- answers to questions with references, as Inspect documents them, with the settings and by the
-- version that the log has: exact compares sets of words before 0.3.253 and their order since; f1
-- counts words that are repeated since 0.3.270. What pattern, answer and a numeric match compare is
-- what the log says that they read, as expressions of a task's own are not applied here. One row
-- per run, question, pass, sample and scorer of an answer that the harness scored.
-- @internal
-- @metric The scorer's name.
-- @score 0 to 1; NULL: it has settings that are not followed here (answer_fn, match_all, and
--   stop_words before 0.3.270).
WITH said AS (
    SELECT
        h.run_id, h.question_id, h.pass, h.sample, h.metric, h.answer AS reading,
        coalesce(p.text, '') AS text,
        CASE h.metric
            WHEN 'includes'
                THEN regexp_extract(
                    CAST(s.flags AS VARCHAR), '"name": "(inspect_ai/)?includes", "options": [{]([^{}]*)[}]', 2
                )
            WHEN 'match'
                THEN regexp_extract(
                    CAST(s.flags AS VARCHAR), '"name": "(inspect_ai/)?match", "options": [{]([^{}]*)[}]', 2
                )
            WHEN 'f1'
                THEN regexp_extract(
                    CAST(s.flags AS VARCHAR), '"name": "(inspect_ai/)?f1", "options": [{]([^{}]*)[}]', 2
                )
            WHEN 'pattern'
                THEN regexp_extract(
                    CAST(s.flags AS VARCHAR), '"name": "(inspect_ai/)?pattern", "options": [{]([^{}]*)[}]', 2
                )
            ELSE ''
        END AS options,
        -- A log that does not say its version is taken for one of the latest.
        coalesce(
            as_number(
                nullif(regexp_extract(CAST(s.flags AS VARCHAR), '"inspect_ai": "0[.]3[.]([0-9]+)', 1), '')
            ),
            1000.0
        ) AS version
    FROM main.harness_score AS h
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN main.source AS s USING (source_id)
    INNER JOIN main.prediction AS p USING (run_id, question_id, pass, sample)
    WHERE
        r.harness = 'inspect'
        AND h.metric IN ('includes', 'match', 'exact', 'f1', 'pattern', 'answer')
        AND h.filter IS NULL
        AND h.score IS NOT NULL
),

settled AS (
    SELECT
        *,
        coalesce(nullif(regexp_extract(options, '"location": "([a-z]+)"', 1), ''), 'end') AS location,
        contains(options, '"ignore_case": false') AS has_case,
        contains(options, '"numeric": true') AS is_numeric,
        spread_words(
            inspect_words(
                translate(
                    regexp_extract(translate(options, '[]', '<>'), '"stop_words": <([^>]*)>', 1), '",', '  '
                ),
                TRUE
            )
        ) AS stop_words,
        version >= 253 AS has_order, version >= 270 AS has_counts,
        contains(options, '"answer_fn": "')
        OR contains(options, '"match_all": true')
        OR (contains(options, '"stop_words": [') AND version < 270) AS is_other
    FROM said
),

-- The answers and references as the scorers compare them: with and without regard to case, and as
-- words, each once where the version compares sets. An aggregate of one row each, so that an engine
-- works the texts out once and not wherever they are used below.
compared AS (
    SELECT
        s.run_id, s.question_id, s.pass, s.sample, s.metric, s.location, s.is_other, s.has_order,
        s.has_counts, s.is_numeric, s.reading,
        max(CASE WHEN s.is_numeric THEN inspect_number(a.text) END) AS number,
        max(CASE WHEN s.has_case THEN s.reading ELSE case_folded(s.reading) END) AS folded_reading,
        max(CASE WHEN s.has_case THEN s.text ELSE case_folded(s.text) END) AS text,
        max(CASE WHEN s.has_case THEN a.text ELSE case_folded(a.text) END) AS reference,
        max(
            CASE
                WHEN s.metric = 'exact' AND s.has_order OR s.metric = 'f1' AND s.has_counts
                    THEN spread_words(
                        list_filter(
                            inspect_words(s.text, s.has_order),
                            lambda x_: NOT contains(s.stop_words, ' ' || x_ || ' ')
                        )
                    )
                WHEN s.metric IN ('exact', 'f1')
                    THEN spread_words(distinct_texts(inspect_words(s.text, s.has_order)))
            END
        ) AS spread,
        max(
            CASE
                WHEN s.metric = 'exact' AND s.has_order OR s.metric = 'f1' AND s.has_counts
                    THEN spread_words(
                        list_filter(
                            inspect_words(a.text, s.has_order),
                            lambda x_: NOT contains(s.stop_words, ' ' || x_ || ' ')
                        )
                    )
                WHEN s.metric IN ('exact', 'f1')
                    THEN spread_words(distinct_texts(inspect_words(a.text, s.has_order)))
            END
        ) AS reference_spread
    FROM settled AS s
    INNER JOIN main.reference_answer AS a USING (question_id)
    GROUP BY
        s.run_id, s.question_id, s.pass, s.sample, s.metric, s.location, s.is_other, s.has_order,
        s.has_counts, s.is_numeric, s.reading, a.text
),

counted AS (
    SELECT
        *,
        coalesce(array_length(list_filter(string_split(spread, ' '), lambda x_: x_ <> '')), 0) AS n_words,
        coalesce(array_length(list_filter(string_split(reference_spread, ' '), lambda x_: x_ <> '')), 0)
            AS n_reference_words,
        common_words(
            list_filter(string_split(spread, ' '), lambda x_: x_ <> ''), spread, reference_spread
        ) AS n_common
    FROM compared
),

scored AS (
    SELECT
        *,
        CASE metric
            WHEN 'includes' THEN CASE WHEN contains(text, reference) THEN 1.0 ELSE 0.0 END
            WHEN 'match'
                THEN
                    CASE
                        WHEN is_numeric AND number IS NOT NULL
                            THEN same_five_digits(inspect_number(reading), number)
                        ELSE
                            inspect_match(
                                without_outer_marks(stripped(text)),
                                without_outer_marks(stripped(reference)), location
                            )
                    END
            WHEN 'pattern' THEN CASE WHEN folded_reading = reference THEN 1.0 ELSE 0.0 END
            WHEN 'answer' THEN CASE WHEN folded_reading = reference THEN 1.0 ELSE 0.0 END
            WHEN 'exact'
                THEN
                    CASE
                        WHEN has_order AND n_reference_words > 0 AND spread = reference_spread THEN 1.0
                        WHEN NOT has_order AND n_common = n_words AND n_common = n_reference_words THEN 1.0
                        ELSE 0.0
                    END
            WHEN 'f1'
                THEN
                    CASE
                        WHEN has_counts AND n_reference_words = 0 THEN 0.0
                        ELSE inspect_f1(n_common, n_words, n_reference_words)
                    END
        END AS score
    FROM counted
),

best AS (
    SELECT
        run_id, question_id, pass, sample, metric, max(CAST(is_other AS INTEGER)) AS is_other,
        max(CAST(score AS DOUBLE)) AS score
    FROM scored
    GROUP BY run_id, question_id, pass, sample, metric
)

SELECT
    run_id, question_id, pass, sample, metric,
    CASE
        WHEN is_other = 1 THEN NULL
        -- Python rounds a half to the even digit.
        WHEN metric = 'f1' AND score IN (0.125, 0.625) THEN score - 0.005
        WHEN metric = 'f1' THEN round(score, 2)
        ELSE score
    END AS score
FROM best
