"""SQL of the user's own, in a process that cannot write."""
