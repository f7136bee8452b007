"""Seeing sessions come and go from the packets that cross the gateway. Guest side."""

from __future__ import annotations

import ctypes
import socket
import struct

SERVER_PORT = 80
SO_ATTACH_FILTER = 26
SOL_PACKET = 263
PACKET_IGNORE_OUTGOING = 23
ETH_P_IP = 0x0800
FIN, SYN, RST = 1, 2, 4

# Classic BPF on the IP header: TCP to the server's port with SYN, FIN or RST, no fragment.
# (code, jump if true, jump if false, k); see the kernel's networking/filter documentation.
FILTER = (
    (0x30, 0, 0, 9),  # A = protocol
    (0x15, 0, 6, 6),  # TCP, else drop
    (0xB1, 0, 0, 0),  # X = length of the IP header
    (0x48, 0, 0, 2),  # A = destination port
    (0x15, 0, 3, SERVER_PORT),
    (0x50, 0, 0, 13),  # A = flags
    (0x45, 0, 1, FIN | SYN | RST),
    (0x06, 0, 0, 64),  # keep 64 bytes
    (0x06, 0, 0, 0),  # drop
)


def listen(device: str) -> socket.socket:
    """A packet socket that yields only what opens or closes a session at `device`."""
    sniffer = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, 0)
    program = b"".join(struct.pack("HBBI", *step) for step in FILTER)
    steps = ctypes.create_string_buffer(program)
    head = struct.pack("HP", len(FILTER), ctypes.addressof(steps))
    sniffer.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, head)
    sniffer.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    sniffer.bind((device, ETH_P_IP))
    return sniffer


def read(packet: bytes) -> tuple[str, int, bool]:
    """(client address, client port, whether it opens a session) of a packet from `listen`."""
    header = (packet[0] & 15) * 4
    (port,) = struct.unpack_from("!H", packet, header)
    return socket.inet_ntoa(packet[12:16]), port, bool(packet[header + 13] & SYN)
