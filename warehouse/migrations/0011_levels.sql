-- Levels that were taken away again.

ALTER TABLE main.ability ADD COLUMN superseded_by INTEGER;
COMMENT ON COLUMN main.ability.superseded_by IS
    'The source since which the benchmark has no such level; NULL: it has. Its questions stay '
    'filed under it.';
