"""Tables from spreadsheets and files: separators, decimal commas, headings, refusals."""

from __future__ import annotations

import pytest

from app.curves.points import (
    NotATable,
    in_order,
    moved,
    nice_step,
    read_table,
    snapped,
    with_point,
    without,
)


@pytest.mark.parametrize(
    ("text", "columns", "comma", "separator"),
    [
        ("0\t0\n1\t2.5\n", ((0, 1), (0, 2.5)), False, "\t"),
        ("0\t0\r\n1,5\t2,5\r\n", ((0, 1.5), (0, 2.5)), True, "\t"),
        ("0,0\n1,2.5\n", ((0, 1), (0, 2.5)), False, ","),
        ("0;0\n1,5;-2,5e3\n", ((0, 1.5), (0, -2500)), True, ";"),
        ("0;0\n1.5;2.5\n", ((0, 1.5), (0, 2.5)), False, ";"),
        ("0  0\n1   2.5", ((0, 1), (0, 2.5)), False, " "),
        # digits on both sides of commas alone are columns: it is said, and one step to take back
        ("1,5\n2,5\n", ((1, 2), (5, 5)), False, ","),
        ("1.5\n2.5\n", ((1.5, 2.5),), False, "\t"),
        ("1,2,3\n4,5,6\n", ((1, 4), (2, 5), (3, 6)), False, ","),
    ],
)
def test_the_manner_of_a_table_is_found_out(
    text: str, columns: object, comma: bool, separator: str
) -> None:
    found = read_table(text)
    assert found.columns == columns
    assert (found.decimal_comma, found.separator) == (comma, separator)


def test_headings_are_left_out_and_told() -> None:
    found = read_table('"Time [ms]";"Force (kN)"\n;\n0;0\n1,5;2\n')
    assert found.columns == ((0, 1.5), (0, 2))
    assert found.skipped == 2
    named = read_table("Time,Force\n0,0\n1,2\n")
    assert named.headings == ("Time", "Force")
    assert "1 heading row" in named.said()


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "nothing"), ("abc\ndef", "no row of numbers"), ("1\t2\n3\n", "1 columns"),
     ("1\t2\nx\t3\n", "no number")],
)  # fmt: skip
def test_what_is_no_table_is_said(text: str, said: str) -> None:
    with pytest.raises(NotATable, match=said):
        read_table(text)


def test_a_moved_point_stays_between_its_neighbours() -> None:
    x, y = (0.0, 1.0, 2.0), (0.0, 5.0, 7.0)
    assert moved(x, y, 1, 1.5, 9.0) == ((0.0, 1.5, 2.0), (0.0, 9.0, 7.0))
    far, _ = moved(x, y, 1, 99.0, 0.0)
    assert 1.99 < far[1] < 2.0
    low, _ = moved(x, y, 1, -99.0, 0.0)
    assert 0.0 < low[1] < 0.01
    assert moved(x, y, 0, -4.0, 1.0)[0][0] == -4.0


def test_points_come_and_go_in_order() -> None:
    x, y = (0.0, 1.0), (0.0, 5.0)
    assert with_point(x, y, 0.5, 3.0) == (((0.0, 0.5, 1.0), (0.0, 3.0, 5.0)), 1)
    assert with_point(x, y, 1.0, 3.0) == (((0.0, 1.0), (0.0, 3.0)), 1)
    assert without((0.0, 1.0, 2.0), (1.0, 2.0, 3.0), [1]) == ((0.0, 2.0), (1.0, 3.0))
    assert without(x, y, [0, 1]) == ((0.0,), (0.0,))
    assert in_order([2.0, 0.0, 2.0], [1.0, 2.0, 3.0]) == ((0.0, 2.0), (2.0, 3.0))


@pytest.mark.parametrize(("least", "step"), [(0.013, 0.02), (0.3, 0.5), (1.0, 1.0), (7.0, 10.0)])
def test_steps_are_round(least: float, step: float) -> None:
    assert nice_step(least) == pytest.approx(step)
    assert snapped(3.0 * step + 0.4 * step, step) == pytest.approx(3.0 * step)
    assert snapped(0.30000000000000004, 0.1) == 0.3
