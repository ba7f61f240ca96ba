"""Scenes of everything at once: energy, momentum, friction, and the same from every side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from solver.engine.dynamics.tree import OPEN, Array
from solver.engine.forces.airbags.arrays import BLOWN, FREE_VOLUME, FULL
from solver.engine.forces.system import AIRBAG_FRICTION, CAUSES
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.engine.scenes import LAWS, MIRROR, mirrored, scene, turned
from tests.exploring import often
from tests.models import Bench, project

FINE = {"kind": "dopri", "relative_tolerance": 1e-7, "absolute_tolerance": 1e-9}


def solved(data: Any, **changes: Any) -> Trajectory:
    data["runs"][0] |= {"frame_interval_s": 1e-3, **changes}
    out = simulate(project(data))
    assert out.status == "completed", out.message
    return out


def adds_up(out: Trajectory) -> None:
    """Ask for what must hold in every run."""
    energy, contacts = out.table("energy"), out.table("contacts")
    lost = {n: energy[n] for n in energy.columns if n.startswith("lost_in_")}
    works = [energy[n] for n in energy.columns if n.startswith("work_of_")]
    turned_over = float(
        np.max(energy["kinetic"]) + np.max(energy["strain"]) + np.max(np.abs(energy["external"]))
    )
    assert np.max(np.abs(energy["balance"])) < 1e-3 * turned_over
    assert sum(lost.values()) == pytest.approx(energy["dissipated"], abs=1e-12 * turned_over)
    assert sum(works) == pytest.approx(energy["external"], abs=1e-12 * turned_over)
    # friction and impulses only take
    for name in ("lost_in_contact_friction", "lost_in_impulses"):
        assert np.min(np.diff(lost[name])) > -1e-5 * turned_over
    # no force without contact
    force = np.linalg.norm(contacts["force"], axis=-1)
    assert np.all(force[contacts["penetration"] == 0.0] == 0.0)
    assert any("touches" in line for line in out.log)


@settings(max_examples=often(25))
@given(seed=st.integers(0, 10**6))
def test_energy_adds_up_whatever_meets(seed: int) -> None:
    adds_up(solved(scene(seed)))


@settings(max_examples=often(25))
@given(seed=st.integers(0, 10**6))
def test_what_acts_between_bodies_changes_no_momentum(seed: int) -> None:
    out = solved(scene(seed, closed=True))
    adds_up(out)
    energy = out.table("energy")
    momentum, spin = energy["momentum"], energy["spin"]
    assert momentum == pytest.approx(np.tile(momentum[0], (len(momentum), 1)), abs=1e-10)
    assert spin == pytest.approx(np.tile(spin[0], (len(spin), 1)), abs=1e-4)
    # what edges of planes add is all that comes from outside
    assert energy["external"] == pytest.approx(energy["work_of_contact_geometry"], abs=1e-12)


@pytest.mark.parametrize("law", LAWS)
def test_every_law_adds_up_in_every_kind_of_pair(law: str) -> None:
    out = solved(scene(7, law=law))
    adds_up(out)
    for pair in ("on_plate", "pair", "within"):
        assert any(f"'{pair}' touches" in line for line in out.log)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 3, 5])
def test_a_scene_turned_moved_and_mirrored_goes_the_same_way(seed: int, closed: bool) -> None:
    data = scene(seed, closed=closed)
    R, shift = Rotation.random(random_state=seed).as_matrix(), np.array([2.0, -3.0, 1.0])
    here = solved(data, integrator=FINE).table("segments")
    there = solved(turned(data, R, shift)).table("segments")
    same(there["position"], here["position"] @ R.T + shift)
    same(there["velocity"], here["velocity"] @ R.T)
    same(there["angular_velocity"], here["angular_velocity"])
    seen = solved(mirrored(data)).table("segments")
    same(seen["position"], here["position"] * MIRROR)
    same(seen["velocity"], here["velocity"] * MIRROR)
    same(seen["angular_velocity"], -here["angular_velocity"] * MIRROR)


def same(one: Array, other: Array) -> None:
    size = float(np.max(np.abs(other)))
    assert np.max(np.abs(one - other)) < 3e-4 * size


def held(friction: str) -> Any:
    """Give a ball that flies into a belt on a body that is free itself."""
    data = scene(3, closed=True)
    data["contacts"], data["springs"] = [], []
    data["contact_laws"] += [
        {"id": "web", "kind": "webbing", "base": "web", "energy_ratio": 0.7, "offset_ratio": 0.1}
    ]
    surface = {"id": "round", "kind": "ellipsoid", "semi_axes_m": [0.12, 0.1, 0.14]}
    next(s for s in data["segments"] if s["id"] == "a")["surfaces"] = [surface]
    data["belts"] = [{
        "id": "belt", "anchor_a": {"segment": "e", "position_m": [-0.25, 0.0, 0.2]},
        "anchor_b": {"segment": "e", "position_m": [0.25, 0.05, 0.2]},
        "surface": {"segment": "a", "surface": "round"}, "fixed_point_m": [0.02, 0.01, 0.13],
        "law": "web", "friction": friction,
    }]  # fmt: skip
    at = {root["segment"]: root for root in data["initial"]["roots"]}
    at["a"] |= {"position_m": [0.0, 0.0, 0.4], "velocity_m_per_s": [0.0, 0.5, 3.0]}
    at["e"] |= {"position_m": [0.0, 0.0, 0.0], "velocity_m_per_s": [0.0, 0.0, 0.0]}
    for start in data["initial"]["attitudes"]:
        start |= {"orientation": {}, "angular_velocity_rad_per_s": [0.0, 0.0, 0.0]}
    return data


@pytest.mark.parametrize("friction", ["none", "infinite"])
def test_a_belt_between_two_bodies_changes_no_momentum(friction: str) -> None:
    out = solved(held(friction), duration_s=0.1)
    energy = out.table("energy")
    assert np.max(out.table("belts")["tension"]) > 100.0
    for name in ("momentum", "spin"):
        assert energy[name] == pytest.approx(
            np.tile(energy[name][0], (len(energy[name]), 1)), abs=1e-5
        )
    R = Rotation.random(random_state=1).as_matrix()
    shift, here = np.array([1.0, 2.0, 3.0]), out.table("segments")
    there = solved(turned(held(friction), R, shift), duration_s=0.1).table("segments")
    same(there["velocity"], here["velocity"] @ R.T)
    seen = solved(mirrored(held(friction)), duration_s=0.1).table("segments")
    same(seen["velocity"], here["velocity"] * MIRROR)


@settings(max_examples=often(30))
@given(seed=st.integers(0, 10**6))
def test_a_bag_pushes_no_more_than_it_is_pushed(seed: int) -> None:
    """A full bag between three free bodies, two of them its panels, in any pose nearby."""
    rng = np.random.default_rng(seed)
    data = scene(seed, closed=True)
    data["contacts"], data["springs"] = [], []
    for segment in data["segments"]:
        segment["surfaces"][0] |= {"kind": "ellipsoid", "id": "skin"}
        segment["surfaces"][0].pop("powers", None)
    skins = {name: {"segment": name, "surface": "skin"} for name in "abce"}
    data["airbags"] = [{
        "id": "bag", "panels": [skins["e"], skins["c"]], "touches": [skins["a"], skins["b"]],
        "semi_axes_m": [0.3, 0.25, 0.2], "centre_offset_m": [0.02, -0.01, 0.03], "friction": 0.4,
        "fabric_mass_kg": 0.3, "panel_stiffness_n_per_m": 500.0,
        "inflator": {"kind": "tank", "volume_m3": 1e-3, "pressure_pa": 2e7, "throat_area_m2": 1e-4},
    }]  # fmt: skip
    bench = Bench(data)
    system, z = bench.system, bench.model.z
    bag, first = bench.model.trees.bag_bodies[0], len(CAUSES)
    system.bags.memory.state[0], system.locked[bag] = FULL, OPEN
    z[first + BLOWN], z[first + FREE_VOLUME] = 0.1, 1.4 * float(system.bags.model.volume[0])
    q, v = bench.random_state(rng, 0.15)
    at = system.tree.at_q[bag]
    q[at : at + 3] = np.array([0.3, 0.0, 0.3]) + rng.uniform(-0.2, 0.2, 3)
    q[at + 3 : at + 7] = Rotation.random(random_state=seed).as_quat()[[3, 0, 1, 2]]
    bench.rates(q, v)
    force, torque, places = bench.work.applied.force, bench.work.applied.torque, bench.work.motion.p
    assert np.max(np.abs(force)) > 10.0
    assert np.allclose(force.sum(axis=0), 0.0, atol=1e-9 * np.max(np.abs(force)))
    turning = (torque + np.cross(places, force)).sum(axis=0)
    assert np.allclose(turning, 0.0, atol=1e-8 * np.max(np.abs(force)))
    # friction takes
    assert bench.powers[AIRBAG_FRICTION] <= 0.0
