"""A run begins where it begins to differ from one that was solved: to the last bit, and only where that is known."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.base.places import samples
from solver.engine.integrate.flow import EVALUATIONS, H_NEXT, REACH, T
from solver.model.compile import compile_model
from solver.project import Project, load_project
from solver.project.changes import with_value
from solver.project.checks import checked
from solver.results.memory import MemoryTrajectory
from solver.running import common
from solver.running.common import Solved, StateOfAnother, apart
from solver.running.restart import Restart
from solver.running.simulation import Simulation
from tests.running.test_restart import lasting, same

CATCH, FRONTAL = (load_project(samples() / f"{name}.json") for name in ("airbag_catch", "frontal"))


def solved(project: Project, before: Solved | None = None) -> tuple[Simulation, MemoryTrajectory]:
    """Solve a project, with a run before, and keep states."""
    simulation = Simulation(
        checked(project), solved=[] if before is None else [before], keeps_states=True
    )
    memory = simulation.memory()
    outcome = simulation.go_into(memory)
    assert outcome.status == "completed", outcome.message
    return simulation, memory


@pytest.fixture(scope="module")
def short() -> Project:
    """The bag fires at 10 ms, is full at some 20, and the head meets it behind that."""
    way = CATCH.runs[0].integrator.model_copy(update={"largest_step_s": 1e-3})
    return lasting(CATCH, 0.08, integrator=way)


@pytest.fixture(scope="module")
def base(short: Project) -> Solved:
    simulation, memory = solved(short)
    plain = Simulation(checked(short))
    whole = plain.memory()
    plain.go_into(whole)
    same(whole, memory)
    assert len(memory.checkpoints()) > len(whole.checkpoints()) == 1
    return simulation.solved(memory)


VENT, TANK, TIME = (
    f"airbags/bag/{field}"
    for field in ("vents/0/area_m2", "inflator/pressure_pa", "trigger/time_s")
)


@pytest.mark.parametrize(
    ("path", "value", "least_ms", "most_ms"),
    [(VENT, 2e-3, 12, 60), (TANK, 4e6, 4, 10), (TIME, 0.03, 4, 10)],
)
def test_what_acts_late_is_solved_from_there(
    base: Solved, short: Project, path: str, value: float, least_ms: float, most_ms: float
) -> None:
    changed = with_value(short, path, value)
    late, found = solved(changed, base)
    whole, all_of_it = solved(changed)
    assert whole.begins_at == 0.0
    assert least_ms <= 1e3 * late.begins_at <= most_ms
    same(all_of_it, found)
    assert (found.steps()["time"][-1], len(found.steps()["time"])) != (
        base.found.steps()["time"][-1], len(base.found.steps()["time"]),
    ), "it is another run"  # fmt: skip
    assert any("nothing that differs acts sooner" in line for line in found.log)
    # from what it found a third one goes on, by states of both, and any of them can be written down
    kept = found.kept_checkpoints()
    assert any(isinstance(one, StateOfAnother) for _, one in kept)
    third, more = solved(with_value(changed, VENT, 3e-3), late.solved(found))
    assert third.begins_at >= late.begins_at
    same(solved(with_value(changed, VENT, 3e-3))[1], more)
    longer = lasting(changed, 0.085)
    Restart(found, late.begins_at).checked(longer, longer.runs[0])


def test_only_what_is_left_is_evaluated(base: Solved, short: Project) -> None:
    late, found = solved(with_value(short, VENT, 3e-3), base)
    at = next(one.state for time, one in base.found.kept_checkpoints() if time == late.begins_at)
    counters = next(one for one in at.arrays if one.dtype.kind == "i" and len(one) == 20)
    before, whole = int(counters[EVALUATIONS]), int(found.steps()["evaluations"][-1])
    assert 100 < before < whole


def differ(path: str, value: Any, project: Project = FRONTAL) -> common.Apart | None:
    """From when on a changed model may differ."""
    return apart(
        compile_model(checked(project)), compile_model(checked(with_value(project, path, value)))
    )


def test_what_may_act_from_the_start_is_solved_from_the_start() -> None:
    for path, value in (
        ("segments/driver_head/mass_kg", 4.4), ("gravity_m_per_s2/2", 9.0), ("airbags/driver_bag/semi_axes_m/0", 0.11),
        ("contact_laws/driver_polyester_9/energy_ratio", 0.3), ("functions/driver_ribs_force/form/y/1", 1e4),
        ("functions/driver_load_limit/form/y/0", 3000.0), ("contact_laws/car_dash_padding/restitution", 0.3),
    ):  # fmt: skip
        assert differ(path, value) is None, path


def test_a_constant_that_becomes_another_is_seen_under_the_same_number() -> None:
    """Between 0.777 and 0.778 no curve is numbered anew: what stands under the number is another one."""
    for law in ("car_dash_padding", "seat_car_cushion_soft"):
        path = f"contact_laws/{law}/friction"
        found = differ(path, 0.778, with_value(FRONTAL, path, 0.777))
        assert found is not None
        by_law = [n for n, one in enumerate(FRONTAL.contacts) if one.law == law]
        assert by_law == sorted(found.contacts)


def test_what_is_read_of_a_law_before_it_acts_is_solved_from_the_start() -> None:
    screen = next(one for one in FRONTAL.functions if one.id == "car_windscreen_force").form
    end, n = screen.x[-1], len(screen.x) - 1
    assert differ("functions/car_windscreen_force/form/y/1", 500.0) is not None
    for path, value in (
        # whether a pair beside a plane is within its edges
        ("contact_laws/car_dash_padding/application_ratio", 0.5),
        # how near the instant of the touch is looked for: it begins with a jump
        ("functions/car_windscreen_force/form/y/0", 50.0),
        # how deep is too deep
        (f"functions/car_windscreen_force/form/x/{n}", 1.1 * end),
    ):
        assert differ(path, value) is None, path
    # whether it is followed at all how far contacts go beyond their curves
    belt = load_project(samples() / "lap_belt.json")
    cushion = next(one for one in belt.functions if one.id == "cushion").form
    path = f"functions/cushion/form/y/{len(cushion.y) - 1}"
    assert differ(path, 1.1 * cushion.y[-1], belt) is not None
    assert differ(path, cushion.y[-2], belt) is None


def test_no_step_that_begins_at_a_state_comes_near_what_differs() -> None:
    some: dict[str, Any] = {
        "System/bags/memory/state": np.zeros(0), "System/contacts/memory/mode": np.zeros(0), "System/triggers/fires": np.zeros(0),
    }  # fmt: skip

    def holds(reach: float, next_step: float, until: float) -> bool:
        clock = np.zeros(17)
        clock[[T, REACH, H_NEXT]] = 0.01, reach, next_step
        return common.Apart(until).holds_at({**some, "Flow/clock": clock}, frozenset(), ())

    assert holds(0.015, 1e-3, 0.02)
    assert holds(0.015, 1e-3, math.inf)
    assert not holds(math.nextafter(0.02, 0.0), 1e-3, 0.02), "rounded"
    assert not holds(0.015, 0.0101, 0.02), "the next step"
    assert not holds(0.015, 0.0, 0.02), "a step that nobody has chosen yet"


def test_what_is_known_to_act_late_is_named() -> None:
    fires = differ("airbags/driver_bag/trigger/time_s", 0.02)
    assert fires is not None
    assert (fires.until_s, fires.folded, fires.filling) == (0.0175, frozenset(), frozenset())
    dash = differ("contact_laws/car_dash_padding/friction", 0.31)
    assert dash is not None, "constants that are curves are numbered anew"
    by_law = [n for n, one in enumerate(FRONTAL.contacts) if one.law == "car_dash_padding"]
    assert sorted(dash.contacts) == by_law
    pulls = differ(
        "harnesses/driver_three_point_belt/straps/belt/end_device/pretensioner/force_limit_n",
        1500.0,
    )
    assert pulls is not None
    assert len(pulls.triggers) == 1
    windscreen = differ("functions/car_windscreen_force/form/y/1", 500.0)
    assert windscreen is not None
    assert windscreen.contacts
    pulse = FRONTAL.functions[0].form
    n = len(pulse.x) // 2
    later = differ(f"functions/pulse_curve/form/y/{n}", pulse.y[n] + 1.0)
    assert later is not None
    assert later.until_s == pulse.x[n - 1], "the piece before it ends elsewhere, and begins there"
