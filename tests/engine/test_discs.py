"""Discs: the printed laws of seed 002 to first order, and Timoshenko's beam of many of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver import settle
from solver.project import validated
from solver.running.simulation import simulate
from tests.models import Bench, base, segment

H, A, E, G, I1, I2, J, KX, KY = 6e-3, 4e-4, 3.4e6, 1.2e6, 1.2e-8, 2e-8, 3e-8, 1.2, 1.2
DISC = {
    "id": "disc", "kind": "disc", "height_m": H, "area_m2": A, "moment_y_m4": I1, "moment_x_m4": I2,
    "polar_m4": J, "elastic_pa": E, "shear_pa": G, "shear_factor_x": KX, "shear_factor_y": KY,
}  # fmt: skip
SHIFT = np.array([1e-5, -2e-5, 1.5e-5])
TURN = np.array([2e-4, -3e-4, 1e-4])


def loads(shift: Any, turn: Any) -> tuple[Any, Any]:
    """Give force and moment at the upper plate by (57) to (65) as they are to be read."""
    p1 = 1.0 + 12.0 * E * I1 * KX / (G * A * H * H)
    p2 = 1.0 + 12.0 * E * I2 * KY / (G * A * H * H)
    dx, dy, dz = shift
    tx, ty, tz = turn
    force = (
        6.0 * E * I1 / H**2 * (2.0 * dx / H - ty) / p1,
        6.0 * E * I2 / H**2 * (2.0 * dy / H + tx) / p2,
        A / H * E * dz,
    )
    moment = (
        E * I2 / (H * p2) * (6.0 * dy / H + (p2 + 3.0) * tx),
        E * I1 / (H * p1) * (-6.0 * dx / H + (p1 + 3.0) * ty),
        J * G * tz / H,
    )
    return np.array(force), np.array(moment)


def bench(shift: Any, turn: Any) -> Bench:
    """Hold the upper plate in the middle of a body, shifted and turned against the ground's plate."""
    spin = [float(turn[2]), float(turn[1]), float(turn[0])]
    return Bench(
        base(
            segments=[segment("upper", 1.0, (1.0, 1.0, 1.0))],
            springs=[DISC | {"a": {"segment": "ground"}, "b": {"segment": "upper"}}],
            initial={
                "roots": [{"segment": "upper", "position_m": [*shift[:2], H + shift[2]]}],
                "attitudes": [{"segment": "upper", "orientation": {"angles_rad": spin}}],
            },
            gravity_m_per_s2=[0.0, 0.0, 0.0],
        )
    )


@pytest.mark.parametrize(("scale", "within"), [(1.0, 2e-5), (1e-3, 2e-8), (1e-5, 2e-9)])
def test_loads_are_those_of_the_print(scale: float, within: float) -> None:
    """A bushing at half of the height is (57) to (65) to first order: its error falls with the shift."""
    force, moment = loads(SHIFT, TURN)
    if scale == 1.0:
        assert force == pytest.approx([0.705905, -1.270906, 3.4], rel=1e-5)
    one = bench(scale * SHIFT, scale * TURN)
    # a body of 1 kg and 1 kg m2 takes them as accelerations
    found = one.rates(one.q, one.v)
    wanted = -scale * np.array([*force, *moment])
    assert np.max(np.abs(found - wanted)) < within * np.max(np.abs(wanted))


def column(count: int, push: float) -> Any:
    """Stand light plates on each other with discs between, and push the uppermost sideways (N)."""
    names = [f"plate_{n}" for n in range(count)]
    springs = [
        DISC | {"id": f"disc_{n}", "a": {"segment": names[n - 1] if n else "ground"}, "b": {"segment": name}}
        for n, name in enumerate(names)
    ]  # fmt: skip
    springs = [s | {"damping_nms_per_rad": [1e-4] * 3, "axial_damping_pas": 1e3} for s in springs]
    return base(
        1.0,
        segments=[segment(name, 1e-3, (1e-7, 1e-7, 1e-7)) for name in names],
        springs=springs,
        functions=[{
            "id": "push", "x_unit": "s", "y_unit": "N",
            "form": {"kind": "constant", "value": push},
        }],
        loads=[{"id": "push", "segment": names[-1], "direction": [1.0, 0.0, 0.0], "axes": "ground", "history": "push"}],
        initial={"roots": [
            {"segment": name, "position_m": [0.0, 0.0, (n + 1) * H]} for n, name in enumerate(names)
        ]},
        gravity_m_per_s2=[0.0, 0.0, 0.0],
    )  # fmt: skip


@pytest.mark.parametrize("count", [2, 4])
def test_a_column_of_discs_bends_as_timoshenkos_beam(count: int) -> None:
    """P L^3 / 3 E I + k P L / G A at the tip, of discs without anything between them: exactly, to first order."""
    push = 1e-4
    data = column(count, push)
    last = f"plate_{count - 1}"
    done = settle(validated(data))
    tip = next(r for r in done.project.initial.roots if r.segment == last)
    length = count * H
    wanted = push * length**3 / (3.0 * E * I1) + KX * push * length / (G * A)
    assert tip.position_m[0] == pytest.approx(wanted, rel=1e-4)


def test_a_disc_starts_at_rest_and_swings_at_its_own_frequency() -> None:
    data = base(
        0.05,
        segments=[segment("upper", 2.0, (0.01, 0.01, 0.01))],
        springs=[DISC | {"a": {"segment": "ground"}, "b": {"segment": "upper"}}],
        initial={"roots": [
            {"segment": "upper", "position_m": [0.0, 0.0, H], "velocity_m_per_s": [0.0, 0.0, 1e-3]}
        ]},
        gravity_m_per_s2=[0.0, 0.0, 0.0],
    )  # fmt: skip
    out = simulate(validated(data))
    z = out.table("segments")["position"][:, 0, 2] - H
    w = (E * A / H / 2.0) ** 0.5
    assert z == pytest.approx(1e-3 / w * np.sin(w * out.time), abs=1e-9)
