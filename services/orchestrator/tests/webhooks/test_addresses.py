"""Webhooks do not reach what only this platform's network can, however the address is written."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from weir_orchestrator.addresses import check_url
from weir_orchestrator.webhooks.transport import NotDelivered, post
from weir_testing.platform.receiver import Receiver, receiving

INSIDE = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "0",
    "0.0.0.0",
    "10.0.0.7",
    "172.16.3.4",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "localhost",
    "LOCALHOST.",
    "anything.localhost",
]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


def names(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Let any name have one answer after the other; the names that are asked for."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: str, port: int, *arguments: Any, **words: Any) -> Any:
        if not host.endswith(".example"):
            return real(host, port, *arguments, **words)
        if words.get("flags", 0) & socket.AI_NUMERICHOST:
            raise socket.gaierror(socket.EAI_NONAME, "not a number")
        asked.append(host)
        answer = answers[min(len(asked), len(answers)) - 1]
        return [each for one in answer.split() for each in real(one, port, *arguments, **words)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


@pytest.mark.parametrize("host", INSIDE)
def test_inner_addresses_are_refused_at_once_and_when_sent(host: str) -> None:
    url = f"http://{host}:9/hook"
    (problem,) = check_url(url, to_private=False)
    assert (problem.path, problem.value) == ("url", url)
    with pytest.raises(NotDelivered):
        post(url, {}, b"{}", to_private=False)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "example.org/hook",
        "http://",
        "http:///hook",
        "http://user:secret@example.org/",
        "http://127.0.0.1#@example.org/",
        "http://example.org:99999/",
        "http://[::1/",
    ],
)
def test_what_is_no_web_address_is_refused(url: str) -> None:
    assert check_url(url, to_private=False)
    with pytest.raises(NotDelivered):
        post(url, {}, b"{}", to_private=True)


def test_outer_addresses_are_taken() -> None:
    for url in (
        "https://ci.example.org/hook?x=1",
        "http://8.8.8.8:8080/",
        "https://[2606:4700::1]/",
    ):
        assert check_url(url, to_private=False) == []


@pytest.mark.parametrize("answer", ["127.0.0.1", "10.1.2.3", "::1", "93.184.215.14 127.0.0.1"])
def test_names_of_inner_addresses_are_refused(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    names(monkeypatch, answer)
    url = f"http://hooks.example:{receiver.port}/"
    assert check_url(url, to_private=False) == []
    with pytest.raises(NotDelivered, match="private, local or reserved"):
        post(url, {}, b"{}", to_private=False)
    assert receiver.got == []


def test_a_name_is_asked_for_once(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who answers first with a good address and then with another one gains nothing."""
    asked = names(monkeypatch, "127.0.0.1", "192.0.2.1")
    url = f"http://hooks.example:{receiver.port}/"
    assert post(url, {}, b"{}", to_private=True) == 204
    assert asked == ["hooks.example"]
    ((headers, _),) = receiver.got
    assert headers["Host"] == f"hooks.example:{receiver.port}"


def test_redirects_are_not_followed(receiver: Receiver) -> None:
    with receiving() as inner:
        receiver.statuses, receiver.location = [307], inner.url
        assert post(receiver.url, {}, b"{}", to_private=True) == 307
        assert inner.got == []


def test_proxies_of_the_environment_are_not_used(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving() as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        assert post(receiver.url, {}, b"{}", to_private=True) == 204
        assert proxy.got == []


def test_a_receiver_that_drips_is_given_up(receiver: Receiver) -> None:
    receiver.drip_s = 0.05
    with pytest.raises(NotDelivered, match=r"within 0\.5 s"):
        post(receiver.url, {}, b"{}", to_private=True, timeout_s=0.5)
