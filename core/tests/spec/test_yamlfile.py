from __future__ import annotations

from pathlib import Path

import pytest
from weir.errors import SpecError
from weir.spec.yamlfile import MAX_FILE_BYTES, load_yaml, parse_yaml
from weir_testing.cpu_time import cpu_time


def test_words_stay_words_and_numbers_are_numbers() -> None:
    text = "{on: off, yes: no, a: 12:30, b: 1e3, c: -2, d: 2016-01-01, e: true, f: null, g: 1.5}"
    assert parse_yaml(text, "x") == {
        "on": "off", "yes": "no", "a": "12:30", "b": 1000.0, "c": -2, "d": "2016-01-01",
        "e": True, "f": None, "g": 1.5,
    }  # fmt: skip


def test_aliases_and_merge_keys_work() -> None:
    assert parse_yaml("{a: &x {b: 1}, c: *x, d: {<<: *x, e: 2}}", "x") == {
        "a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: [1, 2", "x.yaml, line 1, column 9"),
        ("a: 1\n b: 2", "x.yaml, line 2"),
        ("a: 1\nb: 2\na: 3", "x.yaml, line 3, column 1\n.*'a' stands twice"),
        ("a: &x [*x]", "contains it"),
        ("? [1]\n: 2", "plain word"),
        ("a: !!python/object:os.system x", "could not determine a constructor"),
        ("a: \x00", "not YAML"),
        ("[" * 5000, "nested too deeply"),
        ("a: 1\n---\nb: 2", "single document"),
    ],
)
def test_malformed(text: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        parse_yaml(text, "x.yaml")


def test_alias_bomb_is_refused_at_once() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(
        f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 200)
    )
    with cpu_time() as spent, pytest.raises(SpecError, match="aliases"):
        parse_yaml(bomb, "x.yaml")
    assert spent.cpu_s < 5


def test_files(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no such file"):
        load_yaml(tmp_path / "no.yaml")
    with pytest.raises(SpecError, match="cannot be read"):
        load_yaml(tmp_path)
    (tmp_path / "big.yaml").write_text("#" * (MAX_FILE_BYTES + 1))
    with pytest.raises(SpecError, match="at most"):
        load_yaml(tmp_path / "big.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(SpecError, match="UTF-8"):
        load_yaml(tmp_path / "bytes.yaml")
