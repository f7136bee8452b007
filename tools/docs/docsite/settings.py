"""Settings of the platform, from the models that read them."""

from __future__ import annotations

from typing import Any

from pydantic_settings import BaseSettings
from weir_orchestrator.argo.settings import ArgoSettings
from weir_orchestrator.settings import Oidc, Settings

from docsite.schema import section

__all__ = ["page"]

_INTRODUCTION = """# Settings

Environment variables of the platform. Those of `weir up` and `weir worker` are options, too, where
`--help` says so. Times are ISO 8601: `PT30S`, `P30D`. How to put them to use:
[operating the platform](../operating.md).

"""


def page() -> str:
    """A table for each model."""
    models: dict[str, type[BaseSettings]] = {
        "The platform": Settings,
        "Single sign-on": Oidc,
        "Argo workflows": ArgoSettings,
    }
    return _INTRODUCTION + "".join(
        section(title, _variables(model), lambda of: f"#{of.lower()}")
        for title, model in models.items()
    )


def _variables(model: type[BaseSettings]) -> dict[str, Any]:
    """A model's schema with the variables' names; models within it have tables of their own."""
    prefix = model.model_config["env_prefix"]
    fields = model.model_json_schema()["properties"].items()
    return {
        "description": (model.__doc__ or "").replace(" Raises ValidationError.", ""),
        "properties": {f"{prefix}{name}".upper(): of for name, of in fields if "$ref" not in of},
    }
