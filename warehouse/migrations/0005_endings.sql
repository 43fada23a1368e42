-- How runs and samples ended, as harnesses say; and judges that grade by letter or in pairs.

CREATE TABLE main.run_status (
    run_id INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    error VARCHAR
);
COMMENT ON TABLE main.run_status IS 'How a run ended, for harnesses that say so. No row: the file does not say.';
COMMENT ON COLUMN main.run_status.status IS 'The harness''s own word: success, error, cancelled or started (Inspect).';
COMMENT ON COLUMN main.run_status.error IS 'What the harness says went wrong.';

CREATE TABLE main.sample_error (
    run_id INTEGER NOT NULL,
    question_id INTEGER NOT NULL,
    pass SMALLINT NOT NULL,
    sample SMALLINT NOT NULL,
    error VARCHAR NOT NULL
);
COMMENT ON TABLE main.sample_error IS
    'What a harness says went wrong with an answer. Where that left no answer, the prediction is '
    'failed; else what came before the error is its text.';

COMMENT ON COLUMN main.judge.task IS
    'choice_extraction, soft_score, mark; of imports also letter_grade (GRADE: C, P or I) and pair '
    '(two scores in a reply).';
