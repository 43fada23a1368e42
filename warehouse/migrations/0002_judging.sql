-- Judges by identity, planned samples, templates verbatim, and where each judgment came from.

CREATE TABLE main.warehouse_identity (
    warehouse_uuid VARCHAR NOT NULL
);
COMMENT ON TABLE main.warehouse_identity IS
    'One row: who pays. A reply in a shared cache that another warehouse paid for is a cache hit '
    'here.';
INSERT INTO main.warehouse_identity SELECT CAST(uuid() AS VARCHAR);

ALTER TABLE main.judge ADD COLUMN fingerprint VARCHAR;
ALTER TABLE main.judge ADD COLUMN retracted_at TIMESTAMP;
COMMENT ON COLUMN main.judge.fingerprint IS
    'sha256 of task, kind, model, endpoint, template, sampling and retry schedule: equal judges, '
    'equal fingerprint.';
COMMENT ON COLUMN main.judge.retracted_at IS 'Since when the judge is out of every view; NULL: it is not.';
COMMENT ON COLUMN main.judge.endpoint IS 'How it is reached: chat_completions or transformers. Never an address.';
COMMENT ON COLUMN main.judge.template IS
    'Name and version of the prompt template; unknown for imports that do not say.';

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

ALTER TABLE main.judgment ADD COLUMN request_key VARCHAR;
ALTER TABLE main.judgment ADD COLUMN origin VARCHAR;
ALTER TABLE main.judgment ADD COLUMN refusal VARCHAR;
ALTER TABLE main.judgment ADD COLUMN asked_run_id INTEGER;
ALTER TABLE main.judgment ADD COLUMN log VARCHAR;
UPDATE main.judgment SET origin = 'import';
COMMENT ON COLUMN main.judgment.prompt IS
    'What was said to the judge about this subject; the rest of the prompt is the template''s.';
COMMENT ON COLUMN main.judgment.request_key IS
    'The hash of the whole request, which is its key in the cache; NULL: it was no request of '
    'ours.';
COMMENT ON COLUMN main.judgment.origin IS
    'call (paid by this warehouse), batch (the same at half the price), cache (paid by another '
    'warehouse), local (this machine), import or human.';
COMMENT ON COLUMN main.judgment.refusal IS 'The refusal that the server sent in place of a reply, verbatim.';
COMMENT ON COLUMN main.judgment.asked_run_id IS 'The run for whose sake the call was made; others share the judgment.';
COMMENT ON COLUMN main.judgment.log IS 'What the imported file says about how the judgment came about, verbatim.';
COMMENT ON COLUMN main.judgment.cost_usd IS 'What the call cost when it was made; NULL: the price is not known.';

COMMENT ON COLUMN main.benchmark.task IS
    'choice: pick one of the labelled choices. open: answer in words, graded against references.';
COMMENT ON COLUMN main.benchmark.strategy IS
    'The strategy of the paper''s own board: circular, vanilla, vanilla_all or graded.';
