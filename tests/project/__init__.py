"""The house itself: rooms, lines, the order of tests, the wheel, the benchmarks of time."""
