"""Artifacts: the files of a run directory."""
