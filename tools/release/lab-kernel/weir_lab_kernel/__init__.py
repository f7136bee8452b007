"""A lab kernel for Weir, ready made; where it came from stands in SOURCE.md and built_from.json.

Nothing imports this: Weir reads the files beside it (`weir_engine.ready_made`).
"""
