"""From staged rows to facts: whose they are, what is new, what contradicts what is known."""
