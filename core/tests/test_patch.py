"""What a patch's text tells of it."""

from __future__ import annotations

import pytest
from weir import patch

PLAIN = """\
diff --git a/net/ipv4/tcp_output.c b/net/ipv4/tcp_output.c
index 1..2 100644
--- a/net/ipv4/tcp_output.c
+++ b/net/ipv4/tcp_output.c
@@ -168,4 +168,4 @@ void tcp_cwnd_restart(struct sock *sk, s32 delta)
 \trestart_cwnd = min(restart_cwnd, cwnd);

--- a decrement, which is no header
+++ an increment, nor is this
 \ttcp_snd_cwnd_set(tp, max(cwnd, restart_cwnd));
"""
NEW = """\
--- /dev/null
+++ b/net/ipv4/tcp_mine.c
@@ -0,0 +1 @@
+int mine;
"""


def test_files_are_those_of_the_headers() -> None:
    assert patch.files(PLAIN + NEW) == ["net/ipv4/tcp_output.c", "net/ipv4/tcp_mine.c"]
    assert list(patch.faults(PLAIN + NEW)) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no patch at all\n", "has no hunk"),
        (NEW.replace("b/net/ipv4", "../.."), "not within the source tree"),
        (NEW.replace("b/net/ipv4/tcp_mine.c", "/etc/passwd"), "not within the source tree"),
        (NEW.replace("b/net/ipv4/tcp_mine.c", "tcp_mine.c"), "not within the source tree"),
        (PLAIN + "rename from a\nrename to b/../../c\n", "b/../../c"),
        ("new file mode 120000\n" + NEW, "mode 120000"),
        (PLAIN + "GIT binary patch\nliteral 3\n", "binary parts"),
        (PLAIN + "Binary files a/logo and b/logo differ\n", "binary parts"),
    ],
)
def test_what_is_refused(text: str, says: str) -> None:
    assert says in " ".join(what for what, _ in patch.faults(text))


def test_parts_for_files_that_are_left_out() -> None:
    def in_tests(name: str) -> bool:
        return name.startswith("tools/testing/")

    tests = PLAIN.replace("net/ipv4/tcp_output.c", "tools/testing/selftests/net/tcp.c")
    assert patch.without(PLAIN + NEW, in_tests) == PLAIN + NEW
    assert patch.without(tests + PLAIN + NEW, in_tests) == PLAIN + NEW
    assert patch.without(PLAIN + tests, in_tests).rstrip() == PLAIN.rstrip()
    assert patch.files(patch.without(tests, in_tests)) == []
