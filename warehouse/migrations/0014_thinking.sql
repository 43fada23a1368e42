-- Marks of a model's thinking that differ from those that every release knows.

ALTER TABLE main.benchmark ADD COLUMN thinking VARCHAR;
COMMENT ON COLUMN main.benchmark.thinking IS
    'How answers mark a model''s thinking: OPEN ... CLOSE, such as <reason> ... </reason> (OPEN '
    'may be missing), next to the marks that a release knows; none: they are read whole. NULL: the '
    'marks that a release knows.';

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
