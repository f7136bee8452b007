"""Words of what is applied to a cluster, for the tests of it."""

from __future__ import annotations

from typing import Any, Final

ARGO: Final = "argoproj.io/v1alpha1"
BROWSERS: Final = "overlays/browsers"
OWN_KERNELS: Final = "overlays/own-kernels"
"""Neither is a folder of k8s/: an overlay of overlays/try with a component, as a user makes one."""

Document = dict[str, Any]
