"""Methods of integration: order, control, breaks, samples; the same bits every time."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from solver.results import Trajectory
from solver.running.simulation import Simulation, simulate
from tests.engine.test_constraints import chain
from tests.models import base, hung, project, segment

DOPRI = {"kind": "dopri"}


def pair(integrator: dict[str, Any], duration: float = 0.5) -> Any:
    """Let two rods swing, with a spring in the joint between them."""
    data = chain(2)
    data["joints"][1]["flexure"] = {"linear_nm_per_rad": 4.0}
    data["runs"][0] |= {"duration_s": duration, "integrator": integrator}
    return data


def places(run: Trajectory) -> np.ndarray:
    """Give where the rods of `pair` are at the end."""
    return np.concatenate([run.segment(n).position[-1] for n in ("rod0", "rod1")])


def end_of(integrator: dict[str, Any], duration: float = 0.5) -> np.ndarray:
    run = simulate(project(pair(integrator, duration)))
    assert run.status == "completed", run.message
    return places(run)


EXACT = {"kind": "dopri", "relative_tolerance": 1e-12, "absolute_tolerance": 1e-14}


@pytest.mark.parametrize(
    ("kind", "order", "steps"),
    [("rk4", 4.0, (0.01, 0.005)), ("semi_implicit_euler", 1.0, (1e-3, 5e-4))],
)
def test_fixed_steps_have_their_order(kind: str, order: float, steps: tuple[float, float]) -> None:
    exact = end_of(EXACT)
    errors = [np.abs(end_of({"kind": kind, "step_s": h}) - exact).max() for h in steps]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.35)


def of_length(step: float) -> dict[str, Any]:
    """Steps of one length by Bogacki and Shampine's pair: all errors are allowed."""
    return {"kind": "bogacki_shampine", "relative_tolerance": 0.1, "absolute_tolerance": 0.1,
            "first_step_s": step, "largest_step_s": step}  # fmt: skip


def test_the_pair_of_third_order_has_its_order_and_looks_back_on_its_last_stage() -> None:
    exact = end_of(EXACT)
    errors = [np.abs(end_of(of_length(h)) - exact).max() for h in (4e-3, 2e-3)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(3.0, abs=0.25)
    run = simulate(project(pair(of_length(2e-3))))
    steps = run.steps()
    # the start, and three for each step: the last of them is the first of the next
    assert len(steps["time"]) == 250
    assert steps["evaluations"][-1] == 1 + 3 * 250


@pytest.mark.parametrize("kind", ["dopri", "bogacki_shampine"])
def test_tolerance_rules_the_error(kind: str) -> None:
    exact = end_of(EXACT, 2.0)
    errors = []
    for relative in (1e-4, 1e-6, 1e-8):
        setting = {"kind": kind, "relative_tolerance": relative, "largest_step_s": 0.5,
                   "absolute_tolerance": relative / 100}  # fmt: skip
        errors.append(np.abs(end_of(setting, 2.0) - exact).max())
    assert errors[0] < 3e-3
    assert errors[1] < errors[0] / 20
    assert errors[2] < errors[1] / 20


@pytest.mark.parametrize("kind", ["dopri", "bogacki_shampine"])
def test_samples_between_steps_are_as_good_as_steps(kind: str) -> None:
    """The dense output: the same motion sampled finely and in one place."""
    data = chain(2)
    data["runs"][0] |= {"duration_s": 0.3, "channel_rate_hz": 5000.0, "frame_interval_s": 1 / 5000.0,
                        "integrator": {"kind": kind, "relative_tolerance": 1e-7,
                                       "absolute_tolerance": 1e-9}}  # fmt: skip
    fine = simulate(project(data))
    data["runs"][0]["integrator"] = EXACT
    exact = simulate(project(data))
    for name in ("rod0", "rod1"):
        a, b = fine.segment(name), exact.segment(name)
        assert np.abs(a.position - b.position).max() < 2e-7
        assert np.abs(a.velocity - b.velocity).max() < 3e-6
        assert np.abs(a.acceleration - b.acceleration).max() < 3e-4


def test_frames_and_channels_keep_their_own_times() -> None:
    data = hung({"kind": "pin"}, [0.5], outputs=[{"id": "tip", "kind": "point", "segment": "rod",
                                                   "quantity": "position"}])  # fmt: skip
    data["runs"][0] |= {"duration_s": 0.1234, "channel_rate_hz": 300.0, "frame_interval_s": 0.007}
    run = simulate(project(data))
    assert np.allclose(run.time[:-1], np.arange(18) * 0.007, atol=1e-15)
    assert run.time[-1] == 0.1234
    channel = run.channel("tip_x")
    assert np.allclose(channel.time, np.arange(38) / 300.0, atol=1e-15)
    assert len(channel.value) == 38


def test_a_step_ends_where_a_history_breaks() -> None:
    history = {"id": "kick", "x_unit": "s", "y_unit": "N",
               "form": {"kind": "table", "x": [0.1, 0.1, 0.2], "y": [0.0, 50.0, 50.0]}}  # fmt: skip
    history["form"] = {"kind": "two_ranges", "split": 0.1, "first": {"kind": "constant", "value": 0.0},
                       "second": {"kind": "constant", "value": 50.0}}  # fmt: skip
    load = {"id": "kick", "segment": "rod", "direction": [1.0, 0.0, 0.0], "axes": "ground",
            "history": "kick"}  # fmt: skip
    data = base(segments=[segment("rod", 2.0)], functions=[history], loads=[load],
                gravity_m_per_s2=[0.0, 0.0, 0.0])  # fmt: skip
    data["runs"][0] |= {"integrator": DOPRI}
    run = simulate(project(data))
    assert np.any(run.steps()["time"] == 0.1)
    assert run.segment("rod").velocity[-1, 0] == pytest.approx(25.0 * 0.9, rel=1e-13)
    assert run.segment("rod").position[-1, 0] == pytest.approx(12.5 * 0.81, rel=1e-13)


def bits(run: Any) -> bytes:
    parts = [run.segment(n).position.tobytes() for n in ("rod0", "rod1")]
    parts += [run.segment(n).acceleration.tobytes() for n in ("rod0", "rod1")]
    return b"".join([*parts, run.steps()["step"].tobytes()])


def test_the_same_project_gives_the_same_bits() -> None:
    """Again, from one simulation twice, in threads at once, and between other runs."""
    data = chain(2)
    data["joints"][1]["lock"] = {"lock_rate_rad_per_s": 0.3}
    wanted = bits(simulate(project(data)))
    simulate(project(chain(3)))
    assert bits(simulate(project(data))) == wanted
    found: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: found.append(bits(simulate(project(data)))))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 3


def test_a_simulation_can_go_twice() -> None:
    from solver.results.memory import MemoryTrajectory
    from solver.running.simulation import project_bytes

    data = hung({"kind": "pin", "breakage": {"force_n": 15.0}}, [1.2])
    simulation = Simulation(project(data))
    runs = []
    for _ in range(2):
        memory = MemoryTrajectory(
            simulation.ids, simulation.specs, project_bytes(simulation.project)
        )
        simulation.go([memory])
        runs.append(memory.segment("rod").position)
    assert np.array_equal(runs[0], runs[1])
