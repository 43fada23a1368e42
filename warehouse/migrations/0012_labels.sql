-- What people are asked to label, with the chance of each question; and what a model was shown.

CREATE TABLE main.label_plan (
    plan_id INTEGER NOT NULL,
    judge_id INTEGER NOT NULL,
    benchmark_id INTEGER NOT NULL,
    n INTEGER NOT NULL,
    divided_by VARCHAR NOT NULL,
    allocation VARCHAR NOT NULL,
    seed INTEGER NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.label_plan IS
    'Draws of answers that a person should label, to see how far a judge is right. The latest plan '
    'of a judge and benchmark holds.';
COMMENT ON COLUMN main.label_plan.n IS 'How many questions of runs were asked for.';
COMMENT ON COLUMN main.label_plan.divided_by IS
    'What makes the strata, with commas between: model, ability, verdict; empty: one stratum.';
COMMENT ON COLUMN main.label_plan.allocation IS
    'How the draws are divided among strata: proportional to their questions, or neyman (also to '
    'the spread of the judge''s scores).';
COMMENT ON COLUMN main.label_plan.seed IS 'What the hash that decides the order begins with.';

CREATE TABLE main.label_unit (
    plan_id INTEGER NOT NULL,
    run_id INTEGER NOT NULL,
    question_id INTEGER NOT NULL,
    stratum VARCHAR NOT NULL,
    chance DOUBLE NOT NULL,
    is_drawn BOOLEAN NOT NULL
);
COMMENT ON TABLE main.label_unit IS
    'What a plan drew from: the questions of runs whose score the judge decides. Within a stratum '
    'each had the same chance.';
COMMENT ON COLUMN main.label_unit.stratum IS
    'The values of what the plan is divided by, with / between; all: one stratum.';
COMMENT ON COLUMN main.label_unit.chance IS 'The chance of being drawn: drawn questions by all of the stratum.';

CREATE TABLE main.run_input (
    run_id INTEGER NOT NULL,
    input VARCHAR NOT NULL
);
COMMENT ON TABLE main.run_input IS
    'What a run showed its model, where somebody says so. No row: the question with its image.';
COMMENT ON COLUMN main.run_input.input IS 'image (the question with its image) or text (the question alone).';
