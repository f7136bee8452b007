"""Every Python that has this folder in its path reads it at its start: its runs are stubs."""

from weir_bench import stub_platform

stub_platform.stub()
