-- VLMEvalKit's matching by label. Four fixed refusal texts are Z. Else some punctuation becomes
-- space, and the only label among the words counts if its first place is among the last four words;
-- Z among the words, and no label, is Z. An answer that reports an API failure has no label. One
-- row per question, pass and text.
-- @text_read The text as the peer reads it: an empty cell is the word nan.
-- @word_label The label, Z for a refusal; NULL: none.
-- @may_state Whether a stated answer may still be looked for.
WITH labelled AS (
    SELECT t.question_id, t.pass, t.text, c.labels, coalesce(t.text, 'nan') AS text_read
    FROM answer_text AS t
    INNER JOIN given_labels AS c USING (question_id, pass)
),

divided AS (
    SELECT
        *,
        ' ' || spaced(translate(text_read, '.()[],:;!*#{}', repeat(' ', 13))) || ' ' AS text_words,
        CASE
            WHEN contains(text_read, 'Failed to obtain answer via API') THEN 'failed'
            WHEN contains(text_read, 'Sorry, I can''t help with images of people yet.') THEN 'refused'
            WHEN contains(text_read, 'I can''t process this file.') THEN 'refused'
            WHEN contains(text_read, 'I''m sorry, but without the image provided') THEN 'refused'
            WHEN contains(text_read, 'Cannot determine the answer') THEN 'refused'
            ELSE 'answered'
        END AS kind
    FROM labelled
),

found AS (
    SELECT
        * EXCLUDE (labels),
        list_filter(labels, lambda x_: contains(text_words, ' ' || x_ || ' ')) AS candidates
    FROM divided
),

placed AS (
    SELECT
        *,
        CASE WHEN array_length(candidates) = 1 THEN array_to_string(candidates, '') END AS candidate
    FROM found
)

SELECT
    question_id, pass, text, text_read,
    CASE
        WHEN kind = 'refused' THEN 'Z'
        WHEN kind = 'failed' THEN NULL
        WHEN
            candidate IS NOT NULL
            AND NOT regexp_matches(
                substr(
                    text_words, strpos(text_words, ' ' || candidate || ' ') + length(candidate) + 2
                ),
                '[^ ]+ +[^ ]+ +[^ ]+ +[^ ]'
            )
            THEN candidate
        WHEN array_length(candidates) = 0 AND contains(text_words, ' Z ') THEN 'Z'
    END AS word_label,
    kind = 'answered' AS may_state
FROM placed
