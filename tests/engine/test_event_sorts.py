"""How exactly events are found, by what they do to forces: results stay within the tolerance, whichever sort it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.engine.dynamics.tree import Array
from solver.engine.forces.system import CONTACT_EVENTS, COORDINATE_EVENTS, TRIGGER_EVENTS
from solver.engine.integrate.flow import EASES, JUMPS, STRIKES
from solver.model.compile import compile_model
from tests.balls_and_floors import ball, run
from tests.engine.test_contacts import function
from tests.engine.test_coordinate_forces import wheel
from tests.models import project

PAD = function("pad", [0.0, 1.0], [0.0, 2e4])
PADDED = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.5, "offset_ratio": 0.4, "friction": 0.3}  # fmt: skip
HINGE = {"kind": "plastic", "stiffness": 1000.0, "limit": 50.0}


def dropped(law: dict[str, Any]) -> Any:
    """Drop an ellipsoid on a pad from the side."""
    data = ball(law, 0.0, height=0.13, velocity=[1.5, 0.4, -2.5], functions=[PAD])
    data["segments"][0]["surfaces"][0]["semi_axes_m"] = [0.12, 0.1, 0.08]
    return data


def met(law: dict[str, Any]) -> Any:
    """Let two balls meet a little beside their centres."""
    data = ball(law, 0.0, height=1.0, velocity=[2.0, 0.0, 0.0], functions=[PAD])
    one = data["segments"][0]
    data["segments"].append(one | {"id": "other"})
    data["contacts"] = [{
        "id": "pair", "kind": "surfaces", "law": "law",
        "first": {"segment": "ball", "surface": "skin"}, "second": {"segment": "other", "surface": "skin"},
    }]  # fmt: skip
    data["initial"]["roots"].append({"segment": "other", "position_m": [0.23, 0.04, 1.03]})
    return data


SCENES = {
    "bends": (dropped(PADDED), CONTACT_EVENTS, EASES),
    "gives back": (dropped(PADDED | {"at_start": "elastic"}), CONTACT_EVENTS, JUMPS),
    "damps": (
        dropped({"kind": "kelvin_voigt", "stiffness_n_per_m": 2e4, "damping_ns_per_m": 60.0}),
        CONTACT_EVENTS,
        JUMPS,
    ),
    "two bodies": (met(PADDED), CONTACT_EVENTS, JUMPS),
    "strikes": (
        dropped({"kind": "kelvin_voigt", "stiffness_n_per_m": 2e4, "restitution": 0.5}),
        CONTACT_EVENTS,
        STRIKES,
    ),
    "hinge": (wheel(1.0, 0.0, 3.0, HINGE, duration=0.12), COORDINATE_EVENTS, EASES),
}


def end_of(data: Any, tolerance: float) -> tuple[Array, list[tuple[str, float]]]:
    """The velocity at the end, and what happened when."""
    out = run(data, 0.12, 1000.0, kind="dopri", relative_tolerance=tolerance,
              absolute_tolerance=1e-2 * tolerance, largest_step_s=0.02)  # fmt: skip
    table = out.table("segments")
    motion = np.concatenate([table["velocity"][-1].ravel(), table["angular_velocity"][-1].ravel()])
    return motion, [(event.kind, event.time) for event in out.events()]


@pytest.mark.parametrize("name", SCENES)
def test_results_stay_within_the_tolerance(name: str) -> None:
    """A state read from between the ends of a step would be up to a thousand times as far off as one that was stepped to."""
    data, _, _ = SCENES[name]
    exact, then = end_of(data, 1e-11)
    # a damped force is cut off where it would pull: a bend that is no event, and the step's error alone heeds it
    times = 60.0 if name == "damps" else 3.0
    for tolerance in (1e-4, 1e-6, 1e-8):
        found, when = end_of(data, tolerance)
        assert np.abs(found - exact).max() < times * tolerance
        assert [kind for kind, _ in when] == [kind for kind, _ in then]
        assert [t for _, t in when] == pytest.approx([t for _, t in then], abs=1e-7 + tolerance)


@pytest.mark.parametrize("name", SCENES)
def test_each_event_is_of_the_sort_of_what_it_does(name: str) -> None:
    data, kind, sort = SCENES[name]
    model = compile_model(project(data))
    first = model.system.first
    assert set(model.marks()[2][first[kind] : first[kind + 1]]) == {sort}
    assert set(model.marks()[2][first[TRIGGER_EVENTS] : first[TRIGGER_EVENTS + 1]]) <= {STRIKES}


def test_force_that_is_gone_at_the_turn_jumps() -> None:
    """Where all of the depth is kept no unloading is left: found as a bend, the end would be off alike at every tolerance."""
    data = dropped(
        {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.0, "offset_ratio": "all"}
    )
    stiff = function("pad", [0.0, 0.01, 1.0], [0.0, 2e3, 2e5])
    data["functions"] = [stiff, function("all", [0.0, 0.002, 0.2], [0.5, 1.0, 0.9], ("m", "1"))]
    model = compile_model(project(data))
    first = model.system.first[CONTACT_EVENTS]
    assert model.marks()[2][first] == JUMPS
    data = dropped({"kind": "hysteretic", "base": "pad", "energy_ratio": 0.0, "offset_ratio": 1.0})
    data["functions"] = [stiff]
    exact, _ = end_of(data, 1e-11)
    found, _ = end_of(data, 1e-6)
    assert np.abs(found - exact).max() < 1e-6


def test_what_damps_only_beyond_a_rate_jumps() -> None:
    """A damper with a dead zone begins with a force where the touch is fast enough."""
    dead = function("dead", [-50.0, 0.0, 1.5, 10.0], [0.0, 0.0, 0.0, 4e3], ("m/s", "N"))
    data = dropped({"kind": "rate", "base": "pad", "damping": "dead"}) | {"functions": [PAD, dead]}
    model = compile_model(project(data))
    assert model.marks()[2][model.system.first[CONTACT_EVENTS]] == JUMPS
