"""Films and traces from files, through the command: what is refused, what a run tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from weir_testing.command import campaign, finished, weir

LADDER = {"ladder": ["248kbit/s", "928kbit/s"], "segment": "2s"}
SABRE = {
    "segment_duration_ms": 2000,
    "bitrates_kbps": [248, 928],
    "segment_sizes_bits": [[496_000, 1_856_000], [496_000]],
}
FILES = {
    "three-levels.csv": "62000,232000,300000\n",
    "missing.csv": "62000,232000\n62000,\n",
    "missing.json": json.dumps(SABRE),
    "dead.trace": "0 0\n5 0\n20 0\n",
    "late.trace": "0 0\n15 0\n20 3\n",
    "short.trace": "0 4\n2 1\n4 2\n",
    "film.csv": "62000,232000\n31000,116000\n93000,348000\n62000,232000\n62000,232000\n",
}
SHORT = {"trace": "short.trace", "format": "pensieve"}
RATE, SIZES = "experiment.gateway.downlink.rate", "experiment.content.sizes"


def asked(folder: Path, sizes: Any = None, rate: Any = "8Mbit/s") -> Path:
    """A campaign of 10 s of film with these files beside it."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    content = LADDER if sizes is None else {**LADDER, "sizes": sizes}
    link = {"rate": rate, "queue": {"limit": "67packets"}}
    gateway = {"downlink": link, "path": {"rtt": {"mean": "100ms"}}}
    return campaign(folder, content=content, gateway=gateway)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"sizes": "three-levels.csv"}, [SIZES, "line 1: 62000,232000,300000", "ladder 2 levels"]),
        ({"sizes": "missing.csv"}, [SIZES, "line 2: 62000,", "level 1 has ''", "mend that line"]),
        ({"sizes": {"sabre": "missing.json"}}, [f"{SIZES}.sabre", "segment 1 has 1 sizes",
                                                "give 2, one per bitrate"]),
        ({"rate": {**SHORT, "trace": "dead.trace"}}, [f"{RATE}.trace", "dead.trace", "zero"]),
        ({"rate": {**SHORT, "trace": "late.trace"}}, [f"{RATE}.trace", "late.trace",
                                                      "zero for the run's 10s", "raise duration"]),
        ({"rate": {**SHORT, "loop": False}}, [f"{RATE}.trace", "short.trace", "it lasts 4s",
                                              "loop to true or lower duration"]),
    ],
    ids=["too many levels", "missing size", "missing size in a manifest", "zero throughout",
         "zero for the whole run", "too short"],
)  # fmt: skip
def test_refused_with_path_value_and_remedy(
    tmp_path: Path, keys: dict[str, Any], words: list[str]
) -> None:
    store = tmp_path / "store"
    done = weir("run", asked(tmp_path, **keys), "--store", store)
    assert done.returncode == 2, done.stderr
    assert [word for word in words if word not in done.stderr] == []
    assert "Traceback" not in done.stderr
    assert not store.exists()


@pytest.mark.kernel
@pytest.mark.usefixtures("kernel")
def test_a_short_trace_starts_over_and_the_run_says_so(tmp_path: Path) -> None:
    store = tmp_path / "store"
    done = weir("run", asked(tmp_path, rate=SHORT), "--replicates", "1", "--store", store)
    assert done.returncode == 0, done.stderr
    assert "of film in" in done.stdout and "of wall time" in done.stdout
    (run,) = finished(store)
    assert json.loads((run / "run.json").read_text())["notes"] == [
        "gateway.downlink.rate: the trace lasts 4 s and the run 10 s; it started over every 4 s"
    ]


@pytest.mark.kernel
@pytest.mark.usefixtures("kernel")
def test_a_run_of_a_film_with_sizes_can_be_run_again(tmp_path: Path) -> None:
    store = tmp_path / "store"
    done = weir("run", asked(tmp_path, "film.csv"), "--replicates", "1", "--store", store)
    assert done.returncode == 0, done.stderr
    (run,) = finished(store)
    sizes = json.loads((run / "run.json").read_text())["experiment"]["content"]["sizes_bytes"]
    assert sizes["file"] == "sizes.parquet"
    assert weir("replay", run).stdout == "same\n"
    (run / "sizes.parquet").unlink()
    again = weir("replay", run)
    assert again.returncode != 0
    assert "sizes.parquet: no such file" in again.stderr
