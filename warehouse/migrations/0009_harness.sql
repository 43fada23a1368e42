-- What harnesses say of single answers, and of which filter and reducer their figures are.

CREATE TABLE main.harness_score (
    run_id INTEGER NOT NULL,
    question_id INTEGER NOT NULL,
    pass SMALLINT NOT NULL,
    sample SMALLINT NOT NULL,
    metric VARCHAR NOT NULL,
    filter VARCHAR,
    value VARCHAR,
    score DOUBLE,
    answer VARCHAR,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.harness_score IS
    'What a harness made of an answer, one row per metric or scorer, to compare ours with. No view '
    'scores from them.';
COMMENT ON COLUMN main.harness_score.sample IS 'The epoch or repeat, as in main.prediction.';
COMMENT ON COLUMN main.harness_score.metric IS 'What the harness calls the metric or scorer.';
COMMENT ON COLUMN main.harness_score.filter IS
    'What the harness calls the filter that the answer went through; NULL: none.';
COMMENT ON COLUMN main.harness_score.value IS 'As the harness wrote it; NULL: it wrote none.';
COMMENT ON COLUMN main.harness_score.score IS 'The number that the value stands for; NULL: none.';
COMMENT ON COLUMN main.harness_score.answer IS 'What the harness read in the answer; NULL: it does not say.';

-- Figures of tasks without answers here, and of groups of tasks, are of no benchmark that is known.
ALTER TABLE main.harness_figure ALTER benchmark_id DROP NOT NULL;
ALTER TABLE main.harness_figure ADD COLUMN filter VARCHAR;
ALTER TABLE main.harness_figure ADD COLUMN reducer VARCHAR;
COMMENT ON COLUMN main.harness_figure.filter IS
    'What the harness calls the filter that the answers went through; NULL: none, or metric has '
    'it.';
COMMENT ON COLUMN main.harness_figure.reducer IS
    'How the harness made one score of several samples, by its own name; NULL: it does not say.';
