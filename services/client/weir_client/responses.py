"""Role: one end of a flow of requests and responses, which no player asked for. Guest side.

As in `weir_client.traffic` the end at home opens the connection; one end asks, the other responds.
A request begins with the size that is asked for, 8 bytes in network order.
"""

from __future__ import annotations

import _socket  # `socket` imports selectors and enum
import struct
import time

from weir import plain_json
from weir.waking import sleep_until

from weir_client.traffic import CHUNK, bound, controlled, drop, ecn_agreed, opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir.resolved import Traffic

SIZE = struct.Struct("!Q")


def run(
    flow: Traffic,
    drawn: list[tuple[int, float]],
    responds: bool,
    at_home: bool,
    address: str,
    server: str,
    port: int,
    epoch_s: float,
    end_s: float,
    out: str,
) -> None:
    """Ask or respond until the flow's stop; write what came, or what was sent, to `out`.

    drawn: (bytes, s to think afterwards) of each response. address, server: of the end at home, and
    of the other. port: of both.
    """
    own, other = (address, server) if at_home else (server, address)
    sock = bound(_socket.SOCK_STREAM, own, port)
    if not at_home:
        sock.listen(1)
    until_ns = round((epoch_s + min(flow["stop_s"], end_s)) * 1e9)
    sleep_until(round((epoch_s + flow["start_s"]) * 1e9))
    stream = opened(sock, other, port, at_home, until_ns)
    came: list[tuple[int, int, int]] = []
    sent, control, ecn = 0, "", -1
    if stream is not None:
        if responds:
            control = controlled(stream, flow["congestion_control"])
            ecn = ecn_agreed(stream)
            sent = _respond(stream, flow["request_bytes"], until_ns)
        else:
            _ask(stream, drawn, flow["request_bytes"], until_ns, came)
        drop(stream)
    sleep_until(until_ns)
    if responds:
        plain_json.write(out, {"bytes": sent, "congestion_control": control, "ecn": ecn})
    else:
        since_ns = round(epoch_s * 1e9)
        plain_json.write(
            out, [[(asked - since_ns) / 1e9, (last - since_ns) / 1e9, n] for asked, last, n in came]
        )


def _ask(
    stream: _socket.socket,
    drawn: list[tuple[int, float]],
    request_bytes: int,
    until_ns: int,
    came: list[tuple[int, int, int]],
) -> None:
    """Append (asked ns, last byte ns, bytes) to `came` for each response that came whole.

    An OSError is an end: the time is up, or the other end was first to stop.
    """
    sink = bytearray(1 << 18)
    try:
        for size, think_s in drawn:
            asked_ns = time.monotonic_ns()
            if asked_ns >= until_ns:
                break
            stream.settimeout(_left_s(until_ns))
            request = SIZE.pack(size).ljust(request_bytes, b".")
            stream.sendall(request, _socket.MSG_NOSIGNAL)
            got = 0
            while got < size:
                stream.settimeout(_left_s(until_ns))
                wanted = min(len(sink), size - got)
                if not (n := stream.recv_into(sink, wanted, _socket.MSG_TRUNC)):
                    return
                got += n
            last_ns = time.monotonic_ns()
            came.append((asked_ns, last_ns, got))
            sleep_until(min(last_ns + round(think_s * 1e9), until_ns))
    except OSError:
        return


def _respond(stream: _socket.socket, request_bytes: int, until_ns: int) -> int:
    """The bytes that were given to the socket; an OSError ends it as in `_ask`."""
    sent = 0
    try:
        while True:
            request = b""
            while len(request) < request_bytes:
                stream.settimeout(_left_s(until_ns))
                if not (more := stream.recv(request_bytes - len(request))):
                    return sent
                request += more
            (left,) = SIZE.unpack_from(request)
            while left:
                stream.settimeout(_left_s(until_ns))
                n = stream.send(CHUNK[:left], _socket.MSG_NOSIGNAL)
                sent, left = sent + n, left - n
    except OSError:
        return sent


def _left_s(until_ns: int) -> float:
    """Raises TimeoutError when there is none; a timeout of 0 would mean not to wait at all."""
    left_ns = until_ns - time.monotonic_ns()
    if left_ns <= 0:
        raise TimeoutError
    return left_ns / 1e9
