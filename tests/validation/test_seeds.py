"""The table of what the seeds describe: every row there once, with a verdict, and evidence that exists."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tools.docs import ROOT
from validation import seeds

ROWS = [row for _, each in seeds.rows() for row in each]


def test_every_row_of_the_five_lists_stands_there_once() -> None:
    names = [row.name for row in ROWS]
    assert Counter(name[0] for name in names) == seeds.COUNTS
    assert {name: n for name, n in Counter(names).items() if n > 1} == {}
    for letter, count in seeds.COUNTS.items():
        assert {f"{letter}{n}" for n in range(1, count + 1)} <= set(names)


def test_rows_have_verdicts_pages_and_evidence_that_exists() -> None:
    for row in ROWS:
        assert row.verdict in seeds.VERDICTS, row.name
        assert (ROOT / "docs" / row.page.partition("#")[0]).exists(), row.name
        assert row.evidence or row.verdict != "works", row.name
        assert row.remark or row.verdict == "works", row.name
        for one in row.evidence:
            kind, _, what = one.partition(": ")
            assert kind in ("test", "book"), row.name
            file, _, test = what.partition("::")
            if kind == "test":
                text = (ROOT / file).read_text(encoding="utf-8")
                assert not test or re.search(rf"^def {test}\(", text, re.M), row.name
            else:
                assert " / " in what, row.name


def test_the_page_is_that_of_the_table() -> None:
    """Verdicts, places and remarks stand on the page as in the table; figures are those of its last run."""
    page = (ROOT / "docs" / "seeds.md").read_text(encoding="utf-8")
    for row in ROWS:
        (line,) = re.findall(rf"^\| {row.name} \|.*$", page, re.M)
        cells = [one.strip() for one in line.strip("|").split(" | ")]
        assert cells[1:3] == [row.where, row.what], row.name
        assert f"]({row.page})" in cells[3], row.name
        assert cells[6] == row.verdict, row.name
        assert cells[7].startswith(row.remark), row.name


def test_evidence_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "book", list)
    row = seeds.Row("V1", "p. 1", "what", "engine.md", ("book: No such case / x",), "", "works", "")
    seeds.look([row])
    assert not row.is_sound
    assert "**fails**" in row.line()
