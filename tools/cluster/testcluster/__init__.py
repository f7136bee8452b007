"""The test cluster: its programs are built, and live and die in namespaces of their own."""
