"""Results that are kept beside the views: faster, and never another answer than the views'."""
