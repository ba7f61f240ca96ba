"""The implicit method: its order, stiff closed forms and necks of discs, when it takes over, what it leaves alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

from solver.places import samples
from solver.project import load_project, validated
from solver.project.runs import Implicit
from solver.results import Trajectory
from solver.simulation import simulate
from tests.models import base, project, segment
from tests.test_integrators import EXACT, end_of
from tests.test_restart import half_and_whole


def evaluations(run: Trajectory) -> int:
    return int(run.steps()["evaluations"][-1])


def solved(data: Any) -> Trajectory:
    run = simulate(project(data))
    assert run.status == "completed", run.message
    return run


def test_its_order_is_four() -> None:
    """With errors that never shorten a step, halving it divides the error by sixteen."""
    exact = end_of(EXACT)

    def by(h: float) -> np.ndarray:
        return end_of({"kind": "implicit", "relative_tolerance": 0.1, "absolute_tolerance": 0.1,
                       "first_step_s": h, "largest_step_s": h})  # fmt: skip

    errors = [np.abs(by(h) - exact).max() for h in (0.02, 0.01)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.35)


def test_tolerance_rules_its_error() -> None:
    exact = end_of(EXACT, 2.0)
    errors = []
    for relative in (1e-4, 1e-6, 1e-8):
        setting = {"kind": "implicit", "relative_tolerance": relative, "largest_step_s": 0.5,
                   "absolute_tolerance": relative / 100}  # fmt: skip
        errors.append(np.abs(end_of(setting, 2.0) - exact).max())
    assert errors[0] < 3e-3
    assert errors[1] < errors[0] / 20
    assert errors[2] < errors[1] / 20


MASS, STIFFNESS = 0.2, 2000.0


def dragged(damping: float, **integrator: Any) -> Any:
    """Pull a mass along a slide over a spring and a dashpot, both to the end of an arm that swings."""
    return base(
        0.2,
        segments=[segment("block", MASS)],
        joints=[{"id": "way", "kind": "slip", "parent": "ground", "child": "block"}],
        coordinate_forces=[{
            "id": "tissue", "coordinate": {"kind": "joint", "joint": "way", "axis": "slide"},
            "zero": 0.0,
            "laws": [{"kind": "linear", "stiffness": STIFFNESS}, {"kind": "viscous", "damping": damping}],
        }],
        functions=[{"id": "push", "x_unit": "s", "y_unit": "N",
                    "form": {"kind": "table", "x": [0.0, 0.2], "y": [0.0, 400.0]}}],
        loads=[{"id": "push", "segment": "block", "direction": [0.0, 0.0, 1.0], "axes": "ground", "history": "push"}],
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        integrator={"kind": "implicit", **integrator},
    )  # fmt: skip


def way_of(damping: float, t: float) -> float:
    """x'' = (2000 N/s t - c x' - k x) / m as the exponential of a matrix: x, x', t, 1."""
    A = np.array([
        [0.0, 1.0, 0.0, 0.0], [-STIFFNESS / MASS, -damping / MASS, 2000.0 / MASS, 0.0],
        [0.0, 0.0, 0.0, 1.0], [0.0] * 4,
    ])  # fmt: skip
    return float((expm(A * t) @ [0.0, 0.0, 0.0, 1.0])[0])


@pytest.mark.parametrize("damping", [2e2, 2e4, 2e6])
def test_what_creeps_behind_a_stiff_dashpot_takes_few_steps(damping: float) -> None:
    run = solved(dragged(damping))
    assert run.segment("block").position[-1, 2] == pytest.approx(way_of(damping, 0.2), rel=1e-5)
    assert evaluations(run) < 1500, "a thousand, ten million times the rate of 5 ms steps"
    energy = run.table("energy")
    assert np.max(np.abs(energy["balance"])) < 2e-6 * np.max(np.abs(energy["external"]))


HEIGHT, AREA = 6e-3, 4e-4


def neck(damping: float, **integrator: Any) -> Any:
    """Stand four vertebrae and a head on a driven base, a disc under each (damping in Pa s)."""
    names, segments = ["base"], [segment("base", 10.0, (1.0, 1.0, 1.0))]
    joints, springs = [], []
    for n, name in enumerate(("c3", "c2", "c1", "c0", "head")):
        is_head, below = name == "head", names[-1]
        up, down = 0.06 if is_head else 0.01, 0.01 if n else 0.0
        segments.append(
            segment(name, 4.5, (0.02, 0.02, 0.015)) if is_head else segment(name, 0.2, (3e-4,) * 3)
        )
        joints.append(
            {
                "id": f"to_{name}",
                "kind": "six",
                "parent": below,
                "child": name,
                "parent_frame": {"position_m": [0.0, 0.0, HEIGHT + up + down]},
            }
        )
        springs.append(
            {
                "id": f"under_{name}",
                "kind": "disc",
                "height_m": HEIGHT,
                "area_m2": AREA,
                "moment_y_m4": 1.2e-8,
                "moment_x_m4": 1.2e-8,
                "polar_m4": 2.4e-8,
                "elastic_pa": 3.4e6,
                "shear_pa": 1.2e6,
                "shear_factor_x": 1.2,
                "shear_factor_y": 1.2,
                "axial_damping_pas": damping,
                "damping_nms_per_rad": [0.5] * 3,
                "a": {"segment": below, "frame": {"position_m": [0.0, 0.0, down]}},
                "b": {"segment": name, "frame": {"position_m": [0.0, 0.0, -up]}},
            }
        )
        names.append(name)
    still = [
        {"component": c, "quantity": "position", "pulse": {"kind": "constant", "value": 0.0}}
        for c in ("y", "z", "roll", "pitch", "yaw")
    ]
    pulse = {"kind": "half_sine", "amplitude": 150.0, "start_s": 0.0, "duration_s": 0.1}
    return base(
        0.25, segments=segments, joints=joints, springs=springs, gravity_m_per_s2=[0.0, 0.0, -9.81],
        motions=[{"id": "pulse", "segment": "base", "components": [
            {"component": "x", "quantity": "acceleration", "pulse": pulse}, *still,
        ]}],
        initial={"roots": [{"segment": "base"}]}, integrator=integrator,
    )  # fmt: skip


@cache
def stays(damping: float) -> Trajectory:
    return solved(neck(damping, kind="dopri", when_stiff="stay"))


@pytest.mark.parametrize(
    "integrator", [{"kind": "implicit"}, {"kind": "dopri"}], ids=["implicit", "changes"]
)
def test_a_neck_of_stiff_discs_takes_a_fraction_of_the_evaluations(
    integrator: dict[str, Any],
) -> None:
    slow, run = stays(3e5), solved(neck(3e5, **integrator))
    assert evaluations(run) < evaluations(slow) / 4
    for name in ("c0", "head"):
        one, other = run.segment(name), slow.segment(name)
        assert np.abs(one.position - other.position).max() < 5e-6
        assert np.abs(one.velocity - other.velocity).max() < 5e-4
    energy = run.table("energy")
    assert np.max(np.abs(energy["balance"])) < 1e-6 * np.max(energy["kinetic"])
    assert np.min(np.diff(energy["dissipated"])) > -1e-6


def test_it_takes_over_where_steps_follow_damping_and_says_so() -> None:
    told = [str(note) for note in solved(neck(3e5, kind="dopri")).notes]
    assert [line for line in told if "'implicit' went on" in line]
    only_told = [str(note) for note in stays(3e5).notes]
    assert [line for line in only_told if "is not bound by it" in line]
    for run in (stays(3e3), solved(neck(3e3, kind="dopri"))):
        assert not [note for note in run.notes if "stiffness" in str(note)]
    assert evaluations(solved(neck(3e3, kind="dopri"))) == evaluations(stays(3e3))


@pytest.mark.parametrize("name", ["airbag_catch", "sled", "four_bar", "point_contact"])
def test_whatever_acts_it_goes_the_same_way(name: str) -> None:
    """Bags, webbing, contacts, loops, rolling and sliding: within a millimetre of the default method."""
    sample = load_project(samples() / f"{name}.json")
    run = sample.runs[0].model_copy(update={"integrator": Implicit()})
    one, other = simulate(sample), simulate(sample.model_copy(update={"runs": (run,)}))
    assert other.status == "completed", other.message
    for id_ in one.segment_ids:
        assert np.abs(one.segment(id_).position - other.segment(id_).position).max() < 1e-3


@pytest.mark.parametrize("kind", ["implicit", "dopri"])
def test_it_goes_on_as_if_it_had_not_stopped(kind: str, tmp_path: Path) -> None:
    """Also in the middle of derivatives that are some steps old, and after it has taken over."""
    half_and_whole(validated(neck(3e5, kind=kind)), tmp_path, 0.08)
