"""`weir kernel test` with bad input, on a small kernel source: nothing is built for these."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest
from weir_lab.kernel import inputs
from weir_orchestrator.cli import main
from weir_orchestrator.cli.local.kernel_tests_asked import asked_of
from weir_orchestrator.cli.local.kernel_tests_told import say_what_lacks
from weir_orchestrator.cli.local.kernels import changes_given

SELFTESTS = "tools/testing/selftests/net"
FILES = {
    f"{SELFTESTS}/mptcp/simult_flows.sh": "#!/bin/sh\nno_such_program; mausezahn a b; ls\n",
    f"{SELFTESTS}/packetdrill/ksft_runner.sh": '[ipv4]="--ip_version=ipv4"\n',
    f"{SELFTESTS}/packetdrill/config": "CONFIG_TUN=y\n",
    f"{SELFTESTS}/packetdrill/tcp_a.pkt": "0 `ethtool -k tun0`\n",
}


@pytest.fixture(autouse=True)
def _source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache has one kernel source, and nothing that is built of it."""
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        path = tmp_path / "linux-source-9.9" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    kept = tmp_path / "cache" / "sources"
    kept.mkdir(parents=True)
    archive = kept / "linux-source-9.9.tar.xz"
    with tarfile.open(archive, "w:xz") as packed:
        packed.add(tmp_path / "linux-source-9.9", "linux-source-9.9")
    note = {"archive": archive.name, "sha256": inputs.file_hash(archive), "of_lab": True}
    archive.with_name(f"{archive.name}.json").write_text(json.dumps(note))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([], "--packetdrill, --kselftest: neither is given — allowed: either, or both"),
        (["--kselftest", "net/mptcp/simult_flow.sh"], "near ones: net/mptcp/simult_flows.sh"),
        (
            ["--kselftest", "net/mptcp/simult_flows.sh", "--only", "tcp_*"],
            "--only: tcp_* — allowed: with --packetdrill",
        ),
        (["--packetdrill", "p", "--only", "udp_*"], "no case is called so; one is tcp_a/ipv4"),
        (["--kselftest", "net/x.sh", "--tap", "none/x.tap"], "--tap: none/x.tap — there is no"),
        (["--kselftest", "net/x.sh", "--expect", "none.txt"], "--expect: none.txt"),
    ],
)
def test_what_is_refused(capsys: pytest.CaptureFixture[str], given: list[str], says: str) -> None:
    assert main(["kernel", "test", *given]) == 2
    assert says in capsys.readouterr().err


def test_programs_that_are_not_installed_are_told_beforehand(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    version = changes_given([], [], None).version
    with asked_of(Path("p"), ["net/mptcp/simult_flows.sh"], [], version) as asked:
        say_what_lacks(asked.calls(), search_path=str(tmp_path))
    assert capsys.readouterr().err.splitlines() == [
        "ethtool: not here, and 1 cases of packetdrill call it: apt-get install ethtool",
        "mausezahn: not here, and net/mptcp/simult_flows.sh names it: apt-get install netsniff-ng",
    ]
