"""What is in the warehouse as files of others: submissions, prediction files, leaderboard bundles.

`chosen.py` finds the run, `cells.py` reads what its file's cells are made of, `table.py` writes
them (`workbook.py` as xlsx); each form has its own module. MM-Vet's official files are in
`queries/mmvet_export.py`.
"""
