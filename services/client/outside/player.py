#!/usr/bin/env python3
"""The smallest outside player: the highest level below the rate of the segment before.

The contract is docs/outside-players.md. Needs the standard library only. Its one option,
`version`, changes nothing but the run's key.
"""

import csv
import http.client
import json
import os
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

COLUMNS = ["segment", "level", "size_bytes", "request_s", "first_byte_s", "last_byte_s"]
COLUMNS += ["connection", "status"]


def main() -> int:
    """Play until the end or until told to stop (SIGTERM); each row is written at once."""
    if unknown := json.loads(os.environ["WEIR_OPTIONS"]).keys() - {"version"}:
        print(f"it has no options {', '.join(sorted(unknown))}", file=sys.stderr)
        return 127
    content = json.loads(Path(os.environ["WEIR_CONTENT"]).read_text())
    epoch_s = float(os.environ["WEIR_EPOCH_UNIX_S"])
    stop_s, buffer_s = float(os.environ["WEIR_STOP_S"]), float(os.environ["WEIR_BUFFER_S"])
    segment_s, rates_bps = content["segment_s"], content["bitrates_bps"]
    server = http.client.HTTPConnection(urlsplit(os.environ["WEIR_SERVER"]).netloc)

    def now() -> float:
        return time.time() - epoch_s

    start_s = float(os.environ["WEIR_START_S"])
    time.sleep(max(0.0, start_s - now()))
    offsets = [0] * len(rates_bps)
    level = segment = 0
    with (Path(os.environ["WEIR_OUT"]) / "rows.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        while now() < stop_s and segment != content["segments"]:
            sizes = [_size(content, each, segment) for each in range(len(rates_bps))]
            first, last = offsets[level], offsets[level] + sizes[level] - 1
            request_s = now()
            server.request("GET", f"/level-{level}", headers={"Range": f"bytes={first}-{last}"})
            port = server.sock.getsockname()[1]
            answer = server.getresponse()
            first_byte_s = now()
            size = len(answer.read())
            last_byte_s = now()
            times = [f"{at:.6f}" for at in (request_s, first_byte_s, last_byte_s)]
            rows.writerow([segment, level, size, *times, port, answer.status])
            file.flush()
            offsets = [at + more for at, more in zip(offsets, sizes, strict=True)]
            segment += 1
            rate_bps = size * 8 / (last_byte_s - request_s)
            level = max([i for i, each in enumerate(rates_bps) if each < rate_bps], default=0)
            ahead_s = segment * segment_s - (now() - start_s)
            time.sleep(max(0.0, ahead_s + segment_s - buffer_s))
    return 0


def _size(content: dict[str, Any], level: int, segment: int) -> int:
    if content["sizes_bytes"]:
        return int(content["sizes_bytes"][level][segment])
    return round(float(content["bitrates_bps"][level] * content["segment_s"]) / 8)


if __name__ == "__main__":
    sys.exit(main())
