"""VLMEvalKit's files: predictions, `_result` files, judge pickles, MM-Vet's score files."""
