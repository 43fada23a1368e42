"""LLaVA's and LLaVA-Bench's questions, answers and GPT reviews."""
