"""SQL releases, leaderboards, export: everything that is computed from the facts."""
