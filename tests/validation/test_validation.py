"""The validation book holds."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from validation import mechanisms, rotation, small_motions, tissues
from validation.__main__ import DOCS
from validation.case import Case, Verdict


@cache
def book_of(cases: Any) -> list[Case]:
    """Solve the cases of a part of the book; several tests look at them."""
    return list(cases())


@pytest.mark.parametrize(
    "cases", [rotation.cases, mechanisms.cases, tissues.cases, small_motions.cases]
)
def test_every_case_of_the_book_holds(cases: Any) -> None:
    book = book_of(cases)
    assert len(book) >= 10
    assert [case.row() for case in book if not case.passed] == []


def test_table_3_2_is_shown_as_a_user_runs_it_beside_steps_that_end_at_marks() -> None:
    """Each figure has both rows, and says which it is."""
    rows = [case for case in book_of(rotation.cases) if case.source.startswith("Table 3.2")]
    ways: dict[str, set[tuple[str, str]]] = {rotation.MARKED: set(), rotation.RUN: set()}
    for case in rows:
        (way,) = [one for one in ways if case.source.endswith(one)]
        ways[way].add((case.source.removesuffix(way), case.quantity))
    assert ways[rotation.MARKED] == ways[rotation.RUN]
    assert len(rows) == 2 * len(ways[rotation.RUN]) > 20


def test_a_case_can_fail() -> None:
    assert not Case("a", "b", "c", 1.0, 1.1, 0.05).passed
    assert "**fails**" in Case("a", "b", "c", 0.0, 1.0, 0.5).row()


def test_the_first_table_of_the_book_says_what_its_sections_say() -> None:
    """Every line leads to a heading of the page, and every section has lines."""
    page = (DOCS / "validation.md").read_text(encoding="utf-8")
    table, rest = page.split("\n\n## ", 1)
    headings = {line.removeprefix("## ") for line in f"## {rest}".splitlines() if line.startswith("## ")}  # fmt: skip
    rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| [")]
    assert {row[0].split("[")[1].split("]")[0] for row in rows} == headings
    assert all(row[4] in ("holds", "**fails**") for row in rows)
    # what fails says why
    assert [row for row in rows if row[4] == "**fails**" and not row[5].strip(" |")] == []


def test_a_line_leads_to_its_heading() -> None:
    line = Verdict("Chest and spine, loaded slowly", "a", "b", "c", False, "d").row()
    assert line == "| [Chest and spine, loaded slowly](#chest-and-spine-loaded-slowly) | a | b | c | **fails** | d |"  # fmt: skip


def test_a_reader_gets_through_the_book() -> None:
    """A few pages: what was tried stands on one of its own."""
    lines = (DOCS / "validation.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 400
