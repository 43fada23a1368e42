"""Results: what a release computes of each run, stored in tables, and computed in one way."""
