"""The benchmarks' own files: MMBench, MM-Vet, SEED-Bench, and the hub's snapshots of them."""
