-- The facts of a warehouse. Schema `main` holds what was read from files and nothing that is
-- derived from it: scores live in the views and results of a release (package `queries`).
--
-- Integer keys and no constraints beyond NOT NULL: an index on 220 million predictions would cost
-- more than every load and query together. `evalhouse check` verifies what the engine does not.
-- Tables only grow. The exceptions are flags (superseded_by, retracted_at) and a run's name, which
-- `run_event` keeps the history of.

-- Where facts come from.
CREATE TABLE main.warehouse_identity (
    warehouse_uuid VARCHAR NOT NULL
);
COMMENT ON TABLE main.warehouse_identity IS
    'One row: who pays. A reply in a shared cache that another warehouse paid for is a cache hit '
    'here.';
INSERT INTO main.warehouse_identity SELECT CAST(uuid() AS VARCHAR);

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

-- Benchmarks: what their papers say.
CREATE TABLE main.benchmark (
    benchmark_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    task VARCHAR NOT NULL,
    strategy VARCHAR NOT NULL,
    average VARCHAR NOT NULL,
    source_id INTEGER NOT NULL,
    macro_level VARCHAR,
    thinking VARCHAR
);
COMMENT ON TABLE main.benchmark IS 'One row per benchmark, with the conventions of its paper.';
COMMENT ON COLUMN main.benchmark.task IS
    'choice: pick one of the labelled choices. open: answer in words, graded against references.';
COMMENT ON COLUMN main.benchmark.strategy IS
    'The strategy of the paper''s own board: circular, vanilla, vanilla_all or graded.';
COMMENT ON COLUMN main.benchmark.average IS 'micro (over questions) or macro (over the abilities of the level below).';
COMMENT ON COLUMN main.benchmark.macro_level IS
    'The level whose abilities a macro average is over (SEED-Bench-2: dimension); NULL: the level '
    'below.';
COMMENT ON COLUMN main.benchmark.thinking IS
    'How answers mark a model''s thinking: OPEN ... CLOSE, such as <reason> ... </reason> (OPEN '
    'may be missing), next to the marks that a release knows; none: they are read whole. NULL: the '
    'marks that a release knows.';

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

CREATE TABLE main.ability (
    ability_id INTEGER NOT NULL,
    benchmark_id INTEGER NOT NULL,
    level VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    abbreviation VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    parent_id INTEGER,
    source_id INTEGER NOT NULL,
    superseded_by INTEGER
);
COMMENT ON TABLE main.ability IS
    'The ability taxonomy of a benchmark: a tree of at most four levels, with the order in which '
    'the paper prints it.';
COMMENT ON COLUMN main.ability.superseded_by IS
    'The source since which the benchmark has no such level; NULL: it has. Its questions stay '
    'filed under it.';

CREATE TABLE main.ability_spelling (
    ability_id INTEGER NOT NULL,
    spelling VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.ability_spelling IS 'How files write an ability''s name.';

CREATE TABLE main.ability_part (
    ability_id INTEGER NOT NULL,
    part_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.ability_part IS
    'Abilities that are made of others and overlap, so that no tree holds them: SEED-Bench-2''s '
    'level L2 is Part-1 and Part-2, L3 all three parts.';
COMMENT ON COLUMN main.ability_part.part_id IS 'An ability that belongs to it, with everything below that.';

-- Datasets and their questions.
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

CREATE TABLE main.question_component (
    question_id INTEGER NOT NULL,
    component VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.question_component IS
    'What an answer to a question consists of: text and image for SEED-Bench-2''s task 27. No row: '
    'the one component answer.';

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

CREATE TABLE main.dataset_subset (
    subset_id INTEGER NOT NULL,
    dataset_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    source_id INTEGER NOT NULL,
    superseded_by INTEGER
);
COMMENT ON TABLE main.dataset_subset IS 'Named subsets of a dataset.';
COMMENT ON COLUMN main.dataset_subset.superseded_by IS
    'The source whose subset of the same name took its place; NULL: it holds.';

CREATE TABLE main.subset_question (
    subset_id INTEGER NOT NULL,
    question_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.subset_question IS 'The questions of each subset.';

-- Models and their runs.
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

CREATE TABLE main.run_status (
    run_id INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    error VARCHAR
);
COMMENT ON TABLE main.run_status IS 'How a run ended, for harnesses that say so. No row: the file does not say.';
COMMENT ON COLUMN main.run_status.status IS 'The harness''s own word: success, error, cancelled or started (Inspect).';
COMMENT ON COLUMN main.run_status.error IS 'What the harness says went wrong.';

CREATE TABLE main.run_input (
    run_id INTEGER NOT NULL,
    input VARCHAR NOT NULL
);
COMMENT ON TABLE main.run_input IS
    'What a run showed its model, where somebody says so. No row: the question with its image.';
COMMENT ON COLUMN main.run_input.input IS 'image (the question with its image) or text (the question alone).';

CREATE TABLE main.run_thinking (
    run_id INTEGER NOT NULL,
    marks VARCHAR NOT NULL
);
COMMENT ON TABLE main.run_thinking IS
    'How the answers of a run mark a model''s thinking, where somebody says so. No row: as its '
    'benchmark says.';
COMMENT ON COLUMN main.run_thinking.marks IS
    'As main.benchmark.thinking; known: the marks that a release knows, whatever the benchmark '
    'says.';

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

CREATE TABLE main.sample_error (
    run_id INTEGER NOT NULL,
    question_id INTEGER NOT NULL,
    pass SMALLINT NOT NULL,
    sample SMALLINT NOT NULL,
    error VARCHAR NOT NULL
);
COMMENT ON TABLE main.sample_error IS
    'What a harness says went wrong with an answer. Where that left no answer, the prediction is '
    'failed; else what came before the error is its text.';

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

-- Judges and what they said.
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
    source_id INTEGER NOT NULL,
    fingerprint VARCHAR,
    retracted_at TIMESTAMP
);
COMMENT ON TABLE main.judge IS
    'One row per judge: model, endpoint kind, template, sampling parameters and retry schedule '
    'under one unique name.';
COMMENT ON COLUMN main.judge.task IS
    'choice_extraction, soft_score, mark, answer_extraction or equivalence; of imports also '
    'letter_grade (GRADE: C, P or I), pair (two scores in a reply) and points.';
COMMENT ON COLUMN main.judge.kind IS 'llm, human, import, keyword, or program (a library).';
COMMENT ON COLUMN main.judge.endpoint IS 'How it is reached: chat_completions or transformers. Never an address.';
COMMENT ON COLUMN main.judge.template IS
    'Name and version of the prompt template; unknown for imports that do not say.';
COMMENT ON COLUMN main.judge.max_attempts IS
    'Attempts of the schedule: after so many without a usable verdict the fallback holds.';
COMMENT ON COLUMN main.judge.fingerprint IS
    'sha256 of task, kind, model, endpoint, template, sampling and retry schedule: equal judges, '
    'equal fingerprint.';
COMMENT ON COLUMN main.judge.retracted_at IS 'Since when the judge is out of every view; NULL: it is not.';

CREATE TABLE main.judge_sample (
    judge_id INTEGER NOT NULL,
    judge_sample SMALLINT NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.judge_sample IS 'How often each subject is put to a judge: one row per sample that was planned.';

CREATE TABLE main.judge_template (
    template_sha256 VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    task VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    source_id INTEGER NOT NULL
);
COMMENT ON TABLE main.judge_template IS 'The prompt templates that judges used, verbatim.';

CREATE TABLE main.judge_event (
    judge_id INTEGER NOT NULL,
    event VARCHAR NOT NULL,
    before VARCHAR,
    after VARCHAR,
    happened_at TIMESTAMP NOT NULL
);
COMMENT ON TABLE main.judge_event IS 'What was mended by hand: rename, retract.';

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
    source_id INTEGER NOT NULL,
    request_key VARCHAR,
    origin VARCHAR,
    refusal VARCHAR,
    asked_run_id INTEGER,
    log VARCHAR,
    body VARCHAR,
    question_id INTEGER,
    pass SMALLINT,
    sample SMALLINT,
    stated VARCHAR,
    score DOUBLE,
    word VARCHAR
);
COMMENT ON TABLE main.judgment IS
    'Every judgment is a row: the judge''s raw reply, verbatim. Parsing it is the view verdict.';
COMMENT ON COLUMN main.judgment.subject_hash IS 'What was judged, by content.';
COMMENT ON COLUMN main.judgment.labels IS
    'choice_extraction: the labels that the judge could choose from, X (none of them) included.';
COMMENT ON COLUMN main.judgment.run_id IS 'The run that an imported judgment graded; NULL: shared by all.';
COMMENT ON COLUMN main.judgment.prompt IS
    'What was said to the judge about this subject; the rest of the prompt is the template''s.';
COMMENT ON COLUMN main.judgment.error IS
    'Why the call failed; then there is no reply, and the subject is judged again.';
COMMENT ON COLUMN main.judgment.cost_usd IS 'What the call cost when it was made; NULL: the price is not known.';
COMMENT ON COLUMN main.judgment.request_key IS
    'The hash of the whole request, which is its key in the cache; NULL: it was no request of '
    'ours.';
COMMENT ON COLUMN main.judgment.origin IS
    'call (paid by this warehouse), batch (the same at half the price), cache (paid by another '
    'warehouse), local (this machine), import or human.';
COMMENT ON COLUMN main.judgment.refusal IS 'The refusal that the server sent in place of a reply, verbatim.';
COMMENT ON COLUMN main.judgment.asked_run_id IS 'The run for whose sake the call was made; others share the judgment.';
COMMENT ON COLUMN main.judgment.log IS 'What the imported file says about how the judgment came about, verbatim.';
COMMENT ON COLUMN main.judgment.body IS
    'What the server sent, verbatim (a key in it is [key]), where that says more than the other '
    'columns: a failed call''s answer (at most its first 65,536 characters), or a reply in another '
    'shape than a plain chat completion, such as a list of parts. NULL: the other columns say it '
    'all.';
COMMENT ON COLUMN main.judgment.question_id IS
    'With stated: the question of the answer that the verdict is of, in run_id; NULL: the run does '
    'not have that answer (any more).';
COMMENT ON COLUMN main.judgment.pass IS 'With stated: the pass of that answer.';
COMMENT ON COLUMN main.judgment.sample IS 'With stated: the sample of that answer.';
COMMENT ON COLUMN main.judgment.stated IS
    'What the harness kept of a verdict: drawn (it drew a letter at random, as no reply could be '
    'read), word (what it read in the reply, without the reply), hit (whether the answer was '
    'right, and no more). NULL: the judgment is a reply, or a call that failed.';
COMMENT ON COLUMN main.judgment.score IS 'With stated: what the harness scored the answer, from 0 to 1.';
COMMENT ON COLUMN main.judgment.word IS 'With stated = word: the word, verbatim.';

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

-- Figures of others, to compare ours with: no view scores from them.
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

CREATE TABLE main.harness_figure (
    model_id INTEGER NOT NULL,
    benchmark_id INTEGER,
    task VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    judge VARCHAR,
    metric VARCHAR NOT NULL,
    value VARCHAR,
    source_id INTEGER NOT NULL,
    filter VARCHAR,
    reducer VARCHAR
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
COMMENT ON COLUMN main.harness_figure.filter IS
    'What the harness calls the filter that the answers went through; NULL: none, or metric has '
    'it.';
COMMENT ON COLUMN main.harness_figure.reducer IS
    'How the harness made one score of several samples, by its own name; NULL: it does not say.';

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

-- What is installed.
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
