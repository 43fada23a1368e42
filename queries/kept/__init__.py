"""Kept results: tables that hold rows of views, always the same as the views compute."""
