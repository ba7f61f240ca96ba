"""Laws led along a course: closed forms, and the same as in a run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.engine.forces.laws import GAP, LOADING, RELOADING, UNLOADING
from solver.model.law_paths import deepest_of, is_webbing, law_path
from solver.project import Project, validated
from tests.engine.test_contacts import balanced, ball, function, run


def with_law(law: dict[str, Any], *functions: Any) -> Project:
    return validated(ball(law, 1.0, functions=list(functions)))


def test_a_linear_pad_absorbs_the_part_that_it_does_not_return() -> None:
    k, deep = 1e5, 0.02
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.5, "offset_ratio": 0.25}
    project = with_law(law, function("pad", [0.0, 1.0], [0.0, k]))
    path = law_path(project, "law", (deep, 0.0))
    top = path.turn[1]
    assert path.force[top] == pytest.approx(k * deep)
    assert path.work[top] == pytest.approx(0.5 * k * deep**2)
    assert path.absorbed == pytest.approx(0.25 * k * deep**2, rel=1e-4)
    gone = path.depth[top + 1 :][path.force[top + 1 :] == 0.0]
    assert gone[0] == pytest.approx(0.25 * deep, abs=deep / 100)
    assert path.mode[5] == LOADING
    assert path.mode[top + 5] == UNLOADING
    assert path.mode[-1] == GAP


def test_what_a_parabola_gives_beyond_what_is_asked_is_held_on_the_way_in() -> None:
    """A bent curve's unloading gives 81 % where 70 are asked for: nothing seems to be made as it turns."""
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.7, "offset_ratio": 0.1}
    data = ball(law, 3.0, functions=[function("pad", [0.0, 0.01, 0.1], [0.0, 500.0, 14000.0])])
    out = run(data, 0.05)
    lost, into = out.table("energy")["lost_in_contacts"], 0.5 * 2.0 * 3.0**2
    back = 0.5 * 2.0 * float(out.table("segments")["velocity"][-1, 0, 2]) ** 2
    assert back > 1.1 * 0.7 * into
    assert lost[-1] == pytest.approx(into - back, rel=1e-5)
    # just beyond the bend what would be given back grows faster than the work
    assert np.max(np.maximum.accumulate(lost) - lost) < 1e-3 * into
    assert not [line for line in out.log if "gave" in line]
    balanced(out)


def test_reloading_meets_loading_where_it_was_left() -> None:
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.3, "offset_ratio": 0.1}
    project = with_law(law, function("pad", [0.0, 0.02, 0.1], [0.0, 500.0, 9000.0]))
    path = law_path(project, "law", (0.05, 0.03, 0.08, 0.0))
    begins, ends = path.turn[2], path.turn[3]
    middle = (begins + ends) // 2
    assert path.mode[begins + 2] == RELOADING
    met = np.flatnonzero(path.depth[begins:ends] > 0.05)[0] + begins
    assert path.force[met] == pytest.approx(500.0 + 8500.0 * (path.depth[met] - 0.02) / 0.08)
    assert path.mode[ends - 1] == LOADING
    assert path.force[middle] > 0.0


def test_the_offset_of_a_base_that_begins_late_counts_from_its_beginning() -> None:
    """The part is that of the deflection beyond the base curve's first point."""
    begins, deep = 0.01, 0.03
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.6, "offset_ratio": 0.3}
    project = with_law(law, function("pad", [begins, begins + 1.0], [0.0, 1e5]))
    path = law_path(project, "law", (deep, 0.0), 0.0, 4000)
    back = slice(path.turn[1] + 1, None)
    gone = path.depth[back][path.force[back] == 0.0]
    assert gone[0] == pytest.approx(begins + 0.3 * (deep - begins), abs=2.0 * deep / 4000)


SPIKE = function("spike", [0.0, 0.004, 0.008, 1.0], [0.0, 300.0, 0.0, 0.0])
ENDS = function("spike", [0.0, 0.004, 0.008], [0.0, 300.0, 0.0])


@pytest.mark.parametrize(("turn", "is_over"), [(0.003, False), (0.006, True)])
def test_a_spike_is_over_once_loading_has_turned_beyond_its_top(turn: float, is_over: bool) -> None:
    k = 4e4
    law = {"kind": "hysteretic", "base": "pad", "spike": "spike", "energy_ratio": 0.45,
           "offset_ratio": 0.3}  # fmt: skip
    project = with_law(law, function("pad", [0.0, 1.0], [0.0, k]), SPIKE)
    path = law_path(project, "law", (turn, 0.8 * turn, 0.02, 0.0), 0.0, 2000)
    again = slice(path.turn[2] + 1, path.turn[3])
    depth, force = path.depth[again], path.force[again]
    beyond = (depth > 1.01 * turn) & (depth < 0.0078)
    spike = 0.0 if is_over else np.interp(depth, [0.0, 0.004, 0.008], [0.0, 300.0, 0.0])
    assert np.count_nonzero(beyond) > 50
    assert force[beyond] == pytest.approx((k * depth + spike)[beyond], abs=1e-6)


@pytest.mark.parametrize(("turn", "is_over"), [(0.006, False), (0.012, True)])
def test_a_law_that_gives_all_back_has_no_spike_once_it_was_beyond_its_end(
    turn: float, is_over: bool
) -> None:
    k = 4e4
    law = {"kind": "hysteretic", "base": "pad", "spike": "spike"}
    project = with_law(law, function("pad", [0.0, 1.0], [0.0, k]), ENDS)
    path = law_path(project, "law", (turn, 0.0), 0.0, 2000)
    back = slice(path.turn[1] + 1, None)
    depth, force = path.depth[back], path.force[back]
    spike = 0.0 if is_over else np.interp(depth, [0.0, 0.004, 0.008], [0.0, 300.0, 0.0])
    assert force == pytest.approx(k * depth + spike, abs=1e-6)


def test_damping_of_hunt_and_crossley_has_its_closed_form() -> None:
    K, c, v, deep = 1e5, 0.2, 3.0, 0.03
    law = {"kind": "hunt_crossley", "stiffness_n_per_mn": K, "exponent": 1.0, "damping_s_per_m": c}
    path = law_path(with_law(law), "law", (deep, 0.0), v, 2000)
    # twice the integral of K x c v sqrt(1 - (x/d)^2)
    assert path.absorbed == pytest.approx(2.0 * K * c * v * deep**2 / 3.0, rel=1e-4)
    still = law_path(with_law(law), "law", (deep, 0.0), 0.0)
    assert still.absorbed == pytest.approx(0.0, abs=1e-4)


def test_an_indentation_stays() -> None:
    e, deep = 0.6, 0.02
    law = {"kind": "permanent_indentation", "stiffness_n_per_mn": 1e6, "loss_restitution": e}
    path = law_path(with_law(law), "law", (deep, 0.0), 1.0)
    work = 1e6 * deep**2.5 / 2.5
    assert path.work[path.turn[1]] == pytest.approx(work, rel=1e-4)
    # the load falls with the same power over the part that comes back
    assert path.absorbed == pytest.approx(work * (1.0 - e * e), rel=1e-3)


@pytest.mark.parametrize("seed", range(12))
def test_no_loss_comes_back_on_any_course(seed: int) -> None:
    """Steep corners, spikes, small loops and second loadings: what is held is what can come back at most."""
    draw = np.random.default_rng(seed)
    x = np.cumsum(draw.uniform(0.002, 0.03, draw.integers(2, 6)))
    y = np.cumsum(500.0 * draw.exponential(1.0, len(x)) ** 3)
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": float(draw.choice([0.1, 0.5, 0.95])),
           "offset_ratio": float(draw.choice([0.0, 0.3, 0.9]))}  # fmt: skip
    functions = [function("pad", [0.0, *x.tolist()], [0.0, *y.tolist()])]
    if seed % 3 == 0:
        law["spike"] = "spike"
        functions.append(ENDS)
    deep = float(x[-1])
    turns = (draw.uniform((0.3, 0.0), (1.2, 0.5), (6, 2)) * deep).ravel().tolist()
    path = law_path(with_law(law, *functions), "law", (*turns, 0.0), 0.0, 2000)
    lost, most = path.work - path.held, float(np.max(path.held))
    assert np.max(np.maximum.accumulate(lost) - lost) < 1e-4 * most
    assert np.min(lost) > -1e-4 * most


def test_a_second_loading_beyond_a_steep_corner_gives_no_more_than_it_took() -> None:
    """The parabola from the top would give three times what reloading by the cubic takes."""
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.8, "offset_ratio": 0.4}
    pad = function("pad", [0.0, 0.05, 0.06], [0.0, 500.0, 40000.0])
    path = law_path(with_law(law, pad), "law", (0.0501, 0.0, 0.0511, 0.0), 0.0, 4000)
    took = float(path.work[path.turn[3]] - path.work[path.turn[2]])
    back = float(path.work[path.turn[3]] - path.work[-1])
    assert 0.5 * took < back < took * (1.0 + 1e-4)


def test_a_dent_that_is_pressed_again_takes_no_loss_back() -> None:
    """In to its depth and out gives back e^2; again to there and deeper, only the rest is lost."""
    e, K = 0.6, 1e6
    law = {"kind": "permanent_indentation", "stiffness_n_per_mn": K, "exponent": 1.0,
           "loss_restitution": e}  # fmt: skip
    path = law_path(with_law(law), "law", (0.02, 0.0, 0.03, 0.0), 1.0, 4000)
    lost = path.work - path.held
    assert np.max(np.maximum.accumulate(lost) - lost) < 1e-3
    assert lost[path.turn[2]] == pytest.approx((1 - e * e) * 0.5 * K * 0.02**2, rel=1e-4)
    assert lost[-1] == pytest.approx((1 - e * e) * 0.5 * K * 0.03**2, rel=1e-4)


def test_a_course_is_what_a_run_gives() -> None:
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.4, "offset_ratio": 0.2}
    curve = function("pad", [0.0, 0.02, 0.1], [0.0, 1500.0, 9000.0])
    out = run(ball(law, 4.0, functions=[curve]), 0.03)
    depth = out.table("contacts")["penetration"][:, 0]
    force = out.table("contacts")["force"][:, 0, 2]
    deep = float(np.max(depth))
    path = law_path(with_law(law, curve), "law", (deep, 0.0), 0.0, 4000)
    top, peak = path.turn[1], int(np.argmax(depth))
    inwards = np.interp(depth[1:peak], path.depth[: top + 1], path.force[: top + 1])
    assert inwards == pytest.approx(force[1:peak], rel=1e-3, abs=2.0)
    after = depth[peak + 1 :]
    outwards = np.interp(after, path.depth[:top:-1], path.force[:top:-1])
    assert outwards == pytest.approx(force[peak + 1 :], rel=2e-3, abs=5.0)


def test_webbing_is_led_by_strain() -> None:
    base = function("web", [0.0, 0.1], [0.0, 8000.0], ("1", "N"))
    law = {"kind": "webbing", "base": "web", "energy_ratio": 0.8}
    data = ball({"kind": "kelvin_voigt", "stiffness_n_per_m": 1e4}, 1.0, functions=[base])
    data["contact_laws"].append({"id": "strap", **law})
    project = validated(data)
    assert is_webbing(project, "strap")
    assert not is_webbing(project, "law")
    assert deepest_of(project, "strap") == pytest.approx(0.1)
    path = law_path(project, "strap", (0.1, 0.0))
    assert path.work[path.turn[1]] == pytest.approx(400.0)
    assert path.absorbed == pytest.approx(80.0, rel=1e-3)
    assert math.isclose(path.force.max(), 8000.0)
