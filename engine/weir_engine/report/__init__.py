"""Reports: tables and figures over a campaign, beside a paper's own numbers."""

from weir_engine.report.build import Cell, Combination, Report, build

__all__ = ["Cell", "Combination", "Report", "build"]
