"""Angles on cards G.3 and B.3: in which field they stand, in which order they turn, what is refused."""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.exchange.decks.importing import Imported, taken
from solver.exchange.decks.writing import given
from solver.project.document import Project
from solver.project.geometry import AxisOrder
from solver.project.pose import start_pose, turn
from solver.project.problems import ProjectError
from solver.project.reading import validated
from tests.decks import Small, card

DEG = math.pi / 180.0
YAW, PITCH, ROLL = 30.0, 40.0, -25.0


def attitude(orders: tuple[int, ...], angles: tuple[float, ...], *more: Any, **fields: Any) -> Any:
    deck = Small(1)
    deck.turns = [card("G.3", angles=angles, orders=orders, **fields), *more]
    return start_pose(deck.read().project)["S0"].R_WS


def about(order: str, *angles: float) -> Any:
    """Give turns about moving axes, first to last."""
    return Rotation.from_euler(order.upper(), angles, degrees=True).as_matrix()


@pytest.mark.parametrize(
    ("orders", "order", "angles"),
    [
        ((0, 0, 0), "xyz", (ROLL, PITCH, YAW)),
        ((1, 2, 3), "xyz", (ROLL, PITCH, YAW)),
        ((3, 2, 1), "zyx", (YAW, PITCH, ROLL)),
        ((3, -2, 1), "zyx", (YAW, PITCH, ROLL)),
        ((2, 3, 1), "yzx", (PITCH, YAW, ROLL)),
        ((1, 3, 2), "xzy", (ROLL, YAW, PITCH)),
        ((3, 1, -3), "zxz", (YAW, ROLL, PITCH)),
        ((2, 3, -2), "yzy", (PITCH, YAW, ROLL)),
        ((1, 2, -1), "xyx", (ROLL, PITCH, YAW)),
    ],
)
def test_the_angle_of_an_axis_has_its_field_whatever_the_order(
    orders: tuple[int, ...], order: str, angles: tuple[float, ...]
) -> None:
    R = attitude(orders, (YAW, PITCH, ROLL))
    assert pytest.approx(about(order, *angles), abs=1e-12) == R


def test_two_angles_tell_the_orders_apart() -> None:
    s, c, t, k = math.sin(YAW * DEG), math.cos(YAW * DEG), math.sin(PITCH * DEG), math.cos(PITCH * DEG)  # fmt: skip
    first = (c * k, s, -t * c)  # the x axis, yawed in the plane that was pitched before
    assert attitude((0, 0, 0), (YAW, PITCH, 0.0))[:, 0] == pytest.approx(first, abs=1e-12)
    assert attitude((1, 2, 3), (YAW, PITCH, 0.0))[:, 0] == pytest.approx(first, abs=1e-12)
    usual = (c * k, s * k, -t)
    assert attitude((3, 2, 1), (YAW, PITCH, 0.0))[:, 0] == pytest.approx(usual, abs=1e-12)


def test_the_free_body_of_the_old_manual_has_its_momentum_along_z() -> None:
    # section 3.4.1: moments 1, 2, 3, equal rates, no fields for orders
    R = attitude((0, 0, 0), (116.565051, 36.6992252, 0.0))
    h = R @ np.array([1.0, 2.0, 3.0])
    assert h == pytest.approx([0.0, 0.0, math.sqrt(14.0)], abs=1e-7)


def test_the_report_names_cards_without_an_order() -> None:
    deck = Small(2)
    deck.turns = [card("G.3", angles=(YAW, PITCH)), card("G.3", angles=(YAW,))]
    told = [one for one in deck.read().notes if one.card == "G.3"]
    assert [one.how for one in told] == ["rule", "taken"]
    assert "1, 2, 3, roll first" in str(told[0].says[0])


def test_axes_of_joints_without_an_order_are_yawed_first() -> None:
    deck = Small(2)
    angles = {"inner_angles": (YAW, PITCH, ROLL), "outer_angles": (YAW, PITCH, ROLL)}
    deck.axes = [card("B.3.b", **angles, orders=(0, 0, 0, 1, 2, 3))]
    (joint,) = deck.read().project.joints
    usual, other = about("zyx", YAW, PITCH, ROLL), about("xyz", ROLL, PITCH, YAW)
    assert turn(joint.parent_frame.orientation) == pytest.approx(usual, abs=1e-12)
    assert turn(joint.child_frame.orientation) == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ((4, 2, 1), "each is 1, 2 or 3"),
        ((3, 0, 1), "each is 1, 2 or 3"),
        ((3, 3, 1), "twice in a row"),
        ((3, 2, -2), "twice in a row"),
        ((3, 1, 3), "without a minus: 3 1 -3"),
    ],
)
def test_orders_that_are_no_turn_are_refused(orders: tuple[int, ...], said: str) -> None:
    with pytest.raises(ProjectError, match=f"columns 61-69: Card G.3, field orders: .*{said}"):
        attitude(orders, (YAW, 0.0, 0.0))
    deck = Small(2)
    deck.axes = [card("B.3.b", orders=(3, 2, 1, *orders))]
    with pytest.raises(ProjectError, match=f"Card B.3.b, field orders: .*{said}"):
        deck.read()


def test_projections_tell_two_axes() -> None:
    R = about("zyx", YAW, PITCH, ROLL)
    z, x = R[:, 2], R[:, 0]
    # of the z axis its angles in two planes, of the x axis its components, not square to the first
    a = (math.atan2(z[0], z[2]) / DEG, math.atan2(z[1], z[0]) / DEG, 0.0, *(2.0 * x + 0.3 * z))
    told = card("G.3.b", a=a, numbers=(1, 3, -1, 1))
    assert attitude((-1, 0, 0), (), told) == pytest.approx(R, abs=1e-6)
    other = card("G.3.b", a=(*R[:, 1], *R[:, 2]), numbers=(-1, 2, -1, 3))
    assert attitude((-1, 0, 0), (), other) == pytest.approx(R, abs=1e-6)


@pytest.mark.parametrize(
    ("a", "numbers", "said"),
    [
        ((1, 0, 0, 0, 1, 0), (-1, 2, -1, 2), "not two axes"),
        ((1, 0, 0, 0, 1, 0), (-1, 2, -1, 0), "not two axes"),
        ((1, 0, 0, 0, 1, 0), (4, 1, -1, 2), "no plane"),
        ((0, 0, 0, 0, 1, 0), (1, 1, -1, 2), "sin A1 cos A2"),
        ((0, 0, 0, 0, 1, 0), (-1, 1, -1, 2), "components of an axis are zero"),
        ((0, 2, 0, 0, 1, 0), (-1, 1, -1, 2), "the same way"),
    ],
)
def test_projections_that_tell_nothing_are_refused(
    a: tuple[float, ...], numbers: tuple[int, ...], said: str
) -> None:
    with pytest.raises(ProjectError, match=f"Card G.3.b, field numbers: .*{said}"):
        attitude((-1, 0, 0), (), card("G.3.b", a=a, numbers=numbers))


def chain(type_: int, **fields: Any) -> Small:
    deck = Small(2)
    deck.joints = [card("B.3.a", name="J", inner=1, type=type_, inner_point=(0, 0, 5), outer_point=(0, 0, -5))]  # fmt: skip
    deck.axes = [card("B.3.b", inner_angles=(25, 10), outer_angles=(0, 0, -15), **fields)]
    if type_ == 4:
        deck.springs = [[card("B.4.a"), card("B.4.b")]]
        deck.rubs = [[card(f"B.5.{letter}", full_rate=30) for letter in "abc"]]
    return deck


def test_a_reference_below_zero_turns_about_the_axes_of_the_joint() -> None:
    inner, outer = about("zyx", 25, 10, 0), about("x", -15)
    deck = chain(0)
    deck.turns = [card("G.3", angles=(70, 20), orders=(3, 2, 1)), card("G.3", angles=(YAW, 0, ROLL), orders=(3, 2, 1), reference=-1)]  # fmt: skip
    pose = start_pose(deck.read().project)
    between = pose["S0"].R_WS.T @ pose["S1"].R_WS
    assert between == pytest.approx(inner @ about("zyx", YAW, 0, ROLL) @ outer.T, abs=1e-12)
    euler = chain(4, centre_angles=(5, 6, 7))
    euler.turns = [card("G.3"), card("G.3", angles=(20, 50, 30), orders=(3, 1, -3), reference=-1)]
    pose = start_pose(euler.read().project)
    # precession, nutation, spin: 20, 30, 50 beyond the centres 5, 6, 7
    assert pytest.approx(inner @ about("zxz", 25, 36, 57) @ outer.T, abs=1e-12) == pose["S1"].R_WS
    euler.turns[1] = card("G.3", orders=(3, 2, 1), reference=-2)
    with pytest.raises(ProjectError, match="-2 is not the segment that carries this one"):
        euler.read()


@pytest.mark.parametrize("order", get_args(AxisOrder))
def test_every_order_is_written_and_read_back(order: str) -> None:
    project = Small(2).read().project
    told = {"angles_rad": (0.3, -0.7, 1.1), "order": order}
    data = project.model_dump()
    data["initial"]["attitudes"] = [{"segment": one, "orientation": told} for one in ("S0", "S1")]
    data["joints"][0]["parent_frame"]["orientation"] = told
    data["segments"][0]["principal_axes"] = told
    made = validated(data)
    back: Imported = taken("\n".join(given(made, True).text.lines).encode(), True)
    assert all(one.how != "impossible" for one in back.notes)
    for there, here in zip(places(made), places(back.project), strict=True):
        assert here == pytest.approx(there, abs=1e-12)


def places(project: Project) -> list[Any]:
    one = project.segments[0]
    poses = [at.R_WS for name, at in start_pose(project).items() if name in ("S0", "S1")]
    return [*poses, turn(project.joints[0].parent_frame.orientation), turn(one.principal_axes)]
