"""What the end-to-end tests share: the lab kernel, and cells run once per session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from weir_lab import players
from weir_lab.collect import CellResult
from weir_lab.kernel import Kernel
from weir_lab.zygotes import Zygotes
from weir_sdk import Client

from weir_testing import cells, command, docker, live, real_cells
from weir_testing.docker import Compose


@pytest.fixture(scope="session")
def kernel() -> Kernel:
    """The lab kernel of this checkout; a test that needs one fails where there is none."""
    return cells.kernel()


@pytest.fixture(scope="session")
def zygotes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygotes]:
    """Lab kernels that fork the session's runs."""
    with closing(Zygotes(lambda: tmp_path_factory.mktemp("zygote"))) as found:
        yield found


@pytest.fixture
def run(kernel: Kernel, tmp_path: Path, zygotes: Zygotes) -> Callable[..., CellResult]:
    """`run(experiment, seed=1)`: one run of a resolved experiment."""
    return cells.Runner(kernel, tmp_path, zygotes=zygotes)


@pytest.fixture(scope="session")
def run_once(
    kernel: Kernel, tmp_path_factory: pytest.TempPathFactory, zygotes: Zygotes
) -> cells.Runner:
    """As `run`, with results kept for the session: equal experiments are run once."""
    return cells.Runner(kernel, tmp_path_factory.mktemp("cells"), keep=True, zygotes=zygotes)


@pytest.fixture(scope="module", params=[real_cells.ONE_KERNEL, real_cells.A_KERNEL_EACH])
def kernels(request: pytest.FixtureRequest) -> str:
    """What the hosts of a cell on the real clock are in."""
    found: str = request.param
    return found


@pytest.fixture(scope="session")
def kept_players() -> None:
    """dash.js and hls.js on this machine: fails where they cannot be fetched."""
    players.fetch()


@pytest.fixture(scope="session")
def server(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[live.Live]:
    """An embedded platform with a worker."""
    with live.up(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def signed_in(server: live.Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A user of this machine who knows the server."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("WEIR_SERVER", "WEIR_TOKEN", "WEIR_TEAM"):
        monkeypatch.delenv(name, raising=False)
    done = command.weir("login", server.url)
    assert done.returncode == 0, done.stderr
    return server.url


@pytest.fixture(scope="package")
def compose(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compose]:
    """The platform, a worker and two cells of one client each."""
    with docker.engine():
        docker.build_images()
        with docker.up(Compose(tmp_path_factory.mktemp("compose"))) as project:
            yield project


@pytest.fixture(scope="package")
def weir(compose: Compose) -> Iterator[Client]:
    """A member of the platform's one team."""
    with Client(compose.url, compose.token()) as client:
        yield client
