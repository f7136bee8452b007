"""What the server's host is told."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from weir_server import nginx, plan
from weir_testing.cells import client, experiment


def sysctls(changes: dict[str, Any]) -> list[str]:
    ((program, lines),) = plan.commands(experiment(changes, client()))
    assert program == "sysctl"
    return lines


def test_the_congestion_control_is_the_hosts() -> None:
    lines = sysctls({"server.congestion_control": "illinois"})
    assert "net.ipv4.tcp_congestion_control=illinois" in lines
    assert "net.ipv4.tcp_no_metrics_save=1" in lines


def test_own_sysctls_come_last_and_win() -> None:
    own = {"net.ipv4.tcp_no_metrics_save": "0", "net.core.somaxconn": "99"}
    assert sysctls({"server.sysctls": own})[-2:] == [
        "net.core.somaxconn=99",
        "net.ipv4.tcp_no_metrics_save=0",
    ]


def marking(ecn: bool) -> dict[str, Any]:
    return {"gateway.downlink.queue": {"discipline": "codel", "limit_packets": 67,
                                       "options": {"ecn": ecn}}}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "asks"),
    [
        ({}, False),
        ({"server.congestion_control": "dctcp"}, True),
        (marking(True), True),
        (marking(False), False),
    ],
)
def test_clients_ask_for_ecn_where_it_is_needed(changes: dict[str, Any], asks: bool) -> None:
    commands = plan.client_commands(experiment(changes, client()), 1)
    asked = [("sysctl", ["net.ipv4.tcp_ecn=1", "net.ipv4.tcp_ecn_fallback=0"])]
    assert commands == (asked if asks else [])


def test_accurate_ecn_is_asked_of_a_server_that_accepts_it() -> None:
    made = experiment({"server.congestion_control": "prague"}, client())
    asked = [("sysctl", ["net.ipv4.tcp_ecn=3", "net.ipv4.tcp_ecn_fallback=0"])]
    assert plan.client_commands(made, 1) == asked
    assert "net.ipv4.tcp_ecn=3" in sysctls({"server.congestion_control": "prague"})


def sizes(changes: dict[str, Any], **fields: Any) -> list[int]:
    return plan.file_sizes(experiment(changes, client(**fields)))


def test_a_level_is_one_file_of_the_whole_film() -> None:
    film = {"content.segments": 10, "content.bitrates_bps": [248e3, 4256e3]}
    assert sizes(film) == [10 * 62_000, 10 * 1_064_000]


def test_an_endless_film_lasts_beyond_the_fullest_buffer() -> None:
    (size,) = sizes({"content.bitrates_bps": [8.0]}, buffer_s=31.0)
    assert size >= (20 + 31) / 2 * 2


def test_segments_of_given_sizes_add_up() -> None:
    table = [[100, 200, 300], [1000, 2000, 3000]]
    assert sizes({"content.sizes_bytes": table, "content.segments": 3}) == [600, 6000]


def test_the_role_gets_the_server_asked_for() -> None:
    asked = {"server.http": "apache", "server.http_version": "2"}
    args = plan.role(experiment(asked, client()), 5.0)["args"]
    assert (args["http"], args["http_version"]) == ("apache", "2")


@pytest.mark.parametrize(
    ("version", "directives"),
    [
        ((1, 22, 1), "listen 80 http2;"),  # Debian 12
        ((1, 25, 0), "listen 80 http2;"),
        ((1, 25, 1), "listen 80; http2 on;"),
        ((1, 26, 3), "listen 80; http2 on;"),  # Debian 13
    ],
)
def test_each_nginx_is_told_of_http2_in_its_own_words(
    version: tuple[int, ...], directives: str
) -> None:
    assert nginx.http2(version) == directives


def test_the_version_is_that_of_the_nginx_installed() -> None:
    said = subprocess.run([nginx.PROGRAM, "-v"], capture_output=True, text=True, check=True).stderr
    assert said.strip().endswith(".".join(map(str, nginx.version())))


@pytest.mark.parametrize(
    ("changes", "plain"),
    [
        ({}, True),
        ({"server": {"congestion_control": "dctcp"}}, False),
        ({"server": {"congestion_control": "one_of_a_campaigns_own"}}, False),
        ({"server": {"sysctls": {"net.ipv4.tcp_wmem": "4096 65536 65536"}}}, False),
        ({"clients": [{"transport": "mptcp"}]}, False),
        ({"kernel": {"config": {"NET_SCH_PIE": "y"}}}, False),
    ],
)
def test_a_server_is_started_first_where_its_settings_change_no_listening_socket(
    changes: dict[str, Any], plain: bool
) -> None:
    server = {"congestion_control": "cubic", "sysctls": {}, **changes.get("server", {})}
    asked: Any = {"clients": [{}], **changes, "server": server}
    assert plan.starts_plain(asked) == plain
