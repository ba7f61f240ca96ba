"""What prescribed motions give in impulses: the energy account closes, whatever strikes what is driven."""

from __future__ import annotations

from typing import Any

import pytest

from tests.balls_and_floors import balanced, ball, run
from tests.models import base, segment

BOUNCY = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e5, "restitution": 0.5}
DECK = {"id": "deck", "mass_kg": 3.0, "inertia_kgm2": [1.0, 1.0, 1.0]}


def on_deck(components: list[dict[str, Any]], **ball_parts: Any) -> Any:
    """Give a ball above a floor that is part of a driven deck."""
    data = ball(BOUNCY, 3.0, height=0.11, **ball_parts)
    data["segments"].append(DECK)
    data["planes"][0] = data["planes"][0] | {"segment": "deck"}
    data["motions"] = [{"id": "lift", "segment": "deck", "components": components}]
    return data


def moved(component: str, speed: float) -> dict[str, Any]:
    return {
        "component": component,
        "quantity": "velocity",
        "pulse": {"kind": "constant", "value": speed},
    }


def test_a_ball_leaves_a_rising_deck_as_an_impulse_says_and_the_deck_works() -> None:
    out = run(on_deck([moved("z", 2.0)]), 0.01, 100_000.0)
    balanced(out, 1e-12)
    # it comes at 5 m/s against the deck, and leaves it at half of that
    velocity, energy = out.table("segments")["velocity"], out.table("energy")
    assert velocity[-1, 0, 2] == pytest.approx(2.0 + 2.5, abs=1e-9)
    impulse = 2.0 * (4.5 + 3.0)
    assert energy["work_of_motions"][-1] == pytest.approx(2.0 * impulse, rel=1e-9)
    assert energy["lost_in_impulses"][-1] == pytest.approx(0.5 * 2.0 * (25.0 - 6.25), rel=1e-9)


def test_the_account_closes_where_a_turning_deck_strikes_off_its_centre() -> None:
    parts = {"velocity": [0.4, -0.3, -3.0]}
    data = on_deck([moved("z", 1.0), moved("pitch", 3.0), moved("x", -0.7)], **parts)
    data["contact_laws"][0]["friction"] = 0.4
    data["initial"]["roots"][0]["position_m"] = [0.6, 0.1, 0.14]
    out = run(data, 0.05, 50_000.0)
    assert out.table("energy")["lost_in_impulses"][-1] > 1.0
    balanced(out, 1e-7)


def test_what_hangs_on_a_driven_deck_takes_its_work_through_joints() -> None:
    """A stop strikes while its parent is driven: the motion gives what the impulse carries through."""
    data = base(
        segments=[DECK, segment("rod")],
        motions=[{"id": "lift", "segment": "deck", "components": [moved("z", 2.0)]}],
        joints=[{
            "id": "pin", "kind": "pin", "parent": "deck", "child": "rod",
            "child_frame": {"position_m": [0.0, 0.0, -0.5]},
            "spring": {"stop_rad": 0.3, "restitution": 0.6},
        }],
        initial={"joints": [{"joint": "pin", "values": [0.0], "rates": [4.0]}]},
        gravity_m_per_s2=[0.0, 0.0, 0.0],
    )  # fmt: skip
    out = run(data, 0.3, 20_000.0)
    energy = out.table("energy")
    assert energy["lost_in_impulses"][-1] > 0.1
    balanced(out, 1e-9)


def test_an_axis_that_locks_on_a_driven_deck_takes_its_work_from_the_motion() -> None:
    data = base(
        segments=[DECK, segment("rod")],
        motions=[{
            "id": "lift", "segment": "deck", "components": [moved("x", 2.0), moved("pitch", 1.0)],
        }],
        joints=[{
            "id": "pin", "kind": "pin", "parent": "deck", "child": "rod",
            "child_frame": {"position_m": [0.0, 0.0, -0.5]},
            "spring": {"linear_nm_per_rad": 40.0}, "lock": {"lock_torque_nm": 4.0},
        }],
        initial={"joints": [{"joint": "pin", "values": [0.6]}]},
        gravity_m_per_s2=[0.0, 0.0, 0.0],
    )  # fmt: skip
    out = run(data, 0.5, 20_000.0)
    energy = out.table("energy")
    assert energy["lost_in_impulses"][-1] > 1.0
    balanced(out, 1e-9)


def test_a_ball_that_lands_rolling_on_a_driven_deck_is_pulled_along_by_the_motion() -> None:
    data = on_deck([moved("x", 2.0)])
    data["contacts"], data["contact_laws"] = [], []
    data["constraints"] = [{
        "id": "roll", "kind": "roll_slide", "plane": "floor", "starts": "on_touch", "mode": "roll",
        "surface": {"segment": "ball", "surface": "skin"}, "static_friction": 9.0,
        "sliding_friction": 9.0,
    }]  # fmt: skip
    out = run(data, 0.05, 20_000.0)
    energy = out.table("energy")
    # a solid ball is pulled to 2/7 of the speed of what it lands on
    assert out.table("segments")["velocity"][-1, 0, 0] == pytest.approx(4.0 / 7.0, rel=1e-9)
    assert energy["work_of_motions"][-1] == pytest.approx(2.0 * 2.0 * 4.0 / 7.0, rel=1e-9)
    balanced(out, 1e-9)
