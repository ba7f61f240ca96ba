"""The validation book holds."""

from __future__ import annotations

import pytest

from validation import mechanisms, rotation, small_motions, tissues
from validation.case import Case


@pytest.mark.parametrize(
    "cases", [rotation.cases, mechanisms.cases, tissues.cases, small_motions.cases]
)
def test_every_case_of_the_book_holds(cases: object) -> None:
    book = list(cases())  # type: ignore[operator]
    assert len(book) >= 10
    assert [case.row() for case in book if not case.passed] == []


def test_a_case_can_fail() -> None:
    assert not Case("a", "b", "c", 1.0, 1.1, 0.05).passed
    assert "**fails**" in Case("a", "b", "c", 0.0, 1.0, 0.5).row()
