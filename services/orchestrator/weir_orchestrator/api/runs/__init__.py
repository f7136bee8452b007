"""Runs: lists of them, and all about one."""
