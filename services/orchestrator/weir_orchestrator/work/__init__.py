"""Carrying out the runs of submitted campaigns: claimed, leased, finished, and kept going.

Order in which transactions take locks, so that none waits for another in a circle:
campaign, run, lease. On SQLite a transaction holds the one write lock from its start.
"""
