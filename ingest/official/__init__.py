"""Files of MMBench and SEED-Bench, and the hub's snapshots, read as tables."""
