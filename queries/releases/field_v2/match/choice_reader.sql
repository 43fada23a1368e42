-- What the reader makes of each answer of unread_choice: it becomes signs (see the macros
-- reading_plain to reading_conclusions, in the order in which they are used here), and these say
-- which choice it states, if any. One row per question, pass and text that states one.
-- @internal
-- @rows_of unread_choice
-- @label The label of the choice that it states.
-- @rule stated (by a phrase), boxed or field (of JSON or XML), marked (ticked in a list), label or
--   text (at the head, in conclusion, or the only one that is named and not ruled out), left (all
--   others are ruled out), denied (No, by a sentence that says so).
-- @evidence The words that it rests on, as the reader has them: in lower case, without articles;
--   NULL: no sentence names the choice.
WITH plain AS (
    SELECT said, reading_plain(said) AS plain
    FROM unread_choice
    GROUP BY said
),

worded AS (
    SELECT said, reading_labels(reading_tokens(plain)) AS tokens
    FROM plain
),

ordered AS (
    SELECT said, reading_ordinals(tokens) AS tokens
    FROM worded
),

numbered AS (
    SELECT said, reading_numbers(tokens) AS tokens
    FROM ordered
),

counted AS (
    SELECT said, reading_units(tokens) AS tokens
    FROM numbered
),

placed AS (
    SELECT said, reading_places(tokens) AS tokens
    FROM counted
),

spelled AS (
    SELECT
        n.question_id, n.pass, n.text, n.is_thought, n.is_cut, f.forms, f.n_choices, f.no_sign,
        c.tokens,
        -- Who names a label seldom needs it.
        CASE
            WHEN length(n.said) < 200 AND NOT contains(c.tokens, '⌖') AND NOT contains(c.tokens, '⌘')
                THEN respelled(replace(c.tokens, '⍟', '⌖'), f.spelled)
        END AS respelled
    FROM unread_choice AS n
    INNER JOIN placed AS c USING (said)
    INNER JOIN choice_form AS f USING (question_id, pass)
),

-- As it stands, and as it may be meant where words are misspelt.
versions AS (
    SELECT
        s.question_id, s.pass, s.text, s.is_thought, s.is_cut, s.n_choices, s.no_sign, v.version,
        choices_marked(
            ' ¶ ' || CASE v.version WHEN 0 THEN s.tokens ELSE s.respelled END || ' ¶ ', s.forms
        ) AS marked
    FROM spelled AS s
    CROSS JOIN (VALUES (0), (1)) AS v (version)
    WHERE v.version = 0 OR s.respelled <> s.tokens
),

-- The answer is B, or Cat, of whatever question: such lines are many times the same.
line AS (
    SELECT marked, is_thought, is_cut, n_choices, no_sign
    FROM versions
    GROUP BY marked, is_thought, is_cut, n_choices, no_sign
),

ticked AS (
    SELECT *, reading_ticks(marked) AS ticks
    FROM line
),

weighed AS (
    SELECT *, reading_cues(ticks) AS weighed
    FROM ticked
),

cued AS (
    SELECT *, reading_statements(weighed) AS cues
    FROM weighed
),

once AS (
    SELECT *, named_once(reading_signs(cues)) AS once
    FROM cued
),

signed AS (
    SELECT *, named_once_more(once) AS signs
    FROM once
),

chosen AS (
    SELECT *, reading_chosen(signs) AS chosen
    FROM signed
),

grouped AS (
    SELECT *, reading_groups(chosen) AS grouped
    FROM chosen
),

standing AS (
    SELECT *, reading_conclusions(reading_stands(grouped)) AS stands
    FROM grouped
),

-- The choices by letter alone, and those that are neither ruled out nor only weighed.
folded AS (
    SELECT *, choices_by_letter(stands) AS folded, each_replaced(stands, '[†¤][Ⓐ-ⓩ]', '') AS open
    FROM standing
),

named AS (
    SELECT
        *, signs_with(choices_by_letter(open), '') AS open_signs,
        signs_with(folded, '') AS named_signs, signs_with(folded, '†') AS dead_signs,
        signs_with(folded, '☑') AS ticked_signs, signs_with(folded, '◇') AS concluded_signs,
        signs_with(folded, '◈') AS said_signs
    FROM folded
),

ruled AS (
    SELECT
        *,
        CASE
            WHEN is_thought
                THEN
                    CASE
                        WHEN contains(stands, '◆') AND first_group(stands, '◆[^◆]*([↺?])[^◆]*$') = '' THEN 'stated'
                        ELSE 'thought'
                    END
            WHEN first_group(stands, '(☒)[^◆☑]*$') <> '' THEN 'clash'
            WHEN first_group(stands, '[◆Ⓐ-ⓩ].*↺[^◆]*(◇)[^◆]*$') <> '' THEN 'concluded'
            WHEN first_group(stands, '◆[ⓐ-ⓩ][^◆]*⊢(◇)[Ⓐ-Ⓩ][.!¶]*$') <> '' THEN 'concluded'
            WHEN contains(stands, '◆') THEN 'stated'
            WHEN contains(stands, '⌂') AND length(named_signs) = n_choices - 1 THEN 'left'
            WHEN first_group(stands, '^[·¶:]?◈?◇?[ⓐ-ⓩ],·{0,2}(⊥)') <> '' THEN 'refused'
            WHEN ticked_signs <> '' THEN CASE WHEN length(ticked_signs) = 1 THEN 'marked' ELSE 'several' END
            -- A letter as the heading, and no letter in conclusion.
            WHEN
                first_group(stands, '^[·¶:]?◈?◇?([Ⓐ-Ⓩ])[.!¶]') <> '' AND first_group(stands, '⊢◇([Ⓐ-Ⓩ])') = ''
                THEN 'head'
            WHEN
                first_group(stands, '^[·¶:]?◈?([Ⓐ-ⓩ])(?:[.!,;¶]|$)') <> ''
                -- The first sentence names a text and its letter: It is the cat (A).
                OR first_group(cues, '^([^Ⓐ-ⓩ.,;:?!¶≈⁇¬⊗]*[ⓐ-ⓩ]  [Ⓐ-Ⓩ]  [.!¶])') <> ''
                THEN 'head'
            WHEN is_cut AND length(concluded_signs) > 1 THEN 'cut'
            WHEN contains(stands, '◇') THEN 'concluded'
            WHEN contains(stands, '⊥') THEN 'refused'
            WHEN
                is_cut AND length(each_replaced(open, '[^Ⓐ-ⓩ]', '')) < 3
                AND first_group(stands, '^[¶:]?([Ⓐ-Ⓩ])') = ''
                THEN 'cut'
            WHEN length(open_signs) = 1 THEN 'alone'
            WHEN open_signs = '' AND length(named_signs) = n_choices - 1 AND named_signs = dead_signs THEN 'left'
            WHEN length(said_signs) = 1 THEN 'said'
            WHEN
                no_sign IS NOT NULL AND first_group(stands, '([Ⓐ-ⓩ])') = ''
                AND (contains(stands, '⊗') OR first_group(cues, '^ there  (?:is|are|was|were)  (¬)') <> '')
                AND first_group(stands, '[.!?¶].*([^.!¶])') = ''
                THEN 'denied'
            ELSE 'none'
        END AS way
    FROM named
),

picked AS (
    SELECT
        *,
        CASE way
            WHEN 'stated' THEN first_group(stands, '◆([Ⓐ-ⓩ])[^◆]*$')
            WHEN 'marked' THEN first_group(stands, '☑([Ⓐ-ⓩ])')
            WHEN 'head' THEN first_group(stands, '([Ⓐ-ⓩ])')
            WHEN 'concluded' THEN first_group(stands, '◇([Ⓐ-ⓩ])[^◇]*$')
            WHEN 'alone' THEN first_group(open, '([Ⓐ-ⓩ])')
            WHEN 'left' THEN translate(substr('ⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏ', 1, n_choices), named_signs, '')
            WHEN 'said' THEN first_group(stands, '◈([Ⓐ-ⓩ])')
            WHEN 'denied' THEN no_sign
        END AS sign
    FROM ruled
),

explained AS (
    SELECT
        marked, is_thought, is_cut, n_choices, no_sign, way, sign,
        CASE
            WHEN way = 'stated'
                THEN
                    CASE first_group(stands, '([▣▤]?)◆[Ⓐ-ⓩ][^◆]*$')
                        WHEN '▣' THEN 'boxed'
                        WHEN '▤' THEN 'field'
                        ELSE 'stated'
                    END
            WHEN way IN ('head', 'concluded', 'alone', 'said')
                THEN CASE WHEN sign BETWEEN 'Ⓐ' AND 'Ⓩ' THEN 'label' ELSE 'text' END
            ELSE way
        END AS rule,
        -- The last sentence that names the choice, of a heading the first.
        clause_with(marked, choices_by_letter(sign), choices_by_text(sign), way = 'head') AS clause
    FROM picked
),

-- Each version of an answer with the choice that it states.
shown AS (
    SELECT
        v.question_id, v.pass, v.text, v.version, t.way, t.rule, t.clause, f.signs,
        nullif(
            split_part(
                array_to_string(list_filter(f.signs, lambda x_: contains(substr(x_, 1, 2), t.sign)), ''), '¦', 2
            ),
            ''
        ) AS label
    FROM versions AS v
    INNER JOIN explained AS t
        ON
            v.marked = t.marked
            AND v.is_thought = t.is_thought
            AND v.is_cut = t.is_cut
            AND v.n_choices = t.n_choices
            AND v.no_sign IS NOT DISTINCT FROM t.no_sign
    INNER JOIN choice_form AS f ON v.question_id = f.question_id AND v.pass = f.pass
),

best AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY question_id, pass, text
            ORDER BY CASE WHEN label IS NULL THEN 1 ELSE 0 END, version
        ) AS place,
        max(CASE WHEN version = 0 AND way = 'none' THEN 1 ELSE 0 END) OVER (
            PARTITION BY question_id, pass, text
        ) AS is_open
    FROM shown
)

-- A misspelt word is put right where nothing is read without.
SELECT
    question_id, pass, text, label, rule,
    nullif(stripped(each_replaced(choices_marked(clause, choice_words(signs)), ' +', ' ')), '') AS evidence
FROM best
WHERE place = 1 AND label IS NOT NULL AND (version = 0 OR is_open = 1)
