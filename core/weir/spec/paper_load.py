"""A paper's file, read and checked."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from weir.errors import Problem, SpecError
from weir.spec.paper import Paper
from weir.spec.paper_check import unknown_names
from weir.spec.problems import from_validation
from weir.spec.yamlfile import load_yaml

__all__ = ["load_paper"]


def load_paper(path: Path) -> Paper:
    """The file's content.

    Raises SpecError: missing, malformed, a number at the wrong depth, an unknown name.
    """
    content = load_yaml(path)
    try:
        paper = Paper.model_validate(content)
    except ValidationError as error:
        raise SpecError(from_validation(error, Paper, path.name)) from None
    unknown = [
        Problem(f"{path.name}.{problem.path}", problem.value, problem.allowed, problem.remedy)
        for problem in unknown_names(paper)
    ]
    if unknown:
        raise SpecError(unknown)
    return paper
