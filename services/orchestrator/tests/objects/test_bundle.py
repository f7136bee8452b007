"""A bundle is a tar as the standard library writes it."""

from __future__ import annotations

import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from weir_orchestrator.objects import pack, unpack


@pytest.mark.parametrize(
    "sizes",
    [
        {},
        {"run.json": 0},
        {"run.json": 512, "players/client-1.parquet": 513, "log.txt": 10_240},
        {"é.txt": 3, f"{'long/' * 40}name": 7, "x" * 100: 1, "y" * 99: 1},
    ],
)
def test_a_bundle_has_the_bytes_of_the_standard_librarys_tar(
    tmp_path: Path, sizes: dict[str, int]
) -> None:
    contents = {name: bytes([len(name)]) * size for name, size in sizes.items()}
    files = {name: tmp_path / str(number) for number, name in enumerate(contents)}
    for name, path in files.items():
        path.write_bytes(contents[name])
    expected = BytesIO()
    with tarfile.open(fileobj=expected, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, content in sorted(contents.items()):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, BytesIO(content))
    assert pack(files) == expected.getvalue()
    assert unpack(pack(files)) == contents
