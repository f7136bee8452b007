"""The `weir` command, from what Typer says of it."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

__all__ = ["page"]

_TYPER: Final = ("-m", "typer", "weir_orchestrator.cli.app", "utils", "docs", "--name", "weir")
_INTRODUCTION: Final = """# The command, option by option

What `weir COMMAND --help` says. How to use it, and its exit codes: [the command](../cli.md).

"""


def page() -> str:
    """A section for each subcommand."""
    done = subprocess.run([sys.executable, *_TYPER], stdout=subprocess.PIPE, text=True, check=True)
    _, _, text = done.stdout.partition("\n")
    # Said once, in the page that the introduction names.
    text = re.sub(r"^Exit codes:.*?\n\n", "", text, flags=re.M | re.S)
    text = re.sub(r"^\* `--help`: .*\n", "", text, flags=re.M)
    # Cut short there, and told in full below.
    text = re.sub(r"^\*\*Commands\*\*:.*?(?=^##)", "", text, flags=re.M | re.S)
    text = re.sub(r"^\*\*Options\*\*:\n+(?=#|\Z)", "", text, flags=re.M)
    return _INTRODUCTION + text.replace("**Usage**:\n\n```console\n$ ", "```\n")
