"""What an outside player is told, and what becomes of what it leaves."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from weir_client import outside, rows
from weir_client.errors import ClientError

COLUMNS = [name for name, _ in rows.COLUMNS]
CLIENT: Any = {
    "player": "outside",
    "options": {"a": 1},
    "buffer_s": 30.0,
    "start_s": 1.0,
    "stop_s": None,
}
CONTEXT: Any = {
    "number": 2,
    "server": "10.0.1.2",
    "port": 80,
    "seed": 7,
    "end_s": 20.0,
    "content": {
        "bitrates_bps": [1e6, 2e6],
        "segment_s": 2.0,
        "segments": None,
        "sizes_bytes": None,
    },
}
HEADER = "segment,level,size_bytes,request_s,first_byte_s,last_byte_s"


def read(folder: Path, text: str, name: str = "rows.csv", **client: Any) -> list[dict[str, float]]:
    (folder / name).write_text(text)
    found = outside.read(folder, CLIENT | client, CONTEXT)
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]


def test_it_is_told_what_to_play_and_when(tmp_path: Path) -> None:
    told = outside.environment(CLIENT, CONTEXT, 1000.5, tmp_path)
    assert told["WEIR_SERVER"] == "http://10.0.1.2:80"
    assert json.loads(Path(told["WEIR_CONTENT"]).read_text()) == CONTEXT["content"]
    assert (told["WEIR_CLIENT"], told["WEIR_SEED"]) == ("2", "7")
    assert (told["WEIR_EPOCH_UNIX_S"], told["WEIR_START_S"]) == ("1000.500000", "1.0")
    assert (told["WEIR_STOP_S"], told["WEIR_DURATION_S"]) == ("20.0", "20.0")
    assert json.loads(told["WEIR_OPTIONS"]) == {"a": 1}
    assert told["WEIR_OUT"] == str(tmp_path)
    stopping = outside.environment(CLIENT | {"stop_s": 5.0}, CONTEXT, 0.0, tmp_path)
    assert stopping["WEIR_STOP_S"] == "5.0"


def test_what_it_does_not_tell_follows_from_the_segments(tmp_path: Path) -> None:
    """Two segments of 2 s: the first plays from 2 s on and is over when the second has come."""
    text = f"{HEADER}\n0,0,250000,1,1.2,2\n1,1,500000,2,2.2,5\n"
    first, second = read(tmp_path, text)
    assert (first["bitrate_bps"], second["bitrate_bps"]) == (1e6, 2e6)
    assert first["raw_bps"] == 2e6
    assert second["raw_bps"] == pytest.approx(4e6 / 3)
    assert (first["buffer_before_s"], first["buffer_after_s"], first["stall_s"]) == (0, 2, 0)
    assert second["stall_s"] == pytest.approx(1.0)
    assert second["buffer_after_s"] == pytest.approx(2.0)
    assert (first["status"], first["connection"]) == (206, 0)
    assert math.isnan(first["estimate_bps"])


def test_a_request_that_broke_off_may_have_had_no_first_byte(tmp_path: Path) -> None:
    text = f"{HEADER},status\n0,0,0,1,,2,0\n"
    (row,) = read(tmp_path, text)
    assert math.isnan(row["first_byte_s"]) and row["last_byte_s"] == 2


def test_what_it_tells_is_kept_and_what_came_after_its_stop_is_not(tmp_path: Path) -> None:
    told = {"segment": 0, "level": 1, "size_bytes": 9, "request_s": 1.5, "first_byte_s": 1.6}
    told |= {"last_byte_s": 2, "buffer_before_s": 3, "buffer_after_s": 4.5, "stall_s": 0.5}
    told |= {"estimate_bps": 3e6, "connection": 4000, "status": 200}
    late = {**told, "segment": 1, "request_s": 6, "first_byte_s": 6, "last_byte_s": 7}
    lines = "\n".join(map(json.dumps, (told, late)))
    (row,) = read(tmp_path, lines, "rows.jsonl", stop_s=5.0)
    assert {name: row[name] for name in told} == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{HEADER}\n0,0,1,1,2\n", "row 1: last_byte_s is missing"),
        (f"{HEADER}\n0,low,1,1,2,3\n", "row 1: level is 'low'; it must be a number"),
        (f"{HEADER}\n0,2,1,1,2,3\n", "level is 2; it must be a whole number from 0 to 1"),
        (f"{HEADER}\n-1,0,1,1,2,3\n", "segment is -1; it must be a whole number from 0 to"),
        (f"{HEADER}\n0,0,1,3,2,4\n", "request_s 3, first_byte_s 2.*must follow each other"),
        (f"{HEADER}\n0,0,1,nan,2,4\n", "request_s is 'nan'; it must be a number"),
        (f"{HEADER}\n0,0,1,1,2,inf\n", "last_byte_s is 'inf'; it must be a number"),
        (f"{HEADER}\n3e9,0,1,1,2,3\n", "segment is 3e.09; it must be a whole number from 0 to"),
        (f"{HEADER},connection\n0,0,1,1,2,3,70000\n", "connection is 70000; it must be a whole"),
        (f"{HEADER}\n0,0,1,2,,4\n", "row 1: first_byte_s is missing; only with status 0"),
        (f"{HEADER}\n0,0,1,3,3,4\n1,0,1,2,3,4\n", "row 2: request_s 2 is before the row above"),
    ],
)
def test_rows_that_cannot_be_are_refused_by_name(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ClientError, match=r"client 2 .outside.: rows.csv.*" + told):
        read(tmp_path, text)


def test_there_must_be_one_file_of_objects(tmp_path: Path) -> None:
    with pytest.raises(ClientError, match="left nothing"):
        outside.read(tmp_path, CLIENT, CONTEXT)
    with pytest.raises(ClientError, match="row 1: must be an object"):
        read(tmp_path, "[1]\n", "rows.jsonl")
    with pytest.raises(ClientError, match="row 1: no JSON"):
        read(tmp_path, "{\n", "rows.jsonl")
    with pytest.raises(ClientError, match=r"rows.csv and rows.jsonl"):
        read(tmp_path, HEADER)


def test_what_is_no_csv_is_told(tmp_path: Path) -> None:
    with pytest.raises(ClientError, match=r"rows.csv: no CSV .field larger than field limit"):
        read(tmp_path, f"{HEADER}\n{'1' * 140_000}\n")
