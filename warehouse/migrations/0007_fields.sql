-- What scoring knows of a benchmark beyond labelled choices: rules, groups and named figures; and
-- the figures that harnesses wrote of their runs.

CREATE TABLE main.benchmark_rule (
    benchmark_id INTEGER NOT NULL,
    ordinal SMALLINT NOT NULL,
    rule VARCHAR NOT NULL,
    attribute VARCHAR,
    value VARCHAR,
    normaliser VARCHAR,
    tolerance DOUBLE,
    source_id INTEGER NOT NULL,
    superseded_by INTEGER
);
COMMENT ON TABLE main.benchmark_rule IS
    'How an answer to a benchmark''s question becomes a verdict. Of several rules the first holds '
    'whose attribute the question has.';
COMMENT ON COLUMN main.benchmark_rule.rule IS
    'choice, yes_no, exact, contains, number, anls, vqa, extracted or graded.';
COMMENT ON COLUMN main.benchmark_rule.attribute IS
    'The attribute of a question that decides whether the rule is for it; NULL: it is for every '
    'question.';
COMMENT ON COLUMN main.benchmark_rule.value IS 'What that attribute has to be.';
COMMENT ON COLUMN main.benchmark_rule.normaliser IS
    'What both texts go through before exact compares them; NULL: the rule''s own.';
COMMENT ON COLUMN main.benchmark_rule.tolerance IS
    'How far a number may be off, as a share of the reference (number); NULL: the rule''s own.';
COMMENT ON COLUMN main.benchmark_rule.superseded_by IS 'The source whose rules took their place; NULL: it holds.';

CREATE TABLE main.benchmark_group (
    benchmark_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    ordinal SMALLINT NOT NULL,
    attribute VARCHAR,
    pattern VARCHAR,
    size SMALLINT,
    modulo SMALLINT,
    counts VARCHAR NOT NULL,
    source_id INTEGER NOT NULL,
    superseded_by INTEGER
);
COMMENT ON TABLE main.benchmark_group IS
    'Which of a benchmark''s questions count together: those with the same key. One row per part '
    'of the key.';
COMMENT ON COLUMN main.benchmark_group.name IS 'Such as figure: the strategy is group:figure.';
COMMENT ON COLUMN main.benchmark_group.attribute IS
    'The attribute of a question that this part of the key is; NULL: the question''s own key.';
COMMENT ON COLUMN main.benchmark_group.pattern IS
    'A regular expression whose first group is the part; NULL: all of it.';
COMMENT ON COLUMN main.benchmark_group.size IS
    'This part of the key is the question''s place in the order of the keys, divided by this: so '
    'many questions in a row belong together; NULL: it is not.';
COMMENT ON COLUMN main.benchmark_group.modulo IS
    'This part of the key is what is left of that place on division by this; NULL: it is not.';
COMMENT ON COLUMN main.benchmark_group.counts IS 'all: every question has to be right; mean: the mean of their scores.';
COMMENT ON COLUMN main.benchmark_group.superseded_by IS 'The source whose groups took their place; NULL: it holds.';

CREATE TABLE main.benchmark_figure (
    benchmark_id INTEGER NOT NULL,
    ordinal SMALLINT NOT NULL,
    name VARCHAR NOT NULL,
    aggregate VARCHAR NOT NULL,
    strategy VARCHAR,
    level VARCHAR,
    scale DOUBLE NOT NULL,
    parts VARCHAR[],
    metrics VARCHAR[],
    source_id INTEGER NOT NULL,
    superseded_by INTEGER
);
COMMENT ON TABLE main.benchmark_figure IS
    'The named figures of a benchmark, in the order of its board; the first is its main figure.';
COMMENT ON COLUMN main.benchmark_figure.aggregate IS
    'Of the questions'' scores: micro, sum, count (of questions), or precision, recall and f1 of '
    'yes. Of other figures, for the same ability: mean or total. Over the abilities of a level: '
    'macro or sum.';
COMMENT ON COLUMN main.benchmark_figure.strategy IS
    'What is aggregated: vanilla, circular, vanilla_all, graded or group:NAME; NULL: the '
    'benchmark''s own strategy.';
COMMENT ON COLUMN main.benchmark_figure.level IS
    'The level whose abilities macro, or sum with parts, is over. For other figures: a question '
    'counts once for each of its abilities on this level; NULL: once.';
COMMENT ON COLUMN main.benchmark_figure.scale IS 'What the figure is multiplied by, such as 100 for percent.';
COMMENT ON COLUMN main.benchmark_figure.parts IS
    'The figures that it is made of; NULL: it is made of questions'' scores.';
COMMENT ON COLUMN main.benchmark_figure.metrics IS
    'What harnesses call the figure (harness_figure.metric), with {split}, {ability} and '
    '{abbreviation} for those of the row; NULL: not known.';
COMMENT ON COLUMN main.benchmark_figure.superseded_by IS 'The source whose figures took their place; NULL: it holds.';

CREATE TABLE main.harness_figure (
    model_id INTEGER NOT NULL,
    benchmark_id INTEGER NOT NULL,
    task VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    judge VARCHAR,
    metric VARCHAR NOT NULL,
    value VARCHAR,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.harness_figure IS
    'Figures that a harness computed of a run, as it wrote them, to compare ours with. No view '
    'scores from them.';
COMMENT ON COLUMN main.harness_figure.task IS
    'What the harness calls the dataset, such as MMMU_DEV_VAL; it may be several datasets here.';
COMMENT ON COLUMN main.harness_figure.label IS 'The label of the run.';
COMMENT ON COLUMN main.harness_figure.judge IS
    'The judge that the harness used, by its own name; NULL: none, or the files do not say.';
COMMENT ON COLUMN main.harness_figure.metric IS
    'The path to the figure in the harness''s file: index columns as column=value, parts with | '
    'between.';
COMMENT ON COLUMN main.harness_figure.value IS 'As it is written; NULL: empty or no number.';

CREATE TABLE main.kept_answer_count (
    run_id INTEGER,
    judge VARCHAR,
    ability_id INTEGER,
    n_unread BIGINT,
    n_said BIGINT,
    n_yes BIGINT,
    n_both BIGINT
);
COMMENT ON TABLE main.kept_answer_count IS
    'Always empty: stands in for a release''s own table of this name where that was dropped.';
