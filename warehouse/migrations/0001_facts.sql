-- The facts of a warehouse. Schema `main` holds what was read from files and nothing that is
-- derived from it: scores live in the views of a release (package `queries`).
--
-- Integer keys and no constraints beyond NOT NULL: an index on 220 million predictions would cost
-- more than every load and query together. `evalhouse check` verifies what the engine does not.
-- Tables only grow. The exceptions are flags (superseded_by, retracted_at) and a run's name, which
-- `run_event` keeps the history of.

CREATE TABLE main.source (
    source_id INTEGER NOT NULL,
    path VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    bytes BIGINT NOT NULL,
    format VARCHAR NOT NULL,
    adapter_version INTEGER NOT NULL,
    flags VARCHAR NOT NULL,
    n_rows BIGINT NOT NULL,
    ingested_at TIMESTAMP NOT NULL
);
COMMENT ON TABLE main.source IS
    'One row per file that was read. Every fact leads to its source by source_id; predictions and '
    'choice scores do so through their run.';
COMMENT ON COLUMN main.source.path IS 'The path as it was given; evalhouse:… for what the package brings with it.';
COMMENT ON COLUMN main.source.flags IS 'JSON: the settings the file was read with, given or inferred.';
COMMENT ON COLUMN main.source.n_rows IS 'Records in the file.';

CREATE TABLE main.benchmark (
    benchmark_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    task VARCHAR NOT NULL,
    strategy VARCHAR NOT NULL,
    average VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.benchmark IS 'One row per benchmark, with the conventions of its paper.';
COMMENT ON COLUMN main.benchmark.task IS 'choice: pick one of the labelled choices.';
COMMENT ON COLUMN main.benchmark.strategy IS
    'The strategy of the paper''s own board: circular, vanilla or vanilla_all.';
COMMENT ON COLUMN main.benchmark.average IS 'micro (over questions) or macro (over the abilities of the level below).';

CREATE TABLE main.ability (
    ability_id INTEGER NOT NULL,
    benchmark_id INTEGER NOT NULL,
    level VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    abbreviation VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    parent_id INTEGER,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.ability IS
    'The ability taxonomy of a benchmark: a tree of at most four levels, with the order in which '
    'the paper prints it.';

CREATE TABLE main.ability_spelling (
    ability_id INTEGER NOT NULL,
    spelling VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.ability_spelling IS 'How files write an ability''s name.';

CREATE TABLE main.dataset (
    dataset_id INTEGER NOT NULL,
    benchmark_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    version VARCHAR,
    split VARCHAR,
    language VARCHAR,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.dataset IS 'One row per benchmark, version, split and language. NULL: not known.';

CREATE TABLE main.dataset_source (
    dataset_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL,
    role VARCHAR NOT NULL
);
COMMENT ON TABLE main.dataset_source IS
    'Which files describe a dataset. A dataset with a file in the role questions is complete: '
    'prediction files no longer extend it.';
COMMENT ON COLUMN main.dataset_source.role IS
    'questions, or predictions (a prediction file that carries its questions).';

CREATE TABLE main.question (
    question_id INTEGER NOT NULL,
    dataset_id INTEGER NOT NULL,
    question_key VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.question IS 'One row per question. question_key is the dataset''s own id as text.';

CREATE TABLE main.question_attribute (
    question_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.question_attribute IS
    'What else a question file says of a question: hint, source, comment, and any other column.';

CREATE TABLE main.question_image (
    question_id INTEGER NOT NULL,
    ordinal SMALLINT NOT NULL,
    sha256 VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.question_image IS 'Images are known by the sha256 of their bytes and not stored.';

CREATE TABLE main.question_pass (
    question_id INTEGER NOT NULL,
    pass SMALLINT NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.question_pass IS
    'The passes that a dataset holds of a question: pass 0, and the rotations of CircularEval.';

CREATE TABLE main.choice (
    question_id INTEGER NOT NULL,
    pass SMALLINT NOT NULL,
    label VARCHAR NOT NULL,
    ordinal SMALLINT NOT NULL,
    text VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.choice IS 'The choices as they stood in each pass. Never derived from another pass.';

CREATE TABLE main.answer (
    question_id INTEGER NOT NULL,
    pass SMALLINT NOT NULL,
    label VARCHAR NOT NULL,
    source_id INTEGER NOT NULL,
    superseded_by INTEGER
);
COMMENT ON TABLE main.answer IS
    'The right label of each pass. No row: the answer is hidden. superseded_by: the source that '
    'corrected it.';

CREATE TABLE main.reference_answer (
    question_id INTEGER NOT NULL,
    ordinal SMALLINT NOT NULL,
    text VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.reference_answer IS 'References of open questions, one or several each.';

CREATE TABLE main.question_ability (
    question_id INTEGER NOT NULL,
    ability_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.question_ability IS
    'The abilities that a question tests, at the finest level known; the levels above follow from '
    'the tree.';

CREATE TABLE main.dataset_subset (
    subset_id INTEGER NOT NULL,
    dataset_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.dataset_subset IS 'Named subsets of a dataset.';

CREATE TABLE main.subset_question (
    subset_id INTEGER NOT NULL,
    question_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.subset_question IS 'The questions of each subset.';

CREATE TABLE main.model (
    model_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.model IS 'One row per model that was evaluated.';

CREATE TABLE main.model_alias (
    model_id INTEGER NOT NULL,
    alias VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.model_alias IS 'Other names of a model in files and on the command line.';

CREATE TABLE main.model_fact (
    model_id INTEGER NOT NULL,
    family VARCHAR,
    vision_backbone VARCHAR,
    language_backbone VARCHAR,
    parameters_billion DOUBLE,
    access VARCHAR,
    released_on DATE,
    kind VARCHAR,
    capability_level VARCHAR,
    source_id INTEGER NOT NULL,
    superseded_by INTEGER
);
COMMENT ON TABLE main.model_fact IS 'Optional facts about a model; the row that nothing supersedes holds.';
COMMENT ON COLUMN main.model_fact.access IS 'open or proprietary.';
COMMENT ON COLUMN main.model_fact.kind IS 'Such as LLM, ImageLLM, VideoLLM.';
COMMENT ON COLUMN main.model_fact.capability_level IS 'The level the model reaches (SEED-Bench-2: L1, L2 or L3).';

CREATE TABLE main.run (
    run_id INTEGER NOT NULL,
    model_id INTEGER NOT NULL,
    dataset_id INTEGER NOT NULL,
    label VARCHAR NOT NULL,
    harness VARCHAR NOT NULL,
    method VARCHAR NOT NULL,
    reduction VARCHAR,
    scored VARCHAR,
    produced_at TIMESTAMP,
    source_id INTEGER NOT NULL,
    superseded_by INTEGER,
    retracted_at TIMESTAMP
);
COMMENT ON TABLE main.run IS
    'One row per model, dataset and label. A run with superseded_by or retracted_at is out of '
    'every view.';
COMMENT ON COLUMN main.run.method IS 'generation (text to be matched), loglik, perplexity (lower is better) or clip.';
COMMENT ON COLUMN main.run.reduction IS 'loglik: sum or mean over tokens.';
COMMENT ON COLUMN main.run.scored IS 'loglik: content or letter of the choice.';
COMMENT ON COLUMN main.run.produced_at IS 'When the harness says that it ran, UTC.';

CREATE TABLE main.run_sample (
    run_id INTEGER NOT NULL,
    sample SMALLINT NOT NULL
);
COMMENT ON TABLE main.run_sample IS 'How often a run put each question to the model: one row per sample.';

CREATE TABLE main.run_event (
    run_id INTEGER NOT NULL,
    event VARCHAR NOT NULL,
    before VARCHAR,
    after VARCHAR,
    happened_at TIMESTAMP NOT NULL
);
COMMENT ON TABLE main.run_event IS 'What was mended by hand: rename_run, rename_model, retract.';

CREATE TABLE main.prediction (
    run_id INTEGER NOT NULL,
    question_id INTEGER NOT NULL,
    pass SMALLINT NOT NULL,
    sample SMALLINT NOT NULL,
    text VARCHAR,
    failed BOOLEAN NOT NULL
);
COMMENT ON TABLE main.prediction IS
    'Every answer is a row: the model''s raw output, verbatim. NULL text: the file has the row and '
    'an empty cell.';
COMMENT ON COLUMN main.prediction.failed IS 'The harness recorded that inference failed.';

CREATE TABLE main.choice_score (
    run_id INTEGER NOT NULL,
    question_id INTEGER NOT NULL,
    pass SMALLINT NOT NULL,
    sample SMALLINT NOT NULL,
    component VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    score DOUBLE NOT NULL,
    n_tokens INTEGER,
    scorer VARCHAR
);
COMMENT ON TABLE main.choice_score IS 'Scores of the single choices: log-likelihoods, perplexities or similarities.';
COMMENT ON COLUMN main.choice_score.scorer IS 'The model that gave the score where it is not the run''s own (CLIP).';

CREATE TABLE main.judge (
    judge_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    task VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    model VARCHAR,
    endpoint VARCHAR,
    template VARCHAR,
    template_sha256 VARCHAR,
    sampling VARCHAR,
    retry_schedule VARCHAR,
    max_attempts SMALLINT NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.judge IS
    'One row per judge: model, endpoint kind, template, sampling parameters and retry schedule '
    'under one unique name.';
COMMENT ON COLUMN main.judge.task IS 'choice_extraction, soft_score or mark.';
COMMENT ON COLUMN main.judge.kind IS 'llm, human, import or keyword.';
COMMENT ON COLUMN main.judge.max_attempts IS
    'Attempts of the schedule: after so many without a usable verdict the fallback holds.';

CREATE TABLE main.judgment (
    judgment_id BIGINT NOT NULL,
    judge_id INTEGER NOT NULL,
    subject_hash VARCHAR NOT NULL,
    labels VARCHAR[],
    judge_sample SMALLINT NOT NULL,
    attempt SMALLINT NOT NULL,
    run_id INTEGER,
    prompt VARCHAR,
    reply VARCHAR,
    error VARCHAR,
    finish_reason VARCHAR,
    returned_model VARCHAR,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    cost_usd DOUBLE,
    latency_seconds DOUBLE,
    judged_at TIMESTAMP,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.judgment IS
    'Every judgment is a row: the judge''s raw reply, verbatim. Parsing it is the view verdict.';
COMMENT ON COLUMN main.judgment.subject_hash IS 'What was judged, by content.';
COMMENT ON COLUMN main.judgment.labels IS
    'choice_extraction: the labels that the judge could choose from, X (none of them) included.';
COMMENT ON COLUMN main.judgment.run_id IS 'The run that an imported judgment graded; NULL: shared by all.';
COMMENT ON COLUMN main.judgment.error IS 'Why the call failed; then there is no reply.';

CREATE TABLE main.release (
    name VARCHAR NOT NULL,
    builds_on VARCHAR,
    state VARCHAR NOT NULL,
    is_default BOOLEAN NOT NULL,
    installed_at TIMESTAMP NOT NULL
);
COMMENT ON TABLE main.release IS 'The view releases installed in this file, each in a schema of its name.';

CREATE TABLE main.release_object (
    release VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    origin VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL
);
COMMENT ON TABLE main.release_object IS
    'The views and macros of each release, the release whose file they come from, and that file''s '
    'hash.';
