-- The stand-in of answer_count's kept rows has the columns that releases count judged answers in.

DROP TABLE main.kept_answer_count;
CREATE TABLE main.kept_answer_count (
    run_id INTEGER,
    judge VARCHAR,
    ability_id INTEGER,
    n_unread BIGINT,
    n_judged BIGINT,
    n_none BIGINT,
    n_said BIGINT,
    n_yes BIGINT,
    n_both BIGINT
);
COMMENT ON TABLE main.kept_answer_count IS
    'Always empty: stands in for a release''s own table of this name where that was dropped.';
