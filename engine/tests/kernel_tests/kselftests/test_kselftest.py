"""Which kselftests a source has, and what each asks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir_engine.errors import BadInput
from weir_engine.kernel_tests.kselftests import Kselftest, chosen
from weir_engine.kernel_tests.kselftests.programs import called
from weir_engine.kernel_tests.source import SELFTESTS

FILES = {
    "net/mptcp/simult_flows.sh": '#!/bin/bash\n. "$(dirname "$0")/mptcp_lib.sh"\n./mptcp_connect\n',
    "net/mptcp/mptcp_lib.sh": "# needs ./unused\nip netns exec ns ./pm_nl_ctl add\n",
    "net/mptcp/mptcp_connect.c": "",
    "net/mptcp/pm_nl_ctl.c": "",
    "net/mptcp/unused.c": "",
    "net/mptcp/config": 'CONFIG_MPTCP=y\nCONFIG_NET_SCH_NETEM=m\n# CONFIG_NO=y\nCONFIG_S="a b"\n',
    "net/mptcp/settings": "timeout=1800\n",
    "net/tap.sh": "#!/bin/sh\n# by tcpdump\nip link add type tun; tcp_inq; jq .\n",
    "net/tap.c": "",
    "net/tun.c": "",
    "net/tcp_inq.c": "",
    "net/nettest.c": "",
    "net/fcnal.sh": '#!/bin/sh\ncheck_gen_prog "nettest"\n',
    "net/README": "no test",
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / SELFTESTS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if path.suffix == ".sh" else 0o644)
    return tmp_path


def one(source: Path, name: str) -> Kselftest:
    (test,) = chosen(source, [name])
    return test


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("net/mptcp/simult_flow.sh", "net/mptcp/simult_flows.sh"),
        ("simult_flows.sh", "net/mptcp/simult_flows.sh"),
        ("net/tcp_inq.c", "net/tcp_inq"),
        ("net/README", "none"),
        ("../../../etc/passwd", "none"),
        ("", "none"),
    ],
)
def test_one_that_is_not_there_is_refused_with_near_ones(
    source: Path, asked: str, near: str
) -> None:
    with pytest.raises(BadInput, match=f"^--kselftest: {asked} — allowed: .*near ones: .*{near}"):
        chosen(source, [asked])


def test_names_are_below_the_selftests_each_once(source: Path) -> None:
    asked = ["net/tap.sh", f"{SELFTESTS}/net/tcp_inq", "net/tap.sh"]
    assert [test.name for test in chosen(source, asked)] == ["net/tap.sh", "net/tcp_inq"]


def test_its_folder_says_which_options_it_needs_and_how_long_it_may_take(source: Path) -> None:
    test = one(source, "net/mptcp/simult_flows.sh")
    assert test.config == {"MPTCP": "y", "NET_SCH_NETEM": "y", "S": "a b"}
    assert (test.case.command, test.case.at) == (("./simult_flows.sh",), "selftests/net/mptcp")
    assert test.case.limit_s == 1800
    elsewhere = one(source, "net/tap.sh")
    assert elsewhere.config == {}
    assert elsewhere.case.limit_s == 45


@pytest.mark.parametrize(
    ("name", "programs"),
    [
        ("net/mptcp/simult_flows.sh", {"mptcp_connect", "pm_nl_ctl"}),
        ("net/tap.sh", {"tcp_inq"}),
        ("net/fcnal.sh", {"nettest"}),
        ("net/tun", {"tun"}),
    ],
)
def test_what_a_script_or_what_it_sources_calls_is_compiled(
    source: Path, name: str, programs: set[str]
) -> None:
    assert called(one(source, name)) == programs


def test_what_a_script_names_of_the_machines_programs_is_told(source: Path) -> None:
    assert one(source, "net/tap.sh").calls() == {"jq": "jq"}
    assert one(source, "net/tap").calls() == {}
