"""The files in k8s/ are what Kubernetes and Argo take, and so is what the dispatcher makes."""

from __future__ import annotations

import json
import re
import subprocess
import uuid
from itertools import chain
from pathlib import Path

import kubernetes_validate
import pytest
import yaml
from jsonschema import Draft202012Validator
from weir_orchestrator.argo.settings import ArgoSettings
from weir_orchestrator.argo.sizing import Batches
from weir_orchestrator.argo.workflow import batches, kernel_build, live_cell
from weir_testing.checkout import ROOT
from weir_testing.manifests import ARGO, OWN_KERNELS, Document

KUBERNETES = "1.34"


@pytest.fixture(scope="session")
def argo_schemas() -> dict[str, Document]:
    """Kind -> schema, from the custom resource definitions of the version that is tested."""
    module = "github.com/argoproj/argo-workflows/v3"
    said = subprocess.run(
        ["go", "mod", "download", "-json", f"{module}@{_argo_version(module)}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    folder = Path(json.loads(said.stdout)["Dir"]) / "manifests/base/crds/full"
    found = {}
    for plural in ("workflows", "workflowtemplates", "cronworkflows"):
        text = (folder / f"argoproj.io_{plural}.yaml").read_text()
        spec = yaml.load(text, Loader=yaml.CSafeLoader)["spec"]  # each has a megabyte
        found[spec["names"]["kind"]] = _strict(spec["versions"][0]["schema"]["openAPIV3Schema"])
    return found


def _argo_version(module: str) -> str:
    required = (ROOT / "tools/cluster/argo/go.mod").read_text()
    found = re.search(rf"{re.escape(module)} (v\S+)", required)
    assert found, "Argo's module"
    return found[1]


def _strict(schema: Document) -> Document:
    """As the API server takes it, and refusing what it would silently leave out."""
    made = dict(schema)
    if made.pop("x-kubernetes-int-or-string", False):
        return {"type": ["integer", "string"]}
    loose = made.pop("x-kubernetes-preserve-unknown-fields", False)
    if "properties" in made:
        made["properties"] = {key: _strict(value) for key, value in made["properties"].items()}
    for name in ("items", "additionalProperties"):
        if isinstance(made.get(name), dict):
            made[name] = _strict(made[name])
    if "properties" in made and not loose and "additionalProperties" not in made:
        made["additionalProperties"] = False
    return made


def _check(document: Document, schemas: dict[str, Document]) -> list[str]:
    if document["apiVersion"] != ARGO:
        kubernetes_validate.validate(document, KUBERNETES, strict=True)
        return []
    schema = dict(schemas[document["kind"]])
    # Whatever the API server puts there.
    schema["properties"] = {**schema["properties"], "metadata": {"type": "object"}}
    errors = Draft202012Validator(schema).iter_errors(document)
    return [f"{'.'.join(map(str, each.path))}: {each.message[:200]}" for each in errors]


def test_every_file_fits_the_schemas(
    rendered: dict[str, list[Document]], argo_schemas: dict[str, Document]
) -> None:
    number = 0
    for document in chain.from_iterable(rendered.values()):
        told = f"{document['kind']} {document['metadata']['name']}"
        assert _check(document, argo_schemas) == [], told
        number += 1
    assert number > 50


def test_the_schemas_would_refuse_what_is_wrong(
    rendered: dict[str, list[Document]], argo_schemas: dict[str, Document]
) -> None:
    template = next(
        each
        for each in chain.from_iterable(rendered.values())
        if each["metadata"]["name"] == "virtual-batch"
    )
    wrong = yaml.safe_load(yaml.safe_dump(template))
    wrong["spec"]["templates"][0]["containr"] = {}
    assert any("containr" in each for each in _check(wrong, argo_schemas))


def test_what_the_dispatcher_makes_fits_them_too(argo_schemas: dict[str, Document]) -> None:
    campaign = uuid.uuid4()
    for made in (
        batches(campaign, 1, Batches(4, 100, 2), 2, 900, ArgoSettings()),
        live_cell(campaign, 2, 4, 20, ""),
        kernel_build(campaign, 3, ArgoSettings()),
    ):
        assert _check(made, argo_schemas) == []
        name = made["metadata"]["name"]
        assert len(name) <= 63, "the name is a host's in live cells"


def test_what_the_dispatcher_gives_is_what_the_templates_take(
    rendered: dict[str, list[Document]],
) -> None:
    takes = {
        each["metadata"]["name"]: {p["name"] for p in each["spec"]["arguments"]["parameters"]}
        for each in rendered[OWN_KERNELS]
        if each["kind"] == "WorkflowTemplate"
    }
    for made in (
        batches(uuid.uuid4(), 1, Batches(4, 100, 2), 2, 900, ArgoSettings()),
        live_cell(uuid.uuid4(), 2, 4, 20, ""),
        kernel_build(uuid.uuid4(), 3, ArgoSettings()),
    ):
        given = {each["name"] for each in made["spec"]["arguments"]["parameters"]}
        assert given <= takes[made["spec"]["workflowTemplateRef"]["name"]]
