"""Every Eval Ever's records: aggregates and instances."""
