"""Scores of choices by models on this machine: log-likelihoods and image similarities."""
