"""What the tests of every part share, and benches use: fixtures, servers, stand-ins, agents.

pytest loads it as a plugin (-p weir_testing), so that assertions in it are explained too.
"""

pytest_plugins = (
    "weir_testing.collection",
    "weir_testing.properties",
    "weir_testing.scheduling",
    "weir_testing.servers.fixtures",
)
