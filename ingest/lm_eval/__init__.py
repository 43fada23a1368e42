"""lm-evaluation-harness's samples."""
