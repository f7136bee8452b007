"""Settings of the platform, from the environment (`WEIR_...`) and the command line.

The defaults are the embedded platform: SQLite and a folder, on this machine only, no login.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_serializer, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from weir_engine.executor.live_cell import read_cells

__all__ = ["LOOPBACK", "Oidc", "Settings"]

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_SWITCHES: Final = frozenset(
    {"true", "false", "1", "0", "yes", "no", "on", "off", "y", "n", "t", "f"}
)
"""What pydantic takes for a bool."""


class Oidc(BaseSettings):
    """Login by an OpenID Connect provider; off while `issuer` is empty."""

    model_config = SettingsConfigDict(
        env_prefix="WEIR_OIDC_", extra="forbid", hide_input_in_errors=True
    )

    issuer: str = Field(
        default="",
        description="The provider's https address; below it is .well-known/openid-configuration.",
    )
    client_id: str = Field(default="", description="What the provider calls this platform.")
    client_secret: SecretStr = Field(
        default=SecretStr(""), description="What it gave; without a secret, PKCE alone."
    )
    name: str = Field(default="single sign-on", description="What the sign-in button says.")
    new_users: bool = Field(
        default=False, description="Make an account for whoever the provider knows, in no team."
    )

    @model_validator(mode="after")
    def _complete_and_encrypted(self) -> Self:
        if not self.issuer:
            return self
        where = urlsplit(self.issuer)
        if where.scheme != "https" and where.hostname not in LOOPBACK:
            raise ValueError(f"issuer: {self.issuer} — allowed: an https:// address")
        if not self.client_id:
            raise ValueError("client_id: missing — give what the provider calls this platform")
        return self


class Settings(BaseSettings):
    """What `weir up`, `weir worker` and `weir admin` need to know. Raises ValidationError."""

    model_config = SettingsConfigDict(env_prefix="WEIR_", extra="forbid", hide_input_in_errors=True)

    data: Path = Field(
        default=Path("weir-data"),
        description="Folder of the embedded platform, and of workers' scratch files.",
    )
    database: str = Field(default="", description="SQLAlchemy URL; empty: SQLite in `data`.")
    store: str = Field(
        default="",
        description="A folder, or s3://BUCKET/PREFIX with ?endpoint=, public_endpoint= (as "
        "browsers see it), region=; empty: a folder in `data`.",
    )
    host: str = Field(
        default="127.0.0.1", description="Where it listens; elsewhere than here only with login."
    )
    port: int = Field(default=8080, ge=0, le=65535, description="Where it listens.")
    public_url: str = Field(default="", description="How browsers reach it, behind a proxy.")
    auth: Literal["none", "login"] = Field(
        default="none",
        description="none: everybody who reaches it is its administrator; loopback only.",
    )
    jobs: int = Field(default=0, ge=0, description="Runs at a time per worker; 0: one per core.")
    real_clock_here: bool | None = Field(
        default=None,
        description="Carry out runs of the real clock on this machine, one at a time with nothing "
        "beside them; absent: where the database is SQLite.",
    )
    cells: str = Field(
        default="",
        description="Cells of agents on which a worker carries out runs of the real clock, and "
        "nothing else: a file, or YAML: [{server: URL, gateway: URL, clients: [URL, ...]}, ...].",
    )
    agent_token: SecretStr = Field(
        default=SecretStr(""), description="The secret that the cells' agents want."
    )
    lease: timedelta = Field(
        default=timedelta(seconds=30), description="A worker silent for this long has lost its run."
    )
    max_attempts: int = Field(
        default=3,
        ge=1,
        description="Workers that may end over one run, or times that it may fill the disk alone.",
    )
    curves_every: timedelta = Field(
        default=timedelta(seconds=10),
        gt=timedelta(0),
        description="A running run that takes longer shows its curves so far, renewed so often or "
        "less.",
    )
    one_at_a_time: timedelta = Field(
        default=timedelta(minutes=1),
        description="A worker whose disk was full carries out one run at a time for so long.",
    )
    session_age: timedelta = Field(
        default=timedelta(days=14), description="How long browsers stay signed in."
    )
    max_body_bytes: int = Field(default=4 * 2**20, ge=2**10, description="Of a request.")
    max_file_bytes: int = Field(default=64 * 2**20, ge=2**10, description="Of an uploaded file.")
    max_film: timedelta = Field(
        default=timedelta(days=1),
        gt=timedelta(0),
        description="The longest a run's film may be; its wall time is bounded by it, too.",
    )
    kernel_code: Annotated[bool | frozenset[str], NoDecode] = Field(
        default=False,
        description="Accept congestion controls in C, and changes to the kernel: true, of "
        "everybody; or of the teams whose names in addresses stand here, with commas between. "
        "Workers need a compiler.",
    )
    unconfined: bool = Field(
        default=False,
        description="Run code that campaigns bring also where the kernel offers no sandbox: with "
        "the worker's rights.",
    )
    as_root: bool = Field(
        default=False, description="Let a worker of a platform with login be root."
    )
    keep_events: timedelta = Field(
        default=timedelta(days=30), description="Older events and webhook deliveries are removed."
    )
    keep_unused: timedelta = Field(
        default=timedelta(days=1),
        description="Results and files that no campaign refers to are removed when older.",
    )
    repository_limit: timedelta = Field(
        default=timedelta(minutes=1),
        gt=timedelta(0),
        description="Fetching a schedule's subjects may take so long.",
    )
    watch: timedelta = Field(
        default=timedelta(hours=1), description="A stream of events ends then; watchers reconnect."
    )
    webhooks_to_private: bool = Field(
        default=False,
        description="Let webhooks go to loopback and private addresses, and subjects be in "
        "repositories there.",
    )
    mail: str = Field(
        default="",
        description="How e-mail is sent: smtp://[USER@]HOST[:PORT], with TLS where it is offered, "
        "and always with a USER, or smtps://...; empty: none is.",
    )
    mail_from: str = Field(default="", description="Address that it is from.")
    mail_password: SecretStr = Field(default=SecretStr(""), description="Of the user in `mail`.")
    oidc: Oidc = Field(default_factory=Oidc)

    @field_validator("kernel_code", mode="before")
    @classmethod
    def _teams(cls, given: object) -> object:
        if not isinstance(given, str) or given.strip().lower() in _SWITCHES:
            return given
        return frozenset(filter(None, map(str.strip, given.split(","))))

    @field_serializer("kernel_code")
    def _as_given(self, kernel_code: bool | frozenset[str]) -> bool | str:
        return kernel_code if isinstance(kernel_code, bool) else ",".join(sorted(kernel_code))

    @model_validator(mode="after")
    def _open_only_on_loopback(self) -> Self:
        if self.auth == "none" and self.host not in LOOPBACK:
            raise ValueError(
                f"host: {self.host} — without login only {', '.join(sorted(LOOPBACK))}; "
                "set auth to login (WEIR_AUTH=login) and make an administrator with "
                "`weir admin create`"
            )
        return self

    @model_validator(mode="after")
    def _mail_that_can_be_sent(self) -> Self:
        if not self.mail:
            return self
        where = urlsplit(self.mail)
        if where.scheme not in {"smtp", "smtps"} or not where.hostname or where.password:
            raise ValueError(
                "mail: allowed: smtp://[USER@]HOST[:PORT] or smtps://...; the password goes into "
                "mail_password (WEIR_MAIL_PASSWORD)"
            )
        if "@" not in self.mail_from:
            raise ValueError("mail_from: missing — set WEIR_MAIL_FROM to the sender's address")
        return self

    @model_validator(mode="after")
    def _cells_that_can_be_used(self) -> Self:
        if read_cells(self.cells) and not self.agent_token.get_secret_value():
            raise ValueError(
                "agent_token: missing — set WEIR_AGENT_TOKEN to the secret that the agents of "
                "the cells were started with"
            )
        return self

    @property
    def database_url(self) -> str:
        """The database that is used."""
        return self.database or f"sqlite:///{self.data.absolute() / 'weir.db'}"

    @property
    def clocks(self) -> tuple[str, ...]:
        """The clocks of the runs that a worker carries out."""
        if self.cells:
            return ("real",)
        here = self.real_clock_here
        if here is None:
            here = self.database_url.startswith("sqlite")
        return ("virtual", "real") if here else ("virtual",)

    def takes_kernel_code(self, team: str) -> bool:
        """Whether campaigns of the team of that slug may bring C, or change the kernel."""
        if isinstance(self.kernel_code, bool):
            return self.kernel_code
        return team in self.kernel_code

    @property
    def shared(self) -> bool:
        """Whether others than whoever started it may submit."""
        return self.auth == "login" or not self.database_url.startswith("sqlite")

    @property
    def store_url(self) -> str:
        """The object store that is used: s3://... or the path of a folder."""
        return self.store or str(self.data.absolute() / "store")
