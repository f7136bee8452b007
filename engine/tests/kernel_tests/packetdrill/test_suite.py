"""A kernel source's packetdrill suite: which cases it has, and what packetdrill is told."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from weir.errors import WeirError
from weir_engine.kernel_tests.packetdrill import Suite, make_tools, open_suite
from weir_engine.kernel_tests.source import unpacked

RUNNER = """\
declare -A ip_args=(
\t[ipv4]="--ip_version=ipv4
\t\t--local_ip=192.168.0.1
\t\t-D CMSG_LEVEL_IP=SOL_IP"
\t[ipv6]="--ip_version=ipv6
\t\t--mtu=1520"
)
for ip_version in $ip_versions; do
\tpacketdrill ${ip_args[$ip_version]} $script || echo $ip_version
done
"""
FILES = {
    "ksft_runner.sh": RUNNER,
    "config": "CONFIG_HZ=1000\nCONFIG_IPV6=y\n# CONFIG_NO is not set\nCONFIG_TUN=y\n",
    "tcp_b.pkt": "// both\n",
    "tcp_a.pkt": "--ip_version=ipv6\n0 socket(...) = 3\n",
}


def source(folder: Path, where: str) -> Path:
    """A kernel's source archive with that suite alone."""
    inner = folder / "linux-source-9.9" / where
    inner.mkdir(parents=True)
    for name, text in FILES.items():
        (inner / name).write_text(text)
    archive = folder / "linux.tar.xz"
    with tarfile.open(archive, "w:xz") as packed:
        packed.add(folder / "linux-source-9.9", "linux-source-9.9")
    return archive


def opened(folder: Path, where: str = "tools/testing/selftests/net/packetdrill") -> Suite:
    with unpacked(source(folder, where), folder / "unpacked") as there:
        return open_suite(there)


def test_cases_are_called_as_the_suites_own_runner_does(tmp_path: Path) -> None:
    suite = opened(tmp_path)
    assert suite.config == {"IPV6": "y", "TUN": "y"}
    assert [case.name for case in suite.cases] == ["tcp_a/ipv6", "tcp_b/ipv4", "tcp_b/ipv6"]
    first, second, _ = suite.cases
    assert first.command[1:] == ("--ip_version=ipv6", "--mtu=1520", "tcp_a.pkt")
    assert second.command[-3:] == ("-D", "CMSG_LEVEL_IP=SOL_IP", "tcp_b.pkt")


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        ([], ["tcp_a/ipv6", "tcp_b/ipv4", "tcp_b/ipv6"]),
        (["tcp_b"], ["tcp_b/ipv4", "tcp_b/ipv6"]),
        (["*/ipv4", "tcp_a*"], ["tcp_a/ipv6", "tcp_b/ipv4"]),
        (["udp_*"], []),
    ],
)
def test_some_are_chosen_by_name(tmp_path: Path, patterns: list[str], names: list[str]) -> None:
    suite = opened(tmp_path)
    assert [case.name for case in suite.named(patterns)] == names


def test_a_source_without_the_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match=r"since 6\.12; use a newer source"):
        opened(tmp_path, "tools/testing/selftests/net")


def test_what_is_no_packetdrill_is_refused(tmp_path: Path) -> None:
    suite = opened(tmp_path)
    (tmp_path / "tools").mkdir()
    for given in (tmp_path / "nothing", suite.folder, tmp_path / "linux.tar.xz"):
        with pytest.raises(WeirError, match=r"--packetdrill: .*google/packetdrill"):
            make_tools(given, suite, tmp_path / "tools")
