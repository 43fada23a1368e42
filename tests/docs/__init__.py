"""The pages of the docs and the README: what they say is so."""
