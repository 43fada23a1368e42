-- Kept results lie in the schema of each release, where `evalhouse refresh` fills them. A view
-- names them without a schema, so where somebody dropped them the engine finds these, which stay
-- empty, and everything is computed from the facts.

CREATE TABLE main.kept_run (
    run_id INTEGER NOT NULL,
    facts_key UBIGINT NOT NULL,
    answers_key HUGEINT
);
COMMENT ON TABLE main.kept_run IS
    'Always empty: stands in for a release''s own table of this name where that was dropped.';

CREATE TABLE main.kept_subject (
    run_id INTEGER NOT NULL,
    subject_key UBIGINT NOT NULL
);
COMMENT ON TABLE main.kept_subject IS
    'Always empty: stands in for a release''s own table of this name where that was dropped.';

CREATE TABLE main.kept_judging (
    last_judgment_id BIGINT NOT NULL,
    judgments_key HUGEINT
);
COMMENT ON TABLE main.kept_judging IS
    'Always empty: stands in for a release''s own table of this name where that was dropped.';

CREATE TABLE main.kept_ability_sum (
    run_id INTEGER,
    strategy VARCHAR,
    judge VARCHAR,
    subset VARCHAR,
    ability_id INTEGER,
    n BIGINT,
    n_answered BIGINT,
    n_hidden BIGINT,
    points_low DOUBLE,
    points_high DOUBLE,
    squares DOUBLE,
    weight BIGINT,
    weighted_low DOUBLE,
    weighted_high DOUBLE,
    answered_weight BIGINT,
    answered_low DOUBLE,
    n_pending BIGINT,
    n_fallback BIGINT,
    n_missing BIGINT
);
COMMENT ON TABLE main.kept_ability_sum IS
    'Always empty: stands in for a release''s own table of this name where that was dropped.';

CREATE TABLE main.kept_answered_ability (
    run_id INTEGER,
    ability_id INTEGER
);
COMMENT ON TABLE main.kept_answered_ability IS
    'Always empty: stands in for a release''s own table of this name where that was dropped.';
