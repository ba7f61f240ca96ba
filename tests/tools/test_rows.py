"""A test of many rows tells every fault, with the name of its row."""

from __future__ import annotations

import inspect

import pytest

from tests.rows import rows


def test_every_fault_is_told() -> None:
    """Two asserts, an exception and what pytest itself finds, among rows that are in order."""
    seen = []

    @rows(("number", "said"), [(n, f"row {n}") for n in range(6)], ids=lambda one: f"<{one[1]}>")
    def looks(number: int, said: str, given: str) -> None:
        seen.append((number, said, given))
        assert number != 1, "one"
        assert number != 3
        if number == 4:
            raise KeyError(number)
        if number == 5:
            with pytest.raises(ValueError, match="never"):
                pass

    assert list(inspect.signature(looks).parameters) == ["given"]
    with pytest.raises(AssertionError) as found:
        looks(given="fixture")
    text = str(found.value)
    assert seen == [(n, f"row {n}", "fixture") for n in range(6)]
    assert text.startswith("4 of 6 rows:")
    assert [name in text for name in ("<row 0>", "<row 1>", "<row 2>")] == [False, True, False]
    assert all(name in text for name in ("<row 3>", "<row 4>", "<row 5>", "KeyError", "Failed"))


@rows("first", "ab")
@rows("second", [1, 2])
def test_rows_stand_in_rows(first: str, second: int, record_property: object) -> None:
    assert first in "ab"
    assert second in (1, 2)
    assert record_property is not None


def test_a_row_that_is_skipped_hides_no_other() -> None:
    def looks(number: int) -> None:
        if number < 2:
            pytest.skip("too small")
        assert number != 4

    with pytest.raises(AssertionError, match="1 of 3 rows"):
        rows("number", [1, 3, 4])(looks)()
    rows("number", [1, 3])(looks)()
    with pytest.raises(pytest.skip.Exception, match="too small"):
        rows("number", [0, 1])(looks)()


def test_no_rows_and_a_wrong_name_are_refused() -> None:
    with pytest.raises(AssertionError, match="no row"):
        rows("a", [])
    with pytest.raises(AssertionError, match="one of the test's"):
        rows("b", [1])(lambda a: None)
