"""Reports: tables and figures over a campaign, beside a paper's own numbers."""

from weir_engine.report.build import Combination, Mean, Report, build

__all__ = ["Combination", "Mean", "Report", "build"]
