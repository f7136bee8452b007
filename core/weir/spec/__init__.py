"""Experiments and campaigns as users write them: read, check, resolve."""
