"""The file a player leaves: one row of raw doubles per segment request.

A row that was not played out counts too: its `status` says what happened (see COLUMNS).
"""

from __future__ import annotations

import os
from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import IO, Any

    import numpy as np
    import numpy.typing as npt

# (name, numpy type). Times are seconds since the experiment's start, rates are bit/s.
COLUMNS = (
    ("segment", "int32"),  # 0-based
    ("level", "int16"),  # 0 is the lowest rate of the ladder
    ("bitrate_bps", "float64"),  # of the level
    ("size_bytes", "int64"),  # body bytes received; of a row with status 0, at least so many
    ("request_s", "float64"),
    ("first_byte_s", "float64"),  # of the response, header included; nan: none came
    ("last_byte_s", "float64"),  # or the time at which the download ended without one
    ("buffer_before_s", "float64"),  # at request_s
    ("buffer_after_s", "float64"),  # at last_byte_s, this segment included
    ("stall_s", "float64"),  # since the row before; the wait for the start is no stall
    ("raw_bps", "float64"),  # size_bytes * 8 / (last_byte_s - request_s)
    ("estimate_bps", "float64"),  # the ABR's, when it chose this segment; nan: none yet
    ("connection", "int32"),  # local TCP port
    ("status", "int16"),  # HTTP status; 206: the whole segment came; 0: it broke off
)
WIDTH = len(COLUMNS)


class Growing(list[tuple[float, ...]]):
    """Rows that stand in the file `fd` as soon as they are appended, for others to draw.

    A lab kernel passes the write on to its host at once, and on the virtual clock it takes no time.
    What cannot be written now is missed by nobody but them: all rows are written at the end.
    """

    def __init__(self, fd: int) -> None:
        super().__init__()
        self._fd, self._process = fd, os.getpid()

    def append(self, row: tuple[float, ...]) -> None:
        """Add a row."""
        super().append(row)
        if os.getpid() != self._process:
            return  # forked by a user's ABR
        try:  # noqa: SIM105 (contextlib costs imports in the guest)
            os.write(self._fd, array("d", row))
        except OSError:
            pass


def write(file: str | IO[bytes], rows: Iterable[tuple[float, ...]]) -> None:
    """Write rows in the order of COLUMNS as native doubles, row after row."""
    table = array("d")
    for row in rows:
        table.extend(row)
    if isinstance(file, str):
        with open(file, "wb") as opened:  # noqa: PTH123 (pathlib costs imports in the guest)
            table.tofile(opened)
    else:
        table.tofile(file)


def read(path: str | Path | IO[bytes], *, unfinished: bool = False) -> dict[str, npt.NDArray[Any]]:
    """Read a player's file, or one that is open, on the host: a column of shape (rows,) by name.

    Raises ValueError if the file ends in the middle of a row, unless it is said to be unfinished.
    """
    import numpy as np  # noqa: PLC0415 (the guest has no numpy)

    values: npt.NDArray[np.float64] = np.fromfile(path, dtype=np.float64)
    if unfinished:
        values = values[: values.size - values.size % WIDTH]
    if values.size % WIDTH:
        raise ValueError(f"{path}: {values.size} values are no whole rows of {WIDTH} columns")
    return columns(values.reshape(-1, WIDTH))


def columns(table: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[Any]]:
    """A column of shape (rows,) by name, of a table of shape (rows, WIDTH)."""
    return {name: table[:, i].astype(kind) for i, (name, kind) in enumerate(COLUMNS)}
