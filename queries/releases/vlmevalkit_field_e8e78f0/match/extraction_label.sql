-- The label that the peer's rules read from a text, of a question with choices whose rule is
-- extracted: as word_match, label_match and text_match have them, of what judges extracted too,
-- which those do not see. One row per question and text that names one; Z for a refusal.
-- @internal
WITH divided AS (
    SELECT
        t.question_id, t.text, c.labels, c.text_length, coalesce(t.text, 'nan') AS text_read,
        ' ' || spaced(translate(coalesce(t.text, 'nan'), '.()[],:;!*#{}', repeat(' ', 13))) || ' ' AS text_words,
        CASE
            WHEN contains(t.text, 'Failed to obtain answer via API') THEN 'failed'
            WHEN contains(t.text, 'Sorry, I can''t help with images of people yet.') THEN 'refused'
            WHEN contains(t.text, 'I can''t process this file.') THEN 'refused'
            WHEN contains(t.text, 'I''m sorry, but without the image provided') THEN 'refused'
            WHEN contains(t.text, 'Cannot determine the answer') THEN 'refused'
            ELSE 'answered'
        END AS kind
    FROM extraction_text AS t
    INNER JOIN choice_set AS c ON t.question_id = c.question_id AND c.pass = 0
),

found AS (
    SELECT *, list_filter(labels, lambda x_: contains(text_words, ' ' || x_ || ' ')) AS candidates
    FROM divided
),

placed AS (
    SELECT
        *,
        CASE WHEN array_length(candidates) = 1 THEN array_to_string(candidates, '') END AS candidate
    FROM found
),

worded AS (
    SELECT
        *,
        CASE
            WHEN kind = 'refused' THEN 'Z'
            WHEN kind = 'failed' THEN NULL
            WHEN
                candidate IS NOT NULL
                AND NOT regexp_matches(
                    substr(
                        text_words,
                        strpos(text_words, ' ' || candidate || ' ') + length(candidate) + 2
                    ),
                    '[^ ]+ +[^ ]+ +[^ ]+ +[^ ]'
                )
                THEN candidate
            WHEN array_length(candidates) = 0 AND contains(text_words, ' Z ') THEN 'Z'
        END AS word_label,
        CASE
            WHEN kind = 'answered'
                THEN translate(
                    regexp_extract(
                        spaced(text_read), '[aA][nN][sSſ][wW][eE][rR] +[iIİı][sSſ] +[*]*([ABCDabcd])', 1
                    ),
                    'abcd', 'ABCD'
                )
        END AS stated_letter
    FROM placed
),

labelled AS (
    SELECT
        question_id, text, text_length, python_lower(text_read) AS text_lower,
        coalesce(
            word_label,
            CASE
                WHEN array_length(list_filter(labels, lambda y_: y_ = stated_letter)) > 0 THEN stated_letter
            END
        ) AS label
    FROM worded
),

contained AS (
    SELECT t.question_id, t.text, max(o.label) AS matched
    FROM labelled AS t
    INNER JOIN main.choice AS o ON t.question_id = o.question_id AND o.pass = 0
    WHERE
        t.label IS NULL
        AND length(t.text_lower) <= 2 * t.text_length
        AND (o.text = '' OR contains(t.text_lower, python_lower(o.text)))
    GROUP BY t.question_id, t.text
    HAVING count(*) = 1
)

SELECT question_id, text, label AS matched
FROM labelled
WHERE label IS NOT NULL
UNION ALL
SELECT question_id, text, matched
FROM contained
