"""What an impact did, told as events: impulses, state, loss, mass at the touch, and what joints and constraints took up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest

from app.run_view.marks import marks
from manikin import Run, open_run
from solver.base.atomic import rows_of
from solver.report import report
from solver.results.events import IN_JOINT, OF_PAIR, ON_SEGMENT, Event
from solver.results.trajectory import Trajectory
from tests.balls_and_floors import FLOOR, FREE, run
from tests.models import base

MASSES = {"a": 2.0, "b": 1.0, "c": 0.7}
INERTIAS = {"a": (0.02, 0.03, 0.04), "b": (0.01, 0.02, 0.015), "c": (0.004, 0.006, 0.005)}
CENTRES = {"a": (0.0, 0.0, 1.0), "b": (0.3, 0.1, 0.8), "c": (0.5, 0.0, 0.4)}
JOINTS = {"ab": ("a", "b", (0.1, 0.1, 0.9), 3), "bc": ("b", "c", (0.4, 0.0, 0.6), 5)}
"""Parent, child, place, and how many of six motions each holds: a ball joint, and a pin about y."""
TIP, RADIUS = (0.45, 0.05, 0.2), 0.1
SPEED = (0.8, -0.5, -2.0)


def chain(e: float, mu: float, **law: Any) -> Any:
    """Let three bodies that are joined, and do not turn, fall with a ball at the end on a floor."""
    drop = RADIUS - TIP[2] + 1e-4

    def frame(joint: str, body: str) -> Any:
        place = np.array(JOINTS[joint][2]) - np.array(CENTRES[body])
        return {"position_m": place.tolist()}

    data = base(
        segments=[
            {"id": name, "mass_kg": MASSES[name], "inertia_kgm2": list(INERTIAS[name])} for name in MASSES
        ],
        joints=[
            {"id": "ab", "kind": "ball", "parent": "a", "child": "b", "parent_frame": frame("ab", "a"), "child_frame": frame("ab", "b")},
            {"id": "bc", "kind": "pin", "parent": "b", "child": "c", "parent_frame": frame("bc", "b"), "child_frame": frame("bc", "c")},
        ],
        planes=[FLOOR],
        contact_laws=[{"id": "law", "kind": "kelvin_voigt", "stiffness_n_per_m": 1e-3, "restitution": e, "friction": mu, **law}],
        contacts=[{"id": "touch", "kind": "plane", "plane": "floor", "law": "law", "surface": {"segment": "c", "surface": "skin"}}],
        initial={"roots": [{
            "segment": "a", "velocity_m_per_s": list(SPEED), "position_m": [CENTRES["a"][0], CENTRES["a"][1], CENTRES["a"][2] + drop],
        }]},
    )  # fmt: skip
    tip = (np.array(TIP) - np.array(CENTRES["c"])).tolist()
    data["segments"][2]["surfaces"] = [
        {"id": "skin", "kind": "ellipsoid", "semi_axes_m": [RADIUS] * 3, "centre_m": tip}
    ]  # fmt: skip
    return data | FREE


def told(out: Trajectory, *kinds: str) -> list[Event]:
    return [event for event in out.events() if event.kind in kinds]


def crossed(r: Any) -> Any:
    x, y, z = r
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def ends(joint: str) -> Any:
    """Give what a joint holds: rows of conditions on (v, w) of its child less those of its parent, all bodies."""
    names = list(MASSES)
    parent, child, place, holds = JOINTS[joint]
    rows = np.zeros((6, 18))
    for name, sign in ((child, 1.0), (parent, -1.0)):
        at = 6 * names.index(name)
        arm = np.array(place) - np.array(CENTRES[name])
        rows[:3, at : at + 3] = sign * np.eye(3)
        rows[:3, at + 3 : at + 6] = -sign * crossed(arm)
        rows[3:, at + 3 : at + 6] = sign * np.eye(3)
    return rows[:3] if holds == 3 else rows[[0, 1, 2, 3, 5]]


TIE = {"a": (-0.1, 0.0, 0.8), "c": (0.6, 0.1, 0.4)}
"""Places of two points that a constraint holds at their distance: it closes a loop."""


def tied() -> Any:
    """Give the condition of that constraint, and its direction."""
    along = np.subtract(TIE["c"], TIE["a"])
    along = along / np.linalg.norm(along)
    row = np.zeros((1, 18))
    for name, sign in (("c", 1.0), ("a", -1.0)):
        at = 6 * list(MASSES).index(name)
        row[0, at : at + 3] = sign * along
        row[0, at + 3 : at + 6] = sign * np.cross(np.subtract(TIE[name], CENTRES[name]), along)
    return row, along


@pytest.mark.parametrize(
    ("e", "mu", "law", "kind", "loop"),
    [
        (0.5, 0.02, {}, "impact_reverses", False), (0.2, 2.0, {}, "impact_sticks", False),
        (0.5, 0.02, {"restitution_law": "poisson"}, "impact_reverses", False), (0.3, 0.1, {}, "impact_sticks", True),
    ],
)  # fmt: skip
def test_the_impulses_of_an_impact_are_those_of_all_bodies_by_themselves(
    e: float, mu: float, law: Any, kind: str, loop: bool
) -> None:
    """Newton and Euler for each body: momentum changes by the impulses at its touch and its joints, to rounding."""
    data = chain(e, mu, **law)
    if loop:
        a, c = (
            {"segment": name, "position_m": np.subtract(TIE[name], CENTRES[name]).tolist()}
            for name in TIE
        )
        data["constraints"] = [{"id": "tie", "kind": "fixed_distance", "a": a, "b": c}]
    out = run(data, 2e-4, 1e5)
    (hit,) = told(out, *OF_PAIR)
    assert hit.kind == kind
    assert hit.elements == ("contacts/touch",)
    normal, across, lost, mass, approach, leaves, sliding, slides = hit.values[:8]
    impulse, place = np.array(hit.values[8:11]), np.array(hit.values[11:14])
    names = list(MASSES)
    M = np.zeros((18, 18))
    for n, name in enumerate(names):
        M[6 * n : 6 * n + 3, 6 * n : 6 * n + 3] = MASSES[name] * np.eye(3)
        M[6 * n + 3 : 6 * n + 6, 6 * n + 3 : 6 * n + 6] = np.diag(INERTIAS[name])
    fallen = np.array(SPEED) * hit.time + np.array([0.0, 0.0, RADIUS - TIP[2] + 1e-4])
    arm = place - fallen - np.array(CENTRES["c"])
    touch = np.zeros((3, 18))
    touch[:, 12:15], touch[:, 15:] = np.eye(3), -crossed(arm)
    row, along = tied()
    holds = np.vstack([*(ends(name) for name in JOINTS), *([row] if loop else [])])
    k = len(holds)
    whole = np.block([[M, -holds.T], [holds, np.zeros((k, k))]])

    def after(p: Any) -> Any:
        return np.linalg.solve(whole, np.concatenate([touch.T @ p, np.zeros(k)]))

    found = after(impulse)
    before = np.tile([*SPEED, 0.0, 0.0, 0.0], 3)
    end = before + found[:18]
    # all momentum comes from the floor
    change = sum(MASSES[name] * found[6 * n : 6 * n + 3] for n, name in enumerate(names))
    assert change == pytest.approx(impulse, abs=1e-9)
    assert (normal, across) == pytest.approx((impulse[2], np.hypot(*impulse[:2])), abs=1e-12)
    u = touch @ end
    assert (approach, leaves) == pytest.approx((2.0, u[2]), abs=1e-9)
    assert (sliding, slides) == pytest.approx((np.hypot(*SPEED[:2]), np.hypot(*u[:2])), abs=1e-9)
    if not law:
        assert leaves == pytest.approx(e * approach, rel=1e-9)
    assert lost == pytest.approx(0.5 * (before @ M @ before - end @ M @ end), abs=1e-9)
    ease = touch @ np.array([after(one)[:18] for one in np.eye(3)]).T
    assert mass == pytest.approx(1.0 / ease[2, 2], rel=1e-9)
    # joints: on the child, in its point
    felt = {event.elements[0]: np.array(event.values) for event in told(out, IN_JOINT)}
    ball, pin = found[18:21], found[21:26]
    assert felt["joints/ab"] == pytest.approx([*ball, 0.0, 0.0, 0.0], abs=1e-9)
    assert felt["joints/bc"] == pytest.approx([*pin[:3], pin[3], 0.0, pin[4]], abs=1e-9)
    held = {event.elements[0]: np.array(event.values) for event in told(out, ON_SEGMENT)}
    assert bool(held) == loop
    if loop:
        pull = found[26] * along
        at_joint = np.cross(np.subtract(TIE["c"], JOINTS["bc"][2]), pull)
        assert held["segments/c"] == pytest.approx([*pull, *at_joint], abs=1e-9)
        assert held["segments/a"][:3] == pytest.approx(-pull, abs=1e-9)
    (impact,) = Run(out).impacts
    assert (impact.normal, impact.loss, impact.mass) == (normal, lost, mass)
    assert (impact.element, impact.state) == ("contacts/touch", kind.removeprefix("impact_"))
    assert impact.joints["joints/bc"].impulse == tuple(felt["joints/bc"][:3])
    assert out.table("energy")["lost_in_impulses"][-1] == pytest.approx(lost, abs=1e-9)
    assert sum("strikes and" in line for line in out.log) == 1


def test_impacts_are_told_by_files_tables_reports_and_the_timeline(tmp_path: Path) -> None:
    out = run(chain(0.2, 2.0), 2e-4, 1e5)
    live = Run(out)
    (impact,) = live.impacts
    again = open_run(live.save(tmp_path / "run.h5"))
    assert again.events == live.events
    assert again.impacts == live.impacts
    lines = rows_of(again.write_impacts(tmp_path / "impacts.csv").read_text(encoding="utf-8"))
    assert [row[1:3] for row in lines[1:]] == [
        ["contacts/touch", "sticks"], ["joints/ab", "joint"], ["joints/bc", "joint"],
    ]  # fmt: skip
    at = lines[0].index("impulse_z [N s]")
    assert float(lines[1][at]) == impact.impulse[2]
    assert float(lines[3][at]) == impact.joints["joints/bc"].impulse[2]
    book = openpyxl.load_workbook(again.write_excel(tmp_path / "run.xlsx", "segments/c/velocity/z"))
    assert book["Impacts"].cell(3, 4).value == pytest.approx(impact.normal)
    (table,) = [one for one in report(out).content.tables if one.title.startswith("Impacts")]
    assert [cell.text for cell in table.rows[0]][2] == "sticks"
    (mark,) = [one for one in marks(live.model.project, out) if one.kind == "impact"]
    assert f"{impact.normal:.3g} N s" in mark.words
