"""Real servers for tests, on free ports of loopback, gone when the tests end or crash."""
