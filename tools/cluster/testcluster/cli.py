"""The command: up, down, load, kubeconfig."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from . import host, install
from .build import BuildError, build
from .layout import State


def main() -> None:
    parser = argparse.ArgumentParser(prog="cluster", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, action, says in (
        ("build", _build, "build the programs that the cache lacks"),
        ("up", _up, "start the cluster and wait until Argo works; nothing where it runs"),
        ("down", _down, "end it and leave nothing of it"),
        ("kubeconfig", _kubeconfig, "print the path of the running cluster's kubeconfig"),
    ):
        commands.add_parser(name, help=says).set_defaults(action=action)
    load = commands.add_parser("load", help="give it images of the local Docker, or of archives")
    load.add_argument("images", nargs="+", metavar="IMAGE|FILE.tar")
    load.set_defaults(action=_load)
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
    _must_run(state)
    print(state.kubeconfig)


def _load(state: State, arguments: argparse.Namespace) -> None:
    _must_run(state)
    for tar in (name for name in arguments.images if name.endswith(".tar")):
        install.load_archive(state, Path(tar))
    if images := [name for name in arguments.images if not name.endswith(".tar")]:
        install.load(state, images)


def _must_run(state: State) -> None:
    if not host.running(state):
        raise host.HostError("the test cluster does not run: tools/cluster/cluster up")
