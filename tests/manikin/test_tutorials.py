"""Tutorials run from top to bottom: their Python in one program, their commands, and what they print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from app.front_door import main as program

DOCS = Path(__file__).parent.parent.parent / "docs"
TUTORIALS = sorted(DOCS.glob("tutorial-*.md"))
BLOCK = re.compile(r"^```(python|sh|text)\n(.*?)^```", re.M | re.S)


def test_there_are_tutorials_that_do_something() -> None:
    assert len(TUTORIALS) >= 5
    for page in TUTORIALS:
        assert {kind for kind, _ in BLOCK.findall(page.read_text())} & {"python", "sh"}, page.name


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    said = ""
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "text":
            assert said == text, page.name
            continue
        if kind == "python":
            exec(compile(text, page.name, "exec"), names)
        else:
            # a shorter crash shows the same
            for line in text.replace("--until 0.1", "--until 0.02").splitlines():
                name, *words = shlex.split(line)
                assert name == "manikin"
                assert program(words) == 0, line
        said = capsys.readouterr().out
