"""What a guest's programs read of its processors, whatever the host has."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir_testing.cells import client, experiment, kernel
from weir_testing.forks import said_by

pytestmark = pytest.mark.kernel

READ = """
echo BEGIN; getconf _NPROCESSORS_ONLN; getconf _NPROCESSORS_CONF
cat /sys/devices/system/cpu/cpu0/tsc_freq_khz; ls /sys; echo END
"""


def test_it_has_one_processor_and_none_of_the_host_s_files(tmp_path: Path) -> None:
    said = said_by(READ, kernel(), experiment({"duration_s": 1.0}, client()), tmp_path / "run")
    lines = said.replace("\r", "").partition("BEGIN\n")[2].partition("\nEND")[0].splitlines()
    assert lines == ["1", "1", "1000000000000", "devices"]
