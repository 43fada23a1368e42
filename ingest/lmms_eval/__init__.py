"""lmms-eval's samples and submissions."""
