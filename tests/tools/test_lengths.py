"""No file of the program is longer than can be looked over: what passes 500 lines holds more than one thought."""

from __future__ import annotations

from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
MOST = 500
LONG = {"solver/engine/maths/spatial.py", "manikin/schema/__init__.py"}
"""Helpers of a few lines each, which are looked up and not read from the top; a list of names that a command writes."""


def test_no_file_is_too_long() -> None:
    lines = {
        file.relative_to(TOP).as_posix(): len(file.read_text(encoding="utf-8").splitlines())
        for tree in ("solver", "app", "manikin")
        for file in (TOP / tree).rglob("*.py")
    }
    assert len(lines) > 600
    assert {name: count for name, count in lines.items() if count > MOST and name not in LONG} == {}
