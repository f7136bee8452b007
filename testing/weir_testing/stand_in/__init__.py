"""Programs with a cell that is none: real run data without a kernel, and every way to go wrong."""
