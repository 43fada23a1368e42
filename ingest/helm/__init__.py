"""HELM's run folders."""
