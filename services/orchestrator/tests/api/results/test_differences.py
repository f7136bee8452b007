"""Where two experiments differ, told in brief."""

from __future__ import annotations

from weir_orchestrator.api.results.compare import differences


def test_a_player_s_files_are_told_by_their_hash() -> None:
    before, after = "a" * 2000, "b" * 2000
    one, other = (
        {"package": {"main": "m.js", "files": {"m.js": text}}} for text in (before, after)
    )
    (changed,) = differences({"clients": [one]}, {"clients": [other]})
    assert changed.path == "clients.0.package.files.m.js"
    assert str(changed.a).startswith("2000 characters, SHA-256 ") and changed.a != changed.b
    (added,) = differences({"clients": []}, {"clients": [one]})
    assert added.a is None and len(str(added.b)) < 200
    assert differences({"text": "a"}, {"text": "b"})[0].a == "a"
