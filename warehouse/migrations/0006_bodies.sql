-- What a server sent, verbatim; and errors that were taken for replies.

ALTER TABLE main.judgment ADD COLUMN body VARCHAR;
COMMENT ON COLUMN main.judgment.body IS
    'What the server sent, verbatim (a key in it is [key]), where that says more than the other '
    'columns: a failed call''s answer (at most its first 65,536 characters), or a reply in another '
    'shape than a plain chat completion, such as a list of parts. NULL: the other columns say it '
    'all.';
COMMENT ON COLUMN main.judgment.error IS
    'Why the call failed; then there is no reply, and the subject is judged again.';

-- Until here, an error that a server sent under HTTP 200 was kept as an empty reply, counted as one
-- of the judge's attempts, and was never judged again. What it was stays as it is; `error` says
-- what it means. `no choice` was our own word for a body without a message.
UPDATE main.judgment
SET error = 'the server sent no reply under HTTP 200 (an earlier version kept it as an empty one)'
WHERE
    error IS NULL
    AND reply IS NULL
    AND refusal IS NULL
    AND request_key IS NOT NULL
    AND origin IN ('call', 'batch', 'cache')
    AND (
        finish_reason IN ('no choice', 'error')
        OR (finish_reason IS NULL AND coalesce(completion_tokens, 0) = 0)
    );
