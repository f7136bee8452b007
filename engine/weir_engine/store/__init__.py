"""Where runs are kept. `Store` is a folder; states follow from its directories."""

from weir_engine.store.folder import Store

__all__ = ["Store"]
