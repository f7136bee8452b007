"""Programs that a lab kernel starts as its first process, for tests that need no whole cell."""
