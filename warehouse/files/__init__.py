"""What every package needs of files: reading what comes from anywhere, writing whole files, caches."""
