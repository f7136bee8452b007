"""Reports: tables and figures over a campaign, beside a paper's own numbers.

Imports nothing of itself: processes that only want curves do not wait for the statistics.
"""
