"""A schedule's newest verdict as a picture for pages elsewhere."""
