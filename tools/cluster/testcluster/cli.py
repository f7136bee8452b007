"""The command: build, up, down, kubeconfig, load, join, cut."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import asdict
from pathlib import Path

from . import files, host, install, second
from .build import BuildError, build
from .layout import SECOND, State


def main() -> None:
    parser = argparse.ArgumentParser(prog="cluster", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, action, says in (
        ("build", _build, "build the programs that the cache lacks"),
        ("up", _up, "start the cluster and wait until Argo works; nothing where it runs"),
        ("down", _down, "end it and leave nothing of it"),
        ("kubeconfig", _kubeconfig, "print the path of the running cluster's kubeconfig"),
        ("cut", _cut, "end the second node as when its power is cut"),
    ):
        commands.add_parser(name, help=says).set_defaults(action=action)
    load = commands.add_parser("load", help="give it images of the local Docker, or of archives")
    load.add_argument("images", nargs="+", metavar="IMAGE|FILE.tar")
    load.set_defaults(action=_load)
    join = commands.add_parser("join", help="start a second node, with images of the local Docker")
    join.add_argument("images", nargs="*", metavar="IMAGE")
    for what, default in asdict(files.Left()).items():
        pressure = f"evict pods where less of the {what} is free (default: %(default)s)"
        join.add_argument(f"--{what}-left", default=default, metavar="QUANTITY", help=pressure)
    join.set_defaults(action=_join)
    arguments = parser.parse_args()
    try:
        arguments.action(State.default(), arguments)
    except (host.HostError, BuildError) as error:
        sys.exit(str(error))


def _build(_state: State, _arguments: argparse.Namespace) -> None:
    build()


def _up(state: State, _arguments: argparse.Namespace) -> None:
    host.check(state)
    if not host.running(state):
        built = build()
        started = time.monotonic()
        host.remove(state)  # what a killed one left
        host.start(state, built)
        try:
            install.fill(state, built)
        except BaseException:
            host.end(state)
            raise
        print(f"up in {time.monotonic() - started:.1f} s", file=sys.stderr)
    print(state.kubeconfig)


def _down(state: State, _arguments: argparse.Namespace) -> None:
    host.remove(state)


def _kubeconfig(state: State, _arguments: argparse.Namespace) -> None:
    host.must_run(state)
    print(state.kubeconfig)


def _load(state: State, arguments: argparse.Namespace) -> None:
    host.must_run(state)
    for tar in (name for name in arguments.images if name.endswith(".tar")):
        install.load_archive(state, Path(tar))
    if images := [name for name in arguments.images if not name.endswith(".tar")]:
        install.load(state, images)


def _join(state: State, arguments: argparse.Namespace) -> None:
    left = files.Left(disk=arguments.disk_left, memory=arguments.memory_left)
    second.join(state, build(), left)
    if arguments.images:
        install.load(state, arguments.images, SECOND)


def _cut(state: State, _arguments: argparse.Namespace) -> None:
    second.cut(state)
