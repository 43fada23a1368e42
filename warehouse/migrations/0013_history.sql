-- What question files said before others took its place, and questions that no longer count.

CREATE TABLE main.superseded_fact (
    question_id INTEGER NOT NULL,
    fact VARCHAR NOT NULL,
    pass SMALLINT,
    ordinal SMALLINT,
    name VARCHAR,
    value VARCHAR,
    ability_id INTEGER,
    source_id INTEGER NOT NULL,
    superseded_by INTEGER NOT NULL
);
COMMENT ON TABLE main.superseded_fact IS
    'What was known of questions until another file replaced it. Right labels are not here: '
    'main.answer has those that were replaced too.';
COMMENT ON COLUMN main.superseded_fact.fact IS 'text, choice, reference, ability, attribute or image.';
COMMENT ON COLUMN main.superseded_fact.pass IS 'Of a choice.';
COMMENT ON COLUMN main.superseded_fact.ordinal IS 'The place of a choice, reference or image.';
COMMENT ON COLUMN main.superseded_fact.name IS 'The label of a choice, or the name of an attribute.';
COMMENT ON COLUMN main.superseded_fact.value IS
    'The text, the attribute''s value or the image''s sha256; NULL: an ability.';
COMMENT ON COLUMN main.superseded_fact.source_id IS 'The file that said it.';
COMMENT ON COLUMN main.superseded_fact.superseded_by IS 'The file that says otherwise.';

CREATE TABLE main.dropped_question (
    question_id INTEGER NOT NULL,
    dataset_id INTEGER NOT NULL,
    question_key VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    source_id INTEGER NOT NULL,
    dropped_by INTEGER NOT NULL,
    restored_by INTEGER
);
COMMENT ON TABLE main.dropped_question IS
    'Questions that a newer list of their dataset leaves out: no row of main.question, so that '
    'they count nowhere. Their choices, answers, predictions and judgments stay.';
COMMENT ON COLUMN main.dropped_question.source_id IS 'The file that has the question''s text.';
COMMENT ON COLUMN main.dropped_question.dropped_by IS 'The file that leaves the question out.';
COMMENT ON COLUMN main.dropped_question.restored_by IS 'The file that has it again; NULL: it is still dropped.';
