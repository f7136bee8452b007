"""A paper's findings and figures, from the measured runs of one or more campaigns."""

from weir_engine.report.paper.study import Study, study

__all__ = ["Study", "study"]
