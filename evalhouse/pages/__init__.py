"""The warehouse as pages: live in a browser, and as files that open from disk."""
