"""Campaigns that search: which runs come next, and what was found."""
