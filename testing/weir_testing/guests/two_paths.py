#!/usr/bin/python3
"""First process of a lab kernel: an MPTCP connection over two paths, and how its windows grow.

Kernel arguments: cc=CONTROL rtts=MS,MS windows=SEGMENTS,SEGMENTS [lossy=PATH]: a fifth of what
that path carries in the round trip after the fifth sample is lost. A plain TCP connection over each
path comes first, so that the kernel has metrics of both, whose locked ssthresh then starts every
later connection in congestion avoidance at that window. Prints a line per sample: `sample` and JSON
{"t_s", "paths": {"1" | "2": [cwnd, srtt_ms, ssthresh]}}.
"""

import ctypes
import json
import os
import re
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

NEW_NETWORK = 0x40000000
POWER_OFF = 0x4321FEDC
PORT = 80
SERVER = "10.1.0.1"
SAMPLES, LOSS_AFTER = 10, 4
SYSCTLS = (
    "net.mptcp.enabled=1",
    "net.weir.mptcp_sockets=1",
    "net.ipv4.tcp_no_metrics_save=0",
    "net.ipv4.tcp_no_ssthresh_metrics_save=0",
    "net.ipv4.tcp_wmem=4096 8000000 16000000",
    "net.ipv4.tcp_rmem=4096 8000000 16000000",
)


def sh(command: str) -> str:
    return subprocess.run(command, shell=True, check=True, stdout=subprocess.PIPE, text=True).stdout


def enter(host: str) -> None:
    namespace = os.open(f"/run/netns/{host}", os.O_RDONLY)
    if ctypes.CDLL(None, use_errno=True).setns(namespace, NEW_NETWORK):
        raise OSError(ctypes.get_errno(), f"setns {host}")


def wire(asked: dict[str, str]) -> None:
    sh("ip netns add server; ip netns add client")
    paths = zip(asked["rtts"].split(","), asked["windows"].split(","), strict=True)
    for path, (rtt_ms, window) in enumerate(paths, 1):
        sh(f"ip link add s{path} netns server type veth peer c{path} netns client")
        for host, end in (("server", 1), ("client", 2)):
            device = f"{host[0]}{path}"
            sh(f"ip -n {host} address add 10.{path}.0.{end}/24 dev {device}")
            sh(f"ip -n {host} link set {device} up")
        # On the client's side: a sender's own queue would hold its packets back.
        sh(f"tc -n client qdisc add dev c{path} root netem delay {rtt_ms}ms limit 100000")
        to = f"10.{path}.0.2/32 dev s{path}"
        sh(f"ip -n server route replace {to} initcwnd {window} ssthresh lock {window}")
    sh("ip -n client rule add from 10.2.0.2 table 2")
    sh(f"ip -n client route add {SERVER} via 10.2.0.1 dev c2 table 2")
    for host in ("server", "client"):
        for sysctl in (*SYSCTLS, f"net.ipv4.tcp_congestion_control={asked['cc']}"):
            sh(f"ip netns exec {host} sysctl -q -w '{sysctl}'")
        sh(f"ip -n {host} mptcp limits set subflows 8 add_addr_accepted 8")
    sh("ip -n client mptcp endpoint add 10.2.0.2 dev c2 subflow")


def serve() -> None:
    listener = socket.create_server(("", PORT))
    for _ in range(2):
        warm, _ = listener.accept()
        warm.sendall(bytes(65536))
        warm.close()
    bulk, _ = listener.accept()
    while True:
        bulk.sendall(bytes(65536))


def fetch() -> None:
    time.sleep(0.1)
    for address in ("10.1.0.2", "10.2.0.2"):
        with socket.create_connection((SERVER, PORT), source_address=(address, 0)) as warm:
            while warm.recv(65536):
                pass
    time.sleep(2)
    with socket.create_connection((SERVER, PORT)) as bulk:
        while bulk.recv(1 << 20):
            pass


def sample() -> dict[str, list[float]]:
    said = sh(f"ip netns exec server ss -tin state established '( sport = :{PORT} )'")
    found = re.findall(r"10\.1\.0\.1:80\s+10\.(\d)\.0\.2:\d+.*?\n\s+(.*?)\n", said, re.S)
    paths = {}
    for path, info in found:
        shown = [re.search(rf" {name}:([\d.]+)", info) for name in ("cwnd", "rtt", "ssthresh")]
        if values := [float(each[1]) for each in shown if each]:
            paths[path] = values
    return paths


def start(host: str, program: Callable[[], None]) -> None:
    if os.fork() == 0:
        enter(host)
        program()
        os._exit(0)


def main() -> None:
    os.environ["PATH"] = "/usr/sbin:/sbin:/usr/bin:/bin"
    sh("mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t tmpfs run /run")
    Path("/run/netns").mkdir()
    words = Path("/proc/cmdline").read_text().split()
    asked = dict(word.split("=", 1) for word in words if "=" in word)
    wire(asked)
    start("server", serve)
    start("client", fetch)
    time.sleep(3)
    for number in range(SAMPLES):
        paths = sample()
        print("sample", json.dumps({"t_s": time.monotonic(), "paths": paths}), flush=True)
        if number == LOSS_AFTER and "lossy" in asked:
            device = f"dev s{asked['lossy']} root"
            sh(f"tc -n server qdisc add {device} netem loss 20%")
            time.sleep(paths[asked["lossy"]][1] / 1e3)
            sh(f"tc -n server qdisc del {device}")
        time.sleep(0.2)


try:
    main()
except Exception as error:
    print("failed", error, flush=True)
finally:
    if os.getpid() == 1:
        ctypes.CDLL(None).reboot(POWER_OFF)
