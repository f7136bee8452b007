"""One POST to a checked address: no redirects, no proxy, nothing read but the answer's head."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable
from typing import Any, Final

import httpcore2
import httpx2

from weir_orchestrator.addresses import Refused, check_url, resolve

__all__ = ["TIMEOUT_S", "NotDelivered", "post"]

TIMEOUT_S: Final = 10.0
"""For a whole try, from asking for the name to the answer's status."""


class NotDelivered(Exception):
    """No answer; the message says why."""


def post(
    url: str,
    headers: dict[str, str],
    body: bytes,
    *,
    to_private: bool,
    timeout_s: float = TIMEOUT_S,
) -> int:
    """The answer's status. Raises NotDelivered."""
    if problems := check_url(url, to_private=to_private):
        raise NotDelivered(str(problems[0]))
    parsed = httpx2.URL(url)
    target = httpcore2.URL(
        scheme=parsed.raw_scheme, host=parsed.raw_host, port=parsed.port, target=parsed.raw_path
    )
    backend = _Checked(time.monotonic() + timeout_s, to_private=to_private)
    try:
        with (
            httpcore2.ConnectionPool(network_backend=backend) as pool,
            pool.stream("POST", target, headers=list(headers.items()), content=body) as answer,
        ):
            return answer.status
    except Refused as refused:
        raise NotDelivered(str(refused)) from refused
    except httpcore2.TimeoutException as error:
        raise NotDelivered(f"no answer within {timeout_s:g} s") from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError, OSError, UnicodeError) as error:
        raise NotDelivered(f"{type(error).__name__}: {error}"[:500]) from error


class _Checked(httpcore2.NetworkBackend):
    """Connects to the very address that was checked: a name is asked for once only.

    TLS still checks the certificate against the name.
    """

    def __init__(self, end: float, *, to_private: bool) -> None:
        self._end = end
        self._to_private = to_private
        self._network = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        addresses = resolve(host, port, to_private=self._to_private)
        for address in addresses:
            try:
                stream = self._network.connect_tcp(address, port, _left(self._end))
            except httpcore2.ConnectError:
                if address == addresses[-1]:
                    raise
                continue
            return _Timed(stream, self._end)
        raise httpcore2.ConnectError(f"{host} has no address")


class _Timed(httpcore2.NetworkStream):
    """A stream whose operations together end by a time."""

    def __init__(self, stream: httpcore2.NetworkStream, end: float) -> None:
        self._stream = stream
        self._end = end

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(self._end))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(self._end))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, _left(self._end))
        return _Timed(secured, self._end)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout
    return left
