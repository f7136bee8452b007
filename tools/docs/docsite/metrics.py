"""Every metric, from the modules that compute them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import weir.metrics
from weir.metrics import CATALOG, PARTS, MetricInfo

from docsite.schema import cell

__all__ = ["page"]

_INTRODUCTION = """# Metrics

Names as they stand in `metrics.json`, in exports and in the API. What papers leave open, and how it
is decided here: [definitions](../metrics.md).

"""
_HEAD = (
    "| name | unit | better | title, computed in | formula | source |\n|---|---|---|---|---|---|\n"
)


def page() -> str:
    """A table for each scope."""
    modules = dict(_modules())
    text = _INTRODUCTION
    for scope, title in (
        ("client", "Per client"),
        ("run", "Per run"),
        ("path", "Per path, where paths are named"),
        ("upstream", "Per second bottleneck, where there is one"),
        ("traffic", "Per flow of other traffic"),
    ):
        every = (*CATALOG.values(), *PARTS)
        rows = (_row(info, modules) for info in every if info.scope == scope)
        text += f"## {title}\n\n{_HEAD}{''.join(rows)}\n"
    return text


def _row(info: MetricInfo, modules: dict[MetricInfo, str]) -> str:
    module = f"../../core/weir/metrics/{modules[info]}"
    return (
        f'| <a id="{info.scope}-{info.name}"></a>`{info.name}` '
        f"| {info.unit} | {info.better or ''} | [{cell(info.title)}]({module}) "
        f"| {cell(info.formula)} | {cell(info.source)} |\n"
    )


def _modules() -> Iterator[tuple[MetricInfo, str]]:
    """Metric -> file that computes it."""
    for found in pkgutil.iter_modules(weir.metrics.__path__):
        module = importlib.import_module(f"weir.metrics.{found.name}")
        for info in (*getattr(module, "INFO", ()), *getattr(module, "EACH", ())):
            yield info, f"{found.name}.py"
