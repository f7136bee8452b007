"""Tests on a real cluster: see installed.py."""
