"""/teams/{team}/files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from weir_orchestrator.api.dependencies import AsksAs, Objects, OfTeam, SessionOf
from weir_orchestrator.api.files import service
from weir_orchestrator.api.files.schemas import FileOut
from weir_orchestrator.api.paging import Cursor, Limit, Page
from weir_orchestrator.api.problems import documented
from weir_orchestrator.errors import NotAllowed, NotFound, NotSignedIn, QuotaExceeded, Unprocessable

__all__ = ["router"]

router = APIRouter(tags=["files"])


async def _body(request: Request) -> bytes:
    return await request.body()


@router.put(
    "/teams/{team}/files/{sha256}",
    status_code=201,
    responses={
        200: {"model": FileOut, "description": "The team has this file already"},
        **documented(NotSignedIn, NotAllowed, NotFound, Unprocessable, QuotaExceeded),
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    },
)
def upload_file(
    session: SessionOf,
    objects: Objects,
    who: AsksAs,
    team: OfTeam,
    sha256: Annotated[str, Path(pattern=r"^[0-9a-f]{64}$", description="Of the file's bytes.")],
    body: Annotated[bytes, Depends(_body)],
    response: Response,
) -> FileOut:
    """Upload a file as it is; archives are not unpacked. Campaigns name it by its SHA-256."""
    who.require(team.id, "submit")
    file, new = service.keep(session, objects, who, team, sha256, body)
    response.status_code = 201 if new else 200
    return FileOut.model_validate(file)


@router.get(
    "/teams/{team}/files",
    responses=documented(NotSignedIn, NotAllowed, NotFound, Unprocessable),
)
def list_files(
    session: SessionOf, team: OfTeam, limit: Limit = 50, cursor: Cursor = None
) -> Page[FileOut]:
    """A team's uploaded files, newest first."""
    return service.page(session, team, limit, cursor)
