-- How single answers came about, beyond what their run has in common.

CREATE TABLE main.answer_attribute (
    run_id INTEGER NOT NULL,
    question_id INTEGER NOT NULL,
    pass SMALLINT NOT NULL,
    sample SMALLINT NOT NULL,
    name VARCHAR NOT NULL,
    value VARCHAR NOT NULL
);
COMMENT ON TABLE main.answer_attribute IS
    'What a harness says of how an answer came about, such as its prompt or the tokens that it '
    'took. What a run has in common is in the flags of its source, under harness.';
COMMENT ON COLUMN main.answer_attribute.sample IS 'The epoch or repeat, as in main.prediction.';
COMMENT ON COLUMN main.answer_attribute.name IS 'prompt, or what the harness calls it.';
COMMENT ON COLUMN main.answer_attribute.value IS 'A text as it is, all else as JSON.';
