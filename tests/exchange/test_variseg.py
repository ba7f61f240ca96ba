"""Cards of VARISEG: SEG and RSEG as the report prints them, all others both ways."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.base.places import samples
from solver.cli import main
from solver.exchange.variseg.reading import taken
from solver.exchange.variseg.telling import VarisegError
from solver.exchange.variseg.writing import given
from solver.project import Project, ProjectError, load_project
from solver.project.checks import check
from solver.project.pose import start_pose
from tests.exploring import SEED
from tests.rows import rows

DEGREE = math.pi / 180.0


def bare(project: Project) -> Any:
    """Give a project without where its elements came from."""

    def without(one: Any) -> Any:
        if isinstance(one, dict):
            return {k: without(v) for k, v in one.items() if k != "source"}
        return [without(v) for v in one] if isinstance(one, list | tuple) else one

    return without(project.model_dump())


def test_the_two_printed_cards_in_order_shuffled_and_with_fields_left_out() -> None:
    whole = "SEG HEAD, 4.5, 0.03, 1, 270, SI.\nRSEG HEAD, 0.2, 1.5, 10, 3, 0, 40, INERTL, SI.\n"
    others = (
        "RSEG HEAD, THDOT 40, X 0.2, 1.5, 10, XDOT 3.\nSEG HEAD, (IMM) 0.03, (MASS) 4.5.",
        "SEG HEAD, 4.5,\n  0.03, , , .  RSEG HEAD, (X) 2.D-1, Z 1.5, (TH) 10, XDOT 3., THDOT +40.0, UNIT SI.",
        "* a head\nseg HEAD, imm .03, mass 4.50 .\nRSEG HEAD, 0.2, 1.5, 10, 3, , 40, COORD INTERL.",
        "SEG HEAD, UNIT SI, FLAM +1, 0GME 270, MASS 4.5, 0.03.\nRSEG HEAD, ZD0T 0, 40, X 0.2, 1.5, 10, 3.",
    )
    first = taken(whole).project
    head = first.segments[0]
    assert (head.mass_kg, head.inertia_kgm2[1]) == (4.5, 0.03)
    root = first.initial.roots[0]
    assert root.position_m == pytest.approx((0.2, 0.0, -1.5))
    assert root.velocity_m_per_s == pytest.approx((3.0, 0.0, 0.0))
    assert first.initial.attitudes[0].angular_velocity_rad_per_s == pytest.approx(
        (0, 40 * DEGREE, 0)
    )
    for text in others:
        project = taken(text).project
        assert bare(project.model_copy(update={"note": ""})) == bare(first)


def test_systems_that_are_askew_clockwise_nested_and_in_other_units() -> None:
    text = """
    REF WIDE, LENG 0.5, TIME 2, ANGL 1.
    SEG CAR, ELAM -1, OMEG 60, UNIT WIDE.
    RSEG CAR, 2, 4, -0.3, 6, 0, 0.2, UNIT WIDE.
    SEG MAN, 80, 10.
    RSEG MAN, 3, 1, 0.5, 1, 2, 0.1, CAR, WIDE.
    """
    project = taken(text).project
    # by the report's equations (5) to (7): CAR lies at (1, 2) m, turned by -0.3; its z stands at 60 degrees from its x
    R = np.array([[math.cos(-0.3), -math.sin(-0.3)], [math.sin(-0.3), math.cos(-0.3)]])
    arm = R @ (0.5 * np.array([3 + math.cos(math.pi / 3), math.sin(math.pi / 3)]))
    place = np.array([1.0, 2.0]) + arm
    spin = 0.2 / 2
    speed = np.array([1.5, 0.0]) + R @ (
        0.25 * np.array([1 + 2 * math.cos(math.pi / 3), 2 * math.sin(math.pi / 3)])
    )
    speed += spin * np.array([-arm[1], arm[0]])
    root = project.initial.roots[1]
    assert root.position_m == pytest.approx((place[0], 0.0, -place[1]), abs=1e-14)
    assert root.velocity_m_per_s == pytest.approx((speed[0], 0.0, -speed[1]), abs=1e-14)
    turn = project.initial.attitudes[1]
    assert turn.orientation.angles_rad[1] == pytest.approx(-0.3 - 0.5)
    assert turn.angular_velocity_rad_per_s[1] == pytest.approx(spin - 0.05)


PENDULUM = """
RUN A SLED, TEND 0.4, DT 0.01.
SEG ROD, 2, 0.05.            RSEG ROD, TH -70.
SEG BOB, 1, 0.01.            RSEG BOB, TH -80.
CONN PIVOT, INERTL, ROD, PIN, 0, 1, -0.4, 0.
CONN ELBOW, ROD, BOB, PIN, 0.4, 0, -0.2, 0.
JFOR ELBOW, STIF 0.1, REST -5, STOP 40, QUAD 0.01, VISC 0.002.
ELL ROUND, BOB, 0.05, 0, 0.1, 0.06.
LINE FLOOR, INERTL, -2, -0.1, 2, -0.1.
CONT TOUCH, ROUND, FLOOR, 1E4, 20, 0.3.
TABL PUSH, 0, 0, 0.1, 5, 0.2, 0.
APPL PUSHED, BOB, 0.1, 0, ANG 90, AXES OWN, TAB PUSH.
"""


def test_a_double_pendulum_of_cards_is_written_and_solves_the_same() -> None:
    made = taken(PENDULUM)
    assert [one for one in check(made.project) if one.severity == "error"] == []
    assert {one.card for one in made.notes} >= {"SEG", "RSEG", "CONN", "CONT"}
    pose = start_pose(made.project)
    # the rod hangs from (0, 1): its centre 0.4 m along its x axis, which points down by 70 degrees
    assert pose["ROD"].p_W == pytest.approx(
        (0.4 * math.cos(70 * DEGREE), 0, -1 + 0.4 * math.sin(70 * DEGREE))
    )
    written = given(made.project)
    assert written.losses == ()
    back = taken(written.text).project
    first, second = mk.run(mk.Model(made.project)), mk.run(mk.Model(back))
    for axis in "xz":
        name = f"segments/BOB/position/{axis}"
        assert np.abs(first[name].value - second[name].value).max() < 1e-9
    # it meets the floor, 0.1 m below the origin
    assert first["contacts/TOUCH/force/resultant"].value.max() > 0.0


@pytest.mark.parametrize("name", ["pendulum", "double_pendulum", "bouncing_ball"])
def test_samples_in_the_plane_are_written_and_read(name: str) -> None:
    project = load_project(samples() / f"{name}.json")
    back = taken(given(project).text).project
    assert [str(one) for one in check(back) if one.severity == "error"] == []
    ours, theirs = start_pose(project), start_pose(back)
    for one in project.segments:
        assert np.abs(ours[one.id].p_W - theirs[one.id].p_W).max() < 1e-12
        assert np.abs(ours[one.id].R_WS - theirs[one.id].R_WS).max() < 1e-12


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There are no cards"),
        ("SEG A, 1", "does not end with a period"),
        (
            "* a deck\n" + "      12.5      0.05     -1.E0".ljust(72) + "     201\n",
            "line 2: Card ?: numbers alone, and one in columns 73 to 80: it is a fixed-column card",
        ),
        ("BODY A, 1.", "line 1: Card BODY: it is none of REF, SEG"),
        ("\n\nSEG , 1, 2.", "line 3: Card SEG: a name must follow"),
        ("SEG A, MASS x.", "field MASS: 'x' stands where a number is expected"),
        ("SEG A, 1, 2, 1, 270, SI, 5.", "'5' stands behind its last field"),
        ("SEG A, OMEG 180.", "OMEG must not be"),
        ("SEG A, ELAM 2.", "ELAM is +1 or -1"),
        ("SEG A, UNIT FOO.", "no system of units 'FOO'"),
        ("SEG A. SEG A.", "another card of this name"),
        ("RSEG A, 1.", "no card SEG of this name"),
        ("SEG A. SEG B. RSEG A, COORD B. RSEG B, COORD A.", "counts from itself"),
        ("SEG A. CONN J, INERTL, B.", "there is no card SEG B"),
        ("SEG A. CONN J, INERTL, A, SLIDE.", "'SLIDE' is no connector; there are 1 to 15"),
        ("SEG A, 1, 1. RSEG A, 3, 0. CONN J, INERTL, A.", "holds it 3 m from where it is placed"),
        ("SEG A. TABL T, 0, 1, 2.", "in pairs"),
    ],
)
def test_what_is_wrong_is_said_with_line_and_card(text: str, said: str) -> None:
    with pytest.raises(ProjectError) as failure:
        taken(text)
    assert said in str(failure.value)


def test_what_leaves_the_plane_is_refused_or_named() -> None:
    with pytest.raises(VarisegError, match="leaves the plane"):
        given(load_project(samples() / "free_body.json"))
    losses = dict(given(load_project(samples() / "four_bar.json")).losses)
    assert any(path.startswith("constraints/") for path in losses)


def test_cards_from_the_shell_and_in_python(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "rods.vsg"
    file.write_text(PENDULUM)
    assert main(["import", str(file), "--report"]) == 0
    assert "RSEG" in capsys.readouterr().out
    assert (
        main(["export", str(tmp_path / "rods.json"), "--variseg", str(tmp_path / "again.vsg")]) == 0
    )
    read = mk.read_variseg(tmp_path / "again.vsg")
    assert len(read.model.project.segments) == 2
    assert mk.write_variseg(read.model, tmp_path / "third.vsg") == ()
    assert (tmp_path / "third.vsg").read_text() == (tmp_path / "again.vsg").read_text()


@pytest.mark.seeded
@rows("seed", range(2000 if SEED else 150))
def test_damaged_cards_give_sentences(seed: int) -> None:
    rng = random.Random(f"{SEED}-{seed}")
    text = PENDULUM
    for _ in range(rng.choice((1, 1, 2, 6))):
        words = text.split(" ")
        at = rng.randrange(len(words))
        match rng.randrange(5):
            case 0:
                del words[at]
            case 1:
                words[at] = rng.choice(
                    (
                        "-1,",
                        "0,",
                        ",",
                        ".",
                        "1E9,",
                        "SEG",
                        "ROD,",
                        "INERTL,",
                        "nan,",
                        "\n",
                        "(",
                        "9" * 20,
                    )
                )
            case 2:
                words.insert(at, words[rng.randrange(len(words))])
            case 3:
                words = words[:at]
            case _:
                lines = text.split("\n")
                del lines[rng.randrange(len(lines))]
                words = "\n".join(lines).split(" ")
        text = " ".join(words)
    try:
        made = taken(text)
    except ProjectError as failure:
        assert all(one.sentence and one.code for one in failure.problems)  # noqa: PT017
        return
    found = check(made.project)
    assert all(one.sentence for one in found)
    if not any(one.severity == "error" for one in found):
        try:
            back = taken(given(made.project).text).project
            assert len(back.segments) == len(made.project.segments)
        except VarisegError as refusal:
            assert str(refusal)  # noqa: PT017
