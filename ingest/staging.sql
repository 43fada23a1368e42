-- What every adapter fills: temporary tables, one set of rows per file. `row` is the record's
-- number in the file, for messages and so that a duplicate can be taken out everywhere at once.
CREATE OR REPLACE TEMP TABLE stage_question (
    row BIGINT, split VARCHAR, question_key VARCHAR, pass INTEGER DEFAULT 0, text VARCHAR,
    answer VARCHAR, image VARCHAR
);
CREATE OR REPLACE TEMP TABLE stage_choice (
    row BIGINT, split VARCHAR, question_key VARCHAR, pass INTEGER DEFAULT 0, label VARCHAR,
    ordinal INTEGER DEFAULT 0, text VARCHAR
);
CREATE OR REPLACE TEMP TABLE stage_attribute (
    row BIGINT, split VARCHAR, question_key VARCHAR, name VARCHAR, value VARCHAR
);
CREATE OR REPLACE TEMP TABLE stage_ability (
    row BIGINT, split VARCHAR, question_key VARCHAR, depth INTEGER DEFAULT 0, level VARCHAR,
    field VARCHAR, spelling VARCHAR
);
CREATE OR REPLACE TEMP TABLE stage_prediction (
    row BIGINT, model VARCHAR, split VARCHAR, question_key VARCHAR, pass INTEGER DEFAULT 0,
    sample INTEGER DEFAULT 0, text VARCHAR, failed BOOLEAN DEFAULT false
);
-- What predictions that are not staged themselves have in common: the first row, and how many.
CREATE OR REPLACE TEMP TABLE stage_place (row BIGINT, n BIGINT, model VARCHAR, split VARCHAR);
CREATE OR REPLACE TEMP TABLE stage_score (
    row BIGINT, model VARCHAR, split VARCHAR, question_key VARCHAR, pass INTEGER DEFAULT 0,
    sample INTEGER DEFAULT 0, component VARCHAR, label VARCHAR, score DOUBLE, n_tokens INTEGER,
    scorer VARCHAR
);
-- What the harness made of an answer, by metric or scorer; see main.harness_score. Each belongs to
-- the run of `model` and `split`, as the answers do.
CREATE OR REPLACE TEMP TABLE stage_harness_score (
    row BIGINT, model VARCHAR, split VARCHAR, question_key VARCHAR, pass INTEGER DEFAULT 0,
    sample INTEGER DEFAULT 0, metric VARCHAR, filter VARCHAR, value VARCHAR, score DOUBLE,
    answer VARCHAR
);
-- What the harness computed of all answers of a model, where the file has it; see
-- main.harness_figure.
CREATE OR REPLACE TEMP TABLE stage_harness_figure (
    place BIGINT, model VARCHAR, task VARCHAR, judge VARCHAR, metric VARCHAR, filter VARCHAR,
    reducer VARCHAR, value VARCHAR
);
-- How an answer came about; see main.answer_attribute. Without a model: the answers of all of them.
CREATE OR REPLACE TEMP TABLE stage_answer_attribute (
    row BIGINT, model VARCHAR, split VARCHAR, question_key VARCHAR, pass INTEGER DEFAULT 0,
    sample INTEGER DEFAULT 0, name VARCHAR, value VARCHAR
);
CREATE OR REPLACE TEMP TABLE stage_reference (
    row BIGINT, split VARCHAR, question_key VARCHAR, ordinal INTEGER DEFAULT 0, text VARCHAR
);
-- What an answer consists of, where it is more than one thing. `field` is the file's name for it.
CREATE OR REPLACE TEMP TABLE stage_component (
    row BIGINT, split VARCHAR, question_key VARCHAR, field VARCHAR, component VARCHAR
);
-- Named subsets of a dataset's questions.
CREATE OR REPLACE TEMP TABLE stage_subset (
    row BIGINT, split VARCHAR, question_key VARCHAR, subset VARCHAR
);
-- Judgments. `prediction` is the text that the file says was judged; NULL: it does not say.
-- `stated` is what a harness kept of a verdict whose reply it did not keep; see main.judgment.
CREATE OR REPLACE TEMP TABLE stage_judgment (
    row BIGINT, model VARCHAR, split VARCHAR, question_key VARCHAR, pass INTEGER DEFAULT 0,
    sample INTEGER DEFAULT 0, judge VARCHAR, judge_sample INTEGER DEFAULT 0,
    attempt INTEGER DEFAULT 0, prediction VARCHAR, reply VARCHAR, error VARCHAR, log VARCHAR,
    stated VARCHAR, score DOUBLE, word VARCHAR
);
-- What `Judgments.explain` turns into judgments once the run is known: a harness's log of one
-- question.
CREATE OR REPLACE TEMP TABLE stage_log (
    row BIGINT, model VARCHAR, split VARCHAR, question_key VARCHAR, pass INTEGER, judge VARCHAR,
    prediction VARCHAR, log VARCHAR, score VARCHAR
);
-- What is known of the file's judges in addition to their names: the model, the scorer that called
-- it, the task, the prompt template, the sampling parameters as JSON, and the kind.
CREATE OR REPLACE TEMP TABLE stage_judge (
    judge VARCHAR, model VARCHAR, scorer VARCHAR, task VARCHAR, template VARCHAR, sampling VARCHAR,
    kind VARCHAR DEFAULT 'import'
);
-- The prompt that a judge got, where the file has it.
CREATE OR REPLACE TEMP TABLE stage_prompt (
    row BIGINT, judge VARCHAR, judge_sample INTEGER DEFAULT 0, prompt VARCHAR
);
-- The error that the harness recorded for a sample.
CREATE OR REPLACE TEMP TABLE stage_error (row BIGINT, error VARCHAR);
-- Which questions a question file changes, and of what kind the facts are: with --replace.
CREATE OR REPLACE TEMP TABLE stage_question_change (question_id INTEGER, fact VARCHAR);
