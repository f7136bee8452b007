"""/runs/{run}/artifacts, /runs/{run}/artifacts.tar and /runs/{run}/log."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from weir_orchestrator.api.artifacts import service
from weir_orchestrator.api.artifacts.schemas import ArtifactOut
from weir_orchestrator.api.dependencies import AsksAs, Objects, SessionOf
from weir_orchestrator.api.ids import RunId
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.runs.endpoints import REFUSALS
from weir_orchestrator.api.runs.service import files_of, run_of
from weir_orchestrator.errors import Unavailable

__all__ = ["router"]

router = APIRouter(tags=["artifacts"])

_BYTES = {"schema": {"type": "string", "format": "binary"}}


@router.get("/runs/{run}/artifacts", responses=documented(*REFUSALS, Unavailable))
def list_artifacts(
    request: Request, session: SessionOf, objects: Objects, who: AsksAs, run: RunId
) -> list[ArtifactOut]:
    """The files of an ended run."""
    found, _ = run_of(session, who, run)
    return service.listed(files_of(session, objects, found), request.url.path)


@router.get(
    "/runs/{run}/artifacts/{name:path}",
    response_class=Response,
    responses={
        200: {"description": "The file.", "content": {"*/*": {"schema": {}}}},
        307: {"description": "Where the object store gives the file, for ten minutes."},
        **documented(*REFUSALS, Unavailable),
    },
)
def fetch_artifact(
    session: SessionOf,
    objects: Objects,
    who: AsksAs,
    run: RunId,
    name: Annotated[
        str,
        Path(
            max_length=300, description="Its path in the run directory.", examples=["metrics.json"]
        ),
    ],
    inline: Annotated[
        bool, Query(description="To be looked at in a browser: text, from here.")
    ] = False,
) -> Response:
    """A file of an ended run."""
    found, _ = run_of(session, who, run)
    return service.hand_out(files_of(session, objects, found), name, inline)


@router.get(
    "/runs/{run}/artifacts.tar",
    response_class=Response,
    responses={
        200: {"description": "A folder `run-RUN`.", "content": {"application/x-tar": _BYTES}},
        **documented(*REFUSALS, Unavailable),
    },
)
def fetch_artifacts(session: SessionOf, objects: Objects, who: AsksAs, run: RunId) -> Response:
    """All files of an ended run, as one tar."""
    found, _ = run_of(session, who, run)
    return service.archived(files_of(session, objects, found), f"run-{found.id}")


@router.get(
    "/runs/{run}/log",
    response_class=Response,
    responses={
        200: {"description": "The log.", "content": {"text/plain": {"schema": {"type": "string"}}}},
        **documented(*REFUSALS, Unavailable),
    },
)
def show_run_log(session: SessionOf, objects: Objects, who: AsksAs, run: RunId) -> Response:
    """What the lab kernel and the roles of an ended run said."""
    found, _ = run_of(session, who, run)
    return service.streamed(files_of(session, objects, found), "log.txt", inline=True)
