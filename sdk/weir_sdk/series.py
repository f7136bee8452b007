"""Curves of a run as NumPy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx2

from weir_sdk.call import Json
from weir_sdk.models import CurveOut, SeriesOut

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["Curve", "Series", "read_series"]

_READ = Json(SeriesOut)


@dataclass(frozen=True)
class Curve:
    """t_s, values: float64 of one length; shape: line, step (a value holds until the next), marks.

    client: from 1; flow: TCP connection; path: its name, where paths are named. samples: recorded
    ones; more than sent: thinned.
    """

    kind: str
    unit: str
    shape: str
    client: int | None
    flow: int | None
    path: str | None
    t_s: NDArray[np.float64]
    values: NDArray[np.float64]
    labels: list[str]
    samples: int


@dataclass(frozen=True)
class Series:
    """The curves of a window of a run."""

    run_id: int
    duration_s: float
    curves: list[Curve]

    def of(
        self,
        kind: str,
        client: int | None = None,
        flow: int | None = None,
        path: str | None = None,
    ) -> list[Curve]:
        """Curves of a kind, all or of one client, TCP connection or path."""
        return [
            curve
            for curve in self.curves
            if curve.kind == kind
            and (client is None or curve.client == client)
            and (flow is None or curve.flow == flow)
            and (path is None or curve.path == path)
        ]

    def table(self) -> pa.Table:
        """A row per point: kind, unit, client, flow, path, t_s, value."""
        import numpy as np  # noqa: PLC0415 - heavy
        import pyarrow as pa  # noqa: PLC0415

        def repeated(name: str, kind: pa.DataType) -> pa.ChunkedArray:
            parts = [
                pa.repeat(pa.scalar(getattr(curve, name), kind), len(curve.t_s))
                for curve in self.curves
            ]
            return pa.chunked_array(parts, kind)

        def joined(parts: list[NDArray[np.float64]]) -> NDArray[np.float64]:
            return np.concatenate([np.empty(0), *parts])

        return pa.table(
            {
                "kind": repeated("kind", pa.string()),
                "unit": repeated("unit", pa.string()),
                "client": repeated("client", pa.int32()),
                "flow": repeated("flow", pa.int32()),
                "path": repeated("path", pa.string()),
                "t_s": joined([curve.t_s for curve in self.curves]),
                "value": joined([curve.values for curve in self.curves]),
            }
        )


def read_series(response: httpx2.Response) -> Series:
    """An answer of /runs/{run}/series."""
    found = _READ(response)
    return Series(found.run_id, found.duration_s, [_curve(each) for each in found.curves])


def _curve(found: CurveOut) -> Curve:
    import numpy as np  # noqa: PLC0415 - heavy

    return Curve(
        kind=found.kind,
        unit=found.unit,
        shape=found.shape,
        client=found.client,
        flow=found.flow,
        path=found.path,
        t_s=np.asarray(found.t_s, dtype=np.float64),
        values=np.asarray(found.values, dtype=np.float64),
        labels=found.labels,
        samples=found.samples,
    )
