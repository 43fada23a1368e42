-- What SEED-Bench's two papers and MM-Vet's score files need in addition to questions and answers:
-- levels that overlap, questions that want a text and an image, and figures that others published.

ALTER TABLE main.benchmark ADD COLUMN macro_level VARCHAR;
COMMENT ON COLUMN main.benchmark.macro_level IS
    'The level whose abilities a macro average is over (SEED-Bench-2: dimension); NULL: the level '
    'below.';

CREATE TABLE main.ability_part (
    ability_id INTEGER NOT NULL,
    part_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.ability_part IS
    'Abilities that are made of others and overlap, so that no tree holds them: SEED-Bench-2''s '
    'level L2 is Part-1 and Part-2, L3 all three parts.';
COMMENT ON COLUMN main.ability_part.part_id IS 'An ability that belongs to it, with everything below that.';

CREATE TABLE main.question_component (
    question_id INTEGER NOT NULL,
    component VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.question_component IS
    'What an answer to a question consists of: text and image for SEED-Bench-2''s task 27. No row: '
    'the one component answer.';

ALTER TABLE main.dataset_subset ADD COLUMN superseded_by INTEGER;
COMMENT ON COLUMN main.dataset_subset.superseded_by IS
    'The source whose subset of the same name took its place; NULL: it holds.';

CREATE TABLE main.published_score (
    benchmark_id INTEGER NOT NULL,
    model_id INTEGER NOT NULL,
    ability_id INTEGER NOT NULL,
    total VARCHAR NOT NULL,
    spread VARCHAR,
    sample_totals VARCHAR,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.published_score IS
    'Scores that a score file states, as it prints them, to compare ours with. No view scores from '
    'them.';
COMMENT ON COLUMN main.published_score.ability_id IS 'The ability, as in main.ability; 0 for Overall.';
COMMENT ON COLUMN main.published_score.total IS 'In percent.';
COMMENT ON COLUMN main.published_score.spread IS
    'The standard deviation over judge samples; NULL: the file does not say.';
COMMENT ON COLUMN main.published_score.sample_totals IS
    'The totals per judge sample as a list; NULL: the file does not say.';
