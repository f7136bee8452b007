"""What-ifs of a run that was carried out: one thing changed, or the best levels looked for."""
