"""Verdicts for other programs: TAP version 14, and JUnit's XML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from weir_engine.kernel_tests.expected import Verdict

__all__ = ["junit", "tap"]


def tap(verdicts: Sequence[Verdict]) -> str:
    """https://testanything.org: known failures are TODO, with the test's words in YAML."""
    return "\n".join(["TAP version 14", f"1..{len(verdicts)}", *_points(verdicts), ""])


def junit(verdicts: Sequence[Verdict]) -> str:
    """One suite; known failures are skipped, too. Times are of the lab kernel's clock."""
    failed = sum(each.kind == "failed" for each in verdicts)
    skipped = sum(each.kind in {"known", "skipped"} for each in verdicts)
    head = f'<testsuite name="kernel" tests="{len(verdicts)}" failures="{failed}"'
    cases = "\n".join(map(_case, verdicts))
    suite = f'{head} skipped="{skipped}">\n{cases}\n</testsuite>'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{suite}\n'


def _points(verdicts: Sequence[Verdict]) -> Iterator[str]:
    for number, each in enumerate(verdicts, 1):
        failed = each.outcome.ended == "failed"
        yield f"{'not ok' if failed else 'ok'} {number} - {each.name}{_directive(each)}"
        if failed:
            yield "  ---"
            yield "  message: |"
            yield from (f"    {line}" for line in each.outcome.said.splitlines())
            yield "  ..."


def _directive(each: Verdict) -> str:
    if each.kind == "skipped":
        return f" # SKIP {each.why}".rstrip()
    return f" # TODO {each.why or 'known to fail'}" if each.kind in {"known", "mended"} else ""


def _case(each: Verdict) -> str:
    # tcp_x/ipv4 is of tcp_x, net/mptcp/diag.sh of net/mptcp.
    group, _, name = each.name.rpartition("/")
    named = f"  <testcase classname={quoteattr(group)} name={quoteattr(name)}"
    timed = f'{named} time="{each.outcome.took_ns / 1e9:.3f}"'
    said = _printable(each.outcome.said)
    if each.kind == "failed":
        return (
            f"{timed}><failure message={quoteattr(said[:200])}>{escape(said)}</failure></testcase>"
        )
    if each.kind in {"known", "skipped"}:
        why = _printable(each.why or ("known to fail" if each.kind == "known" else ""))
        return f"{timed}><skipped message={quoteattr(why)}/></testcase>"
    return f"{timed}/>"


def _printable(text: str) -> str:
    """Without the control characters that XML has not."""
    return "".join(c if c in "\n\t" or c.isprintable() else "?" for c in text)
