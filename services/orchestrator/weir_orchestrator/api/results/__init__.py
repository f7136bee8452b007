"""Results: numbers over many runs of a campaign, and comparisons of two."""
