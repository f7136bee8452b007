"""Files under test, which are taken from git repositories, as the API shows and takes them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, SecretStr

from weir_orchestrator.api.request_body import RequestBody
from weir_orchestrator.repositories import Source

__all__ = ["NewSubject", "SubjectOut", "TakenFrom"]

Secret = Annotated[SecretStr, Field(min_length=1, max_length=16_384)]


class NewSubject(RequestBody):
    """A file of the campaign that is taken from a git repository each night."""

    name: str = Field(
        min_length=1,
        max_length=255,
        description="As the campaign's document has it; campaign.yaml: the document itself.",
        examples=["player.py"],
    )
    repository: str = Field(
        max_length=2000,
        description="https://HOST/PATH, ssh://USER@HOST/PATH or USER@HOST:PATH.",
        examples=["https://git.example.org/player.git"],
    )
    branch: str = Field(max_length=200, description="Its newest commit is tested.")
    path: str = Field(max_length=500, description="Of the file in the repository.")
    secret_token: Secret | None = Field(
        default=None,
        description="That may read the repository by https; kept, and never shown. Null: none "
        "is needed, or the one that the subject has for this repository.",
    )
    secret_key: Secret | None = Field(
        default=None, description="The private key, for ssh; as the token."
    )

    def source(self, before: Source | None) -> Source:
        """before: the subject of that name so far."""
        given = {"token": self.secret_token, "key": self.secret_key}
        secrets = {name: each.get_secret_value() for name, each in given.items() if each}
        if not secrets and before is not None and before.repository == self.repository:
            secrets = {"token": before.token, "key": before.key, "host_keys": before.host_keys}
        return Source(self.repository, self.branch, self.path, **secrets)


class SubjectOut(BaseModel):
    """A file of the campaign that is taken from a git repository each night."""

    name: str = Field(description="As the campaign's document has it.")
    repository: str = Field(description="Its address.")
    branch: str = Field(description="Whose newest commit is tested.")
    path: str = Field(description="Of the file in the repository.")
    secret: Literal["none", "token", "key"] = Field(description="What it is read with.")

    @classmethod
    def of(cls, name: str, source: Source) -> Self:
        """Without the secret itself."""
        return cls(
            name=name,
            repository=source.repository,
            branch=source.branch,
            path=source.path,
            secret="token" if source.token else "key" if source.key else "none",
        )


TakenFrom = Annotated[
    list[NewSubject],
    Field(max_length=20, description="Files of the campaign that are under test."),
]
