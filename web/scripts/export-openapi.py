"""Print the API's OpenAPI document, from which src/api/schema.d.ts is generated."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from weir_orchestrator.api.app import make_app
from weir_orchestrator.settings import Settings

with tempfile.TemporaryDirectory() as folder:
    document = make_app(Settings(data=Path(folder))).openapi()
json.dump(document, sys.stdout, indent=1)
