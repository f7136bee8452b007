"""Settings of the dispatcher, from the environment (`WEIR_ARGO_...`)."""

from __future__ import annotations

from datetime import timedelta

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from weir_orchestrator.argo.sizing import quantity

__all__ = ["ArgoSettings"]


class ArgoSettings(BaseSettings):
    """How campaigns are cut into pods. Raises ValidationError."""

    model_config = SettingsConfigDict(env_prefix="WEIR_ARGO_", extra="forbid")

    namespace: str = Field(default="", description="Of the workflows; empty: the pod's own.")
    jobs: int = Field(default=2, ge=1, description="Runs at a time in a pod.")
    cpu: str = Field(
        default="", description="Cores that a pod asks for, as 2 or 700m; empty: 700m for each job."
    )
    memory_mib: int = Field(
        default=0, ge=0, description="What a pod gets; 0: 512 MiB, and 512 for each job."
    )
    pods: int = Field(
        default=0, ge=0, description="Batches at a time; 0: as many as nodes have cores for."
    )
    batch: timedelta = Field(
        default=timedelta(minutes=10), description="How long a pod should work at most."
    )
    batches: int = Field(
        default=200, ge=1, le=900, description="Pods of one workflow at most: a node of it each."
    )
    build_cpu: str = Field(
        default="1", description="Cores that a pod asks for which builds campaigns' own kernels."
    )
    build_memory_mib: int = Field(
        default=2048,
        ge=512,
        description="What it gets; a compiler takes 150 MiB, and there is one for each core of the "
        "node.",
    )
    cells: int = Field(default=1, ge=0, description="Live cells at a time, over all campaigns.")
    chromium: str = Field(
        default="",
        description="URL of the agents that play in Chromium, for live cells whose runs ask for "
        "it; k8s/browsers sets it.",
    )
    patience: timedelta = Field(
        default=timedelta(seconds=30),
        description="An image that cannot be had for so long ends the runs that need it.",
    )
    tries: int = Field(
        default=5, ge=1, description="Workflows that may fail one after the other with no run done."
    )

    @field_validator("cpu", "build_cpu")
    @classmethod
    def _cores_are_a_quantity(cls, value: str) -> str:
        if value and quantity(value) <= 0:
            raise ValueError(f"{value!r} — allowed: more than 0, as 2 or 700m")
        return value

    @property
    def memory(self) -> str:
        """A pod's memory, as Kubernetes writes it."""
        return f"{self.memory_mib or 512 * (1 + self.jobs)}Mi"

    @property
    def cores(self) -> str:
        """A pod's cores, as Kubernetes writes them."""
        # Less than one each: on every node other pods ask for some, and a core of four would idle.
        return self.cpu or f"{700 * self.jobs}m"
