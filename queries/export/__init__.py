"""What is in the warehouse as files of others: submissions, prediction files, leaderboard bundles.

`chosen.py` finds the run and reads what its file's cells are made of, `table.py` writes them.
MM-Vet's official files are in `queries/mmvet_export.py`.
"""
