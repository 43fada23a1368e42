-- lmms-eval's submissions of MMBench.

-- name: show_rows
CREATE OR REPLACE TEMP VIEW raw AS
SELECT rowid + 1 AS __row, {cells}
FROM temp.raw_table
WHERE coalesce({some}) IS NOT NULL
