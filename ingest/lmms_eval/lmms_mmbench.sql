-- MMBench in lmms-eval's files.

-- name: show_rows
CREATE OR REPLACE TEMP VIEW raw AS
SELECT rowid + 1 AS __row, {cells}
FROM temp.raw_table
WHERE coalesce({some}) IS NOT NULL
