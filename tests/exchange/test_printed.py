"""Tables that the old program prints: read as curves, whatever stands around them, or refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import manikin as mk
from solver.cli import main
from solver.exchange.printed import PrintedError, printed

INCH, G = 0.0254, 386.088 * 0.0254
Rows = list[list[float]]


def page(
    title: str, items: list[tuple[int, str, str]], rows: Rows, columns: str = "XYZ", point: str = ""
) -> str:
    """Print a page as version V.3 does: items of 39 columns behind nine of time."""
    names = ["X", "Y", "Z", "Res"] if columns == "XYZ" else ["Yaw", "Pitch", "Roll", "Res"]
    lines = [
        "1" + " " * 18 + "Date:   2 SEPT 1988 " + " " * 80 + "Page   12",
        "        Run Description:   SLED", " " * 27 + "Page: 21.01",
        "   Vehicle Deceleration:   20 G", "           Test Subject:   MAN", "",
        " " * 47 + title, "",
    ]  # fmt: skip
    if point:
        lines.append(" " * 9 + "".join(f"       Point ({point}) on " for _ in items))
    lines.append(
        " " * 9
        + "".join(f"             Segment No.{n:3d} - {name:<4}     " for n, name, _ in items)
    )
    lines.append("    Time " + "".join(f"             {seen:<20}      " for _, _, seen in items))
    lines.append(
        "   (msec)"
        + "".join(f"{names[0]:>10}{names[1]:>9}{names[2]:>9}{names[3]:>10} " for _ in items)
    )
    lines.append("")
    lines += [f"{row[0]:9.3f}" + "".join("   " + "".join(f"{v:9.3f}" for v in row[1 + 4 * k : 5 + 4 * k])
                                         for k in range(len(items))) for row in rows]  # fmt: skip
    return "\n".join(lines) + "\n"


def rows(start: int, count: int, items: int) -> Rows:
    return [
        [2.0 * n, *(round(-100.0 * (k + 1) + n, 3) for k in range(4 * items))]
        for n in range(start, start + count)
    ]


SEEN = [(3, "UT", " In  UT   Reference  "), (-5, "H", "  Accelerometer (1G)")]


def test_pages_of_a_table_go_on_and_units_are_si(tmp_path: Path) -> None:
    title = "Point Total Acceleration (G's)"
    other = "Segment Rel. Angular Velocity (rev/SEC.)"
    text = "ECHO OF THE INPUT\n\n" + page(title, SEEN, rows(0, 3, 2), point="  1.00,  0.00, -2.50")
    text += page(other, SEEN[:1], rows(0, 3, 1)) + page(
        title, SEEN, rows(3, 2, 2), point="  1.00,  0.00, -2.50"
    )
    text += page("Water Forces", SEEN[:1], rows(0, 3, 1))
    file = tmp_path / "sled.aou"
    file.write_text(text)
    curves = mk.read_printed(file)
    assert len(curves) == 12
    first = curves[0]
    assert (first.unit, first.segment, first.axis, first.quantity) == (
        "m/s2",
        "UT",
        "x",
        "acceleration",
    )
    assert "(1.00, 0.00, -2.50)" in first.name
    assert first.time == pytest.approx(np.arange(5) * 2e-3)
    assert first.value == pytest.approx((np.arange(5) - 100.0) * G)
    assert "Accelerometer" in curves[4].name
    assert curves[8].value[1] == pytest.approx(-99.0 * 2.0 * np.pi)
    assert "'Water Forces' is not read" in " ".join(map(str, printed(text).notes))
    assert main(["import", str(file)]) == 0
    assert len((tmp_path / "sled.csv").read_text().splitlines()) == 6


@pytest.mark.parametrize(
    ("title", "unit", "factor", "columns"),
    [
        ("Point Rel. Velocity (IN. /SEC.)", "m/s", INCH, "XYZ"),
        ("Point Rel. Linear Displacement (IN. )", "m", INCH, "XYZ"),
        ("Point Rel. Linear Displacement ( CM.)", "m", 0.01, "XYZ"),
        ("Segment Angular Acceleration (rev/SEC.**2)", "rad/s2", 2.0 * np.pi, "XYZ"),
        ("Segment Rel. Angular Displacement (deg)", "rad", np.pi / 180.0, "ypr"),
    ],
)
def test_units_of_tables(title: str, unit: str, factor: float, columns: str) -> None:
    made = printed(page(title, SEEN[:1], rows(0, 2, 1), columns))
    assert [one.axis for one in made.curves][:3] == (
        ["x", "y", "z"] if columns == "XYZ" else ["yaw", "pitch", "roll"]
    )
    assert made.curves[0].unit == unit
    assert made.curves[0].value[0] == pytest.approx(-100.0 * factor)


def test_numbers_that_touch_and_asterisks() -> None:
    text = page(
        "Point Rel. Velocity (IN. /SEC.)",
        SEEN[:1],
        [[0, -1234.567, -9999.999, 0, 1], [2, 0, 0, 0, 0], [4, 0, 1, 0, 0]],
    )
    text = text.replace(
        "    0.000    0.000    0.000    0.000", "    0.000*********    0.000    0.000"
    )
    first, second, *_ = printed(text).curves
    assert first.value[0] == pytest.approx(-1234.567 * INCH)
    assert second.time == pytest.approx([0.0, 4e-3])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no page begins with its date"),
        (page("Belt Forces", SEEN[:1], rows(0, 3, 1)), "Its tables are: Belt Forces"),
        (page("Point Rel. Velocity (FURL/SEC.)", SEEN[:1], rows(0, 3, 1)), "Line 1: the unit"),
        (page("Point Rel. Velocity (IN. /SEC.)", SEEN[:1], rows(0, 1, 1)), "fewer than two rows"),
        (page("Point Rel. Velocity (IN. /SEC.)", SEEN[:1], rows(0, 2, 1) * 2), "Line 15: the time 0 ms"),
        (page("Point Rel. Velocity (IN. /SEC.)", SEEN[:1], rows(0, 3, 1)).replace("-100.000", "    WHAT"), "Line 13: 'WHAT' stands"),
        (page("Point Rel. Velocity (IN. /SEC.)", SEEN[:1], rows(0, 3, 1)).replace("Segment No", "Body No"), "does not name its segments"),
    ],
)  # fmt: skip
def test_what_is_no_such_table_is_said(text: str, said: str) -> None:
    with pytest.raises(PrintedError) as failure:
        printed(text, "a.aou")
    assert said in str(failure.value)


def test_a_run_is_rated_against_what_was_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = mk.run(mk.sample("bouncing_ball"), until=0.2)
    curve = run["segments/ball/velocity/z"]
    told = [
        [1e3 * t, 0.0, 0.0, round(v / INCH, 3), 0.0]
        for t, v in zip(curve.time, curve.value, strict=True)
    ]
    file = tmp_path / "ball.aou"
    file.write_text(
        page("Point Rel. Velocity (IN. /SEC.)", [(1, "BALL", " In  GRND Reference  ")], told)
    )
    test = next(one for one in mk.read_printed(file) if one.axis == "z")
    assert curve.rated(test).whole > 0.999
    out = tmp_path / "ball.h5"
    run.save(out)
    name = "segments/ball/velocity/z"
    assert main(["rate", str(out), name, str(file), "--curve", "velocity z"]) == 0
    assert "excellent" in capsys.readouterr().out
    for more, said in (
        ([], "4 curves of the test fit"),
        (["--curve", "sideways"], "No curve of the test"),
    ):
        assert main(["rate", str(out), name, str(file), *more]) == 1
        assert said in capsys.readouterr().err
    assert (
        main(["rate", str(out), "segments/ball/position/z", str(file), "--curve", "velocity z"])
        == 1
    )
    assert "The test is in m/s, the quantity in m" in capsys.readouterr().err
