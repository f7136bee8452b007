"""Tests of the platform in containers. A package, since its images are built and it is brought up
once for all files here (fixtures of scope `package`)."""
