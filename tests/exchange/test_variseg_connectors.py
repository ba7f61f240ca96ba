"""The fifteen connectors of VARISEG, forced variables and muscles: of cards, solved, written and read again."""

from __future__ import annotations

import math

import numpy as np
import pytest

import manikin as mk
from solver.exchange.variseg.cards import TYPES
from solver.exchange.variseg.reading import taken
from solver.exchange.variseg.writing import given
from solver.project import ProjectError
from solver.project.checks import check

ARM = "SEG ARM, 2, 0.05. RSEG ARM, TH -70, THDOT 20.\nCONN C, INERTL, ARM, {}, 0, 1, -0.2, 0"
LINE = ARM + ", LENG 0.3, DIR -60"
WHEEL = "SEG WHEEL, 2, 0.04. RSEG WHEEL, 0, 0.2, XDOT 1. ELL RIM, WHEEL, A 0.2, B 0.2.\nLINE FLOOR, INERTL, -5, 0, 5, 0.\n"
CARDS = {
    "1": ARM + ". JFOR C, STIF 0.1, REST -5, STOP 40, QUAD 0.01, FRIC 0.05.",
    "EXT0": LINE + ".",
    "EXT2": LINE + ".",
    "EXT1": LINE + ", END FROM.",
    "RIGID": LINE + ".",
    "RIGID1": LINE + ".",
    "7": LINE + ".",
    "LOCKPIN": ARM + ". LOCK C, PIN 1.",
    "BREAKPIN": ARM + ". LOCK C, 50. BRK C, FX 30, FZ 25, RAMP 0.01, HEAL 0.002.",
    "BREAKEXT2": LINE + ". LOCK C, FROM 1, TO 0.5, LENG 15. BRK C, 60, RAMP 0.05.",
    "BREAKEXT1": LINE + ". LOCK C, LENG 10, TO 0.4. BRK C, TORQ 30.",
    "BREAKEXT0": LINE + ". LOCK C, LENG 15. BRK C, FZ 40, RAMP 0.02.",
    "13": WHEEL + "CONN C, INERTL, WHEEL, {}, SHAP RIM, ON FLOOR, HOLD 3, SLID 2. BRK C, 50, RAMP 0.01.",
    "ROLL": "SEG CAR, 3, 0.1. RSEG CAR, 0, 0.1, XDOT 1. LINE UNDER, CAR, -0.1, 0.1, 0.1, 0.1. LINE RAIL, INERTL, -5, 0, 5, 0.\n"
    "CONN C, INERTL, CAR, {}, SHAP UNDER, ON RAIL, HOLD 2, SLID 1.",
    "NECK": LINE + ". JFOR C FROM, 0.2, VISC 0.01. JFOR C TO, STIF 0.1, REST 5. JFOR C LENG, 500, REST 0.28, VISC 5, FRIC 2.",
    "SHOULDER": ARM + ", RS 0.1, STIF 5000, DAMP 10.",
}  # fmt: skip
MOVED = """
SEG REF, 0. RSEG REF, 0, 2.   SEG BOB, 1, 0.01. RSEG BOB, TH -60.   SEG CAR, 10, 2. RSEG CAR, 1, 1.
CONN C, REF, BOB, PIN, XT -0.3.   JFOR C, TAB T.   TABL T, -90, 2, 90, -2.
TABL P, 0, 0, 0.1, 0.02, 0.2, 0.05, 0.3, 0.06.
MOVE MX, REF, COMP X, TAB P.   MOVE MZ, REF, COMP Z, VAL 2.   MOVE MT, REF, COMP TH, KIND VEL, VAL 30, S0 0.
MOVE CX, CAR, X 0.1, COMP X, KIND ACC, VAL 3.   MOVE CZ, CAR, COMP Z, KIND ACC, VAL -1, V0 0.5, COORD REF.
MUSC PULL, C, PIN, 0.01, 0.1, 0.02, TAB A.   TABL A, 0, 0, 0.1, 1.
APPL F, CAR, AXES BOB, ANG 20, FORC 5.
"""


def solved(text: str) -> tuple[mk.Run, str]:
    """Solve cards, write them and solve what is read of that: it is the same."""
    made = taken("RUN A SLED, TEND 0.25, DT 0.01.\n" + text).project
    assert [str(one) for one in check(made) if one.severity == "error"] == []
    written = given(made)
    assert written.losses == ()
    runs = [mk.run(mk.Model(one)) for one in (made, taken(written.text).project)]
    for one in made.segments:
        for axis in "xz":
            first, second = (run[f"segments/{one.id}/position/{axis}"].value for run in runs)
            assert np.abs(first - second).max() < 1e-12, one.id
    return runs[0], written.text


def test_every_type_of_the_table_is_read_solved_and_written_again() -> None:
    names, told = list(TYPES), set[str]()
    for kind, text in CARDS.items():
        run, written = solved(text.format(kind))
        assert run.status == "completed", kind
        name = names[int(kind) - 1] if kind.isdecimal() else kind
        # a neck is an extensional connector with resistances of its own
        assert f"TYPE {'EXT2' if name == 'NECK' else name}," in written, kind
        told.add(name)
    assert told == set(names)


def test_what_is_locked_opens_and_what_may_break_breaks() -> None:
    text = LINE.format("BREAKEXT0") + ". LOCK C, LENG 15. BRK C, FZ 40."
    # hung at rest along its line it pulls by m g cos 30 = 17 N: the line opens, keeps 15 N and speeds up by the rest
    run, _ = solved(text.replace("THDOT 20", "THDOT 0"))
    t = run["segments/ARM/position/x"].time
    down = math.cos(math.radians(30.0))
    way = 0.5 * (9.80665 * down - 15.0 / 2.0) * t**2
    gone = np.hypot(*(run[f"segments/ARM/position/{a}"].value - run[f"segments/ARM/position/{a}"].value[0] for a in "xz"))  # fmt: skip
    assert gone == pytest.approx(way, abs=1e-6)


def test_forced_variables_are_the_cubics_through_their_points() -> None:
    run, _ = solved(MOVED)
    t = run["segments/REF/position/x"].time
    cubic = np.polynomial.Polynomial.fit([0.0, 0.1, 0.2, 0.3], [0.0, 0.02, 0.05, 0.06], 3)
    assert run["segments/REF/position/x"].value == pytest.approx(cubic(t), abs=1e-9)
    assert run["segments/REF/position/z"].value == pytest.approx(np.full(len(t), -2.0), abs=1e-9)
    turned = math.radians(30.0) * t
    assert run["segments/REF/angle/pitch"].value == pytest.approx(turned, abs=1e-9)
    # along the massless segment's own z, which turns and points down, the car falls by 0.5 t - 0.5 t^2
    x, z = (run[f"segments/CAR/position/{a}"].value - run[f"segments/REF/position/{a}"].value for a in "xz")  # fmt: skip
    along = x * np.sin(turned) + z * np.cos(turned)
    assert along - along[0] == pytest.approx(0.5 * t - 0.5 * t**2, abs=1e-8)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ARM.format("16") + ".", "'16' is no connector"),
        (ARM.format("LOCKPIN") + ".", "needs a card LOCK"),
        (ARM.format("PIN") + ". LOCK C, 5.", "that can be locked"),
        (ARM.format("EXT2") + ".", "a length above zero"),
        (LINE.format("EXT1") + ". JFOR C FROM, 1.", "has the freedoms TO, LENG"),
        (LINE.format("RIGID2") + ". MUSC M, C, LENG, 1, 1, 1.", "has the freedoms FROM, TO"),
        (LINE.format("NECK") + ". JFOR C LENG, QUAD 3.", "STIF with CUBI"),
        (WHEEL + "CONN C, INERTL, WHEEL, ROLL, SHAP FLOOR, ON RIM.", "SHAP and ON name"),
        (ARM.format("SHOULDER") + ".", "RS and STIF are above zero"),
        ("SEG A, OMEG 60. MOVE M, A. SEG B. MOVE N, B, COORD A.", "stand askew"),
        ("SEG A. MOVE M, A, COMP Y.", "COMP is X, Z or TH"),
    ],
)
def test_what_no_connector_has_is_said(text: str, said: str) -> None:
    with pytest.raises(ProjectError) as failure:
        taken(text)
    assert said in str(failure.value)
