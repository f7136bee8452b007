"""Workers: runs are claimed, leased, carried out and finished. What they lock: see `lifecycle`."""
