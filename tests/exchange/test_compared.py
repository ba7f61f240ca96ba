"""A deck's own printed tables beside its run: printed from the run's numbers they agree, and a wrong number is found."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.cli import main
from solver.engine.maths.rotation import matrix
from solver.exchange.decks.compared import CompareError, compare_printed, side_by_side
from solver.exchange.decks.importing import taken
from solver.exchange.decks.writing import write_deck
from solver.exchange.printed import PrintedError, PrintedTable, printed
from solver.results import Trajectory
from solver.results.trajectory import Channel
from solver.running.simulation import simulate
from tests import printing
from tests.decks import SLED, Small, card, constant, plane, table

IN, LB = 0.0254, 4.4482216152605
GROUND = 4
"""The ground's number in a deck of two segments and a vehicle."""


def deck_text() -> str:
    """A chain of two falls onto a slope; a spring pulls at it; all of it is to be printed."""
    deck = Small(2)
    deck.shapes["D.2"] = [
        card("D.2.a", number=1, title="SLOPE"),
        card("D.2.b", corner=(-100, -100, 30)),
        card("D.2.c", corner=(100, -100, 0)),
        card("D.2.d", corner=(-100, 100, 30)),
    ]
    deck.functions = [*table(1, 0, 0, 1, 400, 2, 800), *constant(2, 0.4)]
    deck.contacts["F.1.b"] = [
        card("F.1.b", plane=1, carrier=GROUND, segment=1, ellipsoid=1, functions=(1, 0, 0, 0, 2), option=-1),
        card("F.1.b", plane=1, carrier=GROUND, segment=2, ellipsoid=2, functions=(1, 0, 0, 0, 2), option=-1, output=1),
    ]  # fmt: skip
    deck.shapes["D.8"] = [
        card("D.8", first=1, second=GROUND, second_point=(0, 0, -20), rest=5, spring=(5, 0))
    ]
    deck.roots, deck.turns[0] = [card("G.2", position=(0, 0, 3))], card("G.3", angles=(0, 20, 5))
    rows = deck.rows()
    for n, one in enumerate(rows):
        if one.name == "A.4":
            rows[n] = card(
                "A.4",
                iterations=4,
                steps=25,
                interval=0.002,
                first=5e-4,
                largest=1e-3,
                smallest=6.25e-5,
            )
        if one.name == "H.2":
            rows[n] = card("H.2", count=2, reference=GROUND, segment=1)
            rows[n + 1] = card("H.2+", reference=GROUND, segment=2, point=(1, 0, -2))
        if one.name == "H.6":
            rows[n] = card("H.6", count=1, pairs=(GROUND, 2))
        if one.name == "H.7":
            rows[n] = card("H.7", count=1, pairs=(0, 1))
        if one.name == "H.9":
            rows[n] = card("H.9", count=1, pairs=(1, 1))
    return "\n".join(write_deck(rows).lines) + "\n"  # fmt: skip


def told(run: Trajectory, step: int = 1) -> dict[str, Any]:
    """The tables that the old program would print, from the run's own arrays, by formulas of this test."""
    seg, con, jnt = (run.table(name) for name in ("segments", "contacts", "joints"))
    # the vehicle stands behind the segments
    R = np.array([[matrix(q) for q in row] for row in seg["quaternion_wxyz"]])
    t = 1e3 * np.asarray(run.time)[:, None]
    first = seg["velocity"][:, 0] / IN
    r = np.array([1.0, 0.0, -2.0])
    second = seg["velocity"][:, 1] / IN + np.einsum(
        "tij,tj->ti", R[:, 1], np.cross(seg["angular_velocity"][:, 1], r)
    )
    length = np.linalg.norm
    n = np.cross([200.0, 0.0, -30.0], [0.0, 200.0, 0.0])
    n /= length(n)
    force = con["force"][:, 1] / LB
    normal = np.abs(force @ n)
    friction = length(force - (force @ n)[:, None] * n, axis=1)
    joint = np.einsum("tji,tj->ti", R[:, 0], jnt["force"][:, 0]) / (100.0 * LB)
    torque = np.einsum("tji,tj->ti", R[:, 0], jnt["torque"][:, 0]) / (100.0 * LB * IN)
    spring = run.table("springs")["length"][:, :1] / IN
    pull = -length(run.table("springs")["force"][:, 0], axis=1)[:, None] / LB
    none = np.zeros((len(t), 2))
    between = np.einsum("tji,tjk->tik", R[:, 0], R[:, 1])
    bent = np.degrees([np.arccos(between[:, 2, 2]), np.arctan2(between[:, 1, 2], between[:, 0, 2]),
                       np.arctan2(between[:, 1, 0] - between[:, 0, 1], between[:, 0, 0] + between[:, 1, 1])]).T  # fmt: skip
    whole = length(torque, axis=1)[:, None] * 100.0
    yaw = np.degrees(np.arctan2(R[:, 1, 1, 0], R[:, 1, 0, 0]))
    pitch = np.degrees(-np.arcsin(R[:, 1, 2, 0]))
    roll = np.degrees(np.arctan2(R[:, 1, 2, 1], R[:, 1, 2, 2]))
    turned = np.degrees(np.arccos((R[:, 1].trace(axis1=1, axis2=2) - 1.0) / 2.0))
    items = np.concatenate(
        [first, length(first, axis=1)[:, None], second, length(second, axis=1)[:, None]], axis=1
    )
    depth = con["penetration"][:, 1:2] / IN
    return {
        "t21": printing.by_axes("Point Rel. Velocity (IN. /SEC.)", [(1, "S0", "GRND")], np.hstack([t, items[:, :4]]), "  0.00,  0.00,  0.00")
        + printing.by_axes("Point Rel. Velocity (IN. /SEC.)", [(2, "S1", "GRND")], np.hstack([t, items[:, 4:]]), "  1.00,  0.00, -2.00"),
        "t22": printing.by_axes("Segment Rel. Angular Displacement (deg)", [(2, "S1", "GRND")], np.column_stack([t, yaw, pitch, roll, turned])),
        "t23": printing.joint_force("J1", "S1", "S0", np.hstack([t, joint, torque])),
        "t24": printing.planes([(1, "SLOPE", 2, "S1", 2)], "GRND", np.hstack([t, depth, normal[:, None], friction[:, None], length(force, axis=1)[:, None], con["point"][:, 1] / IN])),
        "t25": printing.springs([1], np.hstack([t, spring, pull, none])),
        "t26": printing.joints([(1, "J1")], np.hstack([t, none[:, :1], bent, none, whole])),
    }  # fmt: skip


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("printed")
    deck = folder / "chain.ain"
    deck.write_text(deck_text())
    run = mk.run(mk.read_ain(deck).model)
    for ending, text in told(run.trajectory).items():
        (folder / f"chain.{ending}").write_text(text)
    return deck


def test_what_is_printed_of_a_run_agrees_with_it_in_every_table(case: Path, capsys: Any) -> None:
    found = mk.compare_printed(case, run="run")
    tables = found._found.tables
    assert len(tables) == 7
    for one in found.columns:
        # as many digits as are printed
        assert one.part < (5e-3 if "joint" in one.table else 2e-3), (
            one.table,
            one.printed.axis,
            one.largest,
        )
        assert one.rating is None or one.rating.whole > 0.9
    pressed = {one.printed.axis: one for one in found.columns if "plane" in one.table}
    assert pressed["normal"].peak > 50.0 * LB
    assert {"depth", "friction", "resultant", "place x", "place z"} <= set(pressed)
    assert {one.printed.axis for one in found.columns if "joint" in one.table} >= {
        "azimuth or nutation",
        "torque",
    }
    assert "spring force, damper force are not compared" in " ".join(found.notes)
    page = case.parent / "page.html"
    one = str(case.with_suffix(".t25"))
    assert (
        main(
            ["compare-printed", str(case), one, "-o", str(page), "--until", "0.04", "--run", "run"]
        )
        == 0
    )
    assert "spring 1: largest difference" in capsys.readouterr().out
    assert "1 of 1 tables are within 2 % of their peaks up to 40 ms" in page.read_text()


def test_a_wrong_number_is_found_where_it_stands(case: Path, capsys: Any) -> None:
    lines = (case.parent / "chain.t21").read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("   20.000"))
    lines[at] = lines[at][:30] + "   77.000" + lines[at][39:]
    wrong = case.parent / "wrong.t21"
    wrong.write_text("\n".join(lines))
    assert main(["compare-printed", str(case), str(wrong), "--json", "--run", "run"]) == 0
    columns = json.loads(capsys.readouterr().out)["columns"]
    worst = max(columns, key=lambda one: one["largest"] / one["peak"])
    assert (worst["table"], worst["column"], worst["at_s"]) == ("velocity 1 S0", "z", 0.02)


def test_what_cannot_be_compared_is_said(case: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone.ain"
    alone.write_text(case.read_text())
    with pytest.raises(CompareError, match="lies no printed table of its name"):
        compare_printed(alone)
    other = tmp_path / "other.t21"
    other.write_text(
        (case.parent / "chain.t21").read_text().replace("Segment No.  ", "Segment No. 1")
    )
    with pytest.raises(CompareError, match="None of the printed tables is of this deck"):
        compare_printed(alone, [other])
    with pytest.raises(CompareError, match="is none of the deck's runs: run, as_the_deck"):
        compare_printed(case, run="fast")


ROWS = [[2.0 * n, *(round(10.0 * k + n, 2) for k in range(20))] for n in range(3)]


@pytest.mark.parametrize(
    ("text", "names", "unit", "value"),
    [
        (printing.joints([(3, "RK"), (-4, "LK")], ROWS), "3 RK joint torque", "N*m", 61.0 * LB * IN),
        (printing.joint_force("RK", "LEG", "PEL", ROWS), "RK LEG PEL joint force torque z", "N*m", 51.0 * 100.0 * LB * IN),
        (printing.planes([(1, "FLOOR", 3, "LF", 3), (2, "SEAT", 4, "LT", 4)], "GRND", ROWS), "2 SEAT 4 LT plane contact friction", "N", 91.0 * LB),
        (printing.pair((3, "LT"), (5, "UT"), ROWS), "3 LT 5 UT contact second place z", "m", 91.0 * IN),
        (printing.straps([(1, 1), (2, 1)], ROWS), "2 1 harness force at B", "N", 71.0 * LB),
        (printing.belts([(1, "LAP", 3, "LT")], ROWS), "1 LAP 3 LT belt strain at B", "1", 21.0),
        (printing.springs([1, 2], ROWS), "2 spring damper force", "N", 71.0 * LB),
        (printing.by_axes("Segment Wind Force (LB. )", [(3, "LT", "GRND")], ROWS), "LT wind z, In GRND Reference", "N", 21.0 * LB),
    ],
)  # fmt: skip
def test_tables_of_contacts_joints_and_belts_are_read(
    text: str, names: str, unit: str, value: float
) -> None:
    made = printed(text)
    one = next(c for c in made.curves if c.name == names)
    assert (one.unit, one.time[1]) == (unit, 2e-3)
    assert one.value[1] == pytest.approx(value, rel=1e-3)


def test_powers_are_written_as_fortran_does_and_layouts_that_nobody_shows_are_refused() -> None:
    assert printing.power(-0.5, 9, 3) == "-.500E+00"
    text = printing.joints([(1, "RK")], [[0.0, 1.0, *[-1.25e-7] * 6], [2.0, 1.0, *[0.0] * 6]])
    made = next(c for c in printed(text).curves if c.axis == "torque")
    assert made.value[0] == pytest.approx(-1.25e-7 * LB * IN)
    with pytest.raises(PrintedError, match="does not name"):
        printed(text.replace("Joint No.", "Joint "))


def test_mass_centre_and_joint_angles_of_the_sled_are_those_that_the_program_prints() -> None:
    """At its start; version V.3 prints 18.183, 0, -20.231 in, and 10.2 and 10.0 degrees of both joints of the neck."""
    made = taken(SLED)
    runs = tuple(one.model_copy(update={"duration_s": 2e-3}) for one in made.project.runs)
    made = replace(made, project=made.project.model_copy(update={"runs": runs}))
    time = np.array([0.0, 2e-3])

    def columns(unit: str, **values: float) -> dict[str, Channel]:
        words = {word.replace("_", " "): value for word, value in values.items()}
        return {
            word: Channel(word, time, np.full(2, value), unit, axis=word)
            for word, value in words.items()
        }

    bent = "flexure_or_precession"
    tables = [
        PrintedTable("body", ("16", "VEH "), "", "", columns("m", centre_x=18.183 * IN, centre_y=0.0, centre_z=-20.231 * IN)),
        PrintedTable("joint", ("3", "NP"), "", "", columns("rad", **{bent: np.radians(10.18), "torsion_or_spin": 0.0})),
        PrintedTable("joint", ("4", "HP"), "", "", columns("rad", **{bent: np.radians(10.0)})),
    ]  # fmt: skip
    found, left = side_by_side(made, tables, simulate(made.project, "as_the_deck"))
    assert not left
    assert len(found) == 6
    for one in found:
        assert one.largest < (6e-4 * IN if "body" in one.table else np.radians(0.006)), one.table


def test_wind_on_a_segment_is_an_output_and_stands_beside_what_is_printed() -> None:
    """Along the ground's axes; the sphere's shadow has an area of pi a^2."""
    deck = Small()
    deck.counts["winds"] = 1
    deck.shapes["D.2"] = plane(1)
    deck.shapes["D.5"] = [card("D.5", number=9, semi_axes=(3, 3, 3))]
    deck.winds = [card("E.6.a", number=9, title="BLAST"), card("E.6.b"), card("E.6.c", points=2),
                  card("E.6.d", row=(0, 2, 0, 0)), card("E.6.d", row=(1, 2, 0, 0))]  # fmt: skip
    deck.late = [
        card("F.7.a", flags=(1, 0)),
        card("F.7.b", segment=1, ellipsoid=9, carrier=GROUND, plane=1, function=9),
    ]
    # wholly behind the wind's plane
    deck.roots = [card("G.2", position=(0, 0, 60))]
    rows = deck.rows()
    at = next(n for n, one in enumerate(rows) if one.name == "H.8")
    rows[at] = card("H.8", count=2, pairs=(0, 1, 0, 2))
    made = taken("\n".join(write_deck(rows).lines).encode())
    assert [one.of for one in made.project.outputs if one.kind == "element"] == ["winds"]
    (note,) = [one for one in made.notes if one.card == "H.8"]
    assert "Segment 2 stands in no wind" in str(note)
    time, size = np.array([0.0, 2e-3]), 2.0 * np.pi * 9.0 * LB
    curves = {axis: Channel(axis, time, np.full(2, value), "N", axis=axis) for axis, value in
              (("x", size), ("y", 0.0), ("z", 0.0), ("resultant", size))}  # fmt: skip
    table = PrintedTable("wind", ("1", "S0"), "", "GRND", curves)
    found, _ = side_by_side(made, [table], simulate(made.project, "as_the_deck"))
    assert len(found) == 4
    assert max(one.part for one in found) < 1e-6
