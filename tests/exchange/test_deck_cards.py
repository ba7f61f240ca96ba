"""Cards that the two public decks do not have: each gives what its rule says, and the checks have no errors."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.cli import main
from solver.exchange.decks.importing import Imported, taken
from solver.exchange.decks.order import Row
from solver.exchange.decks.writing import write_deck
from solver.project import Project, ProjectError, load_project
from solver.project.checks import check
from tests.decks import Small, card, constant, plane, table

INCH, POUND, DEGREE = 0.0254, 4.4482216152605, math.pi / 180
TORQUE = INCH * POUND


def read(deck: Small) -> Project:
    made = deck.read()
    assert [str(one) for one in check(made.project) if one.severity == "error"] == []
    return made.project


def how(made: Imported, name: str) -> set[str]:
    return {one.how for one in made.notes if one.card == name}


def joint(type_: int, **values: Any) -> Small:
    """Make a chain of two whose joint is of a type."""
    deck = Small()
    deck.joints = [
        card(
            "B.3.a",
            name="J",
            inner=1,
            type=type_,
            inner_point=(0, 0, 5),
            outer_point=(0, 0, -5),
            **values,
        )
    ]
    return deck


@pytest.mark.parametrize(
    ("type_", "state", "kind", "more"),
    [
        (0, 0, "ball", {}), (1, 0, "pin", {"lock.locked": False}), (-1, 0, "pin", {"lock.locked": True}),
        (2, 0, "ball", {}), (-2, 0, "ball", {"lock.locked": True}),
        (5, 0, "slip", {"rotation": "ball", "slide.locked": False}),
        (6, 0, "slip", {"rotation": "pin_y"}), (7, -1, "slip", {"rotation": "pin_z", "slide.locked": True}),
        (-6, -1, "slip", {"rotation": "pin_y", "slide.locked": True, "lock.locked": True}),
    ],
)  # fmt: skip
def test_types_of_joints(type_: int, state: int, kind: str, more: dict[str, Any]) -> None:
    made = read(joint(type_, state=state)).joints[0]
    assert made.kind == kind
    for path, value in more.items():
        here: Any = made
        for part in path.split("."):
            here = getattr(here, part)
        assert here == value


def euler(type_: int, state: int = 0) -> Small:
    deck = joint(type_, state=state)
    deck.axes = [card("B.3.b", centre_angles=(10, 20, 30))]
    deck.springs = [[card("B.4.a", first=(1, 2, 3, 0.5), first_stop=5, second=(0, 4, 0, 1), second_stop=6),
                     card("B.4.b", third=(7, 0, 0, 1), third_stop=0)]]  # fmt: skip
    deck.rubs = [
        [
            card(f"B.5.{letter}", viscous=v, full_rate=30, unlock=9)
            for v, letter in enumerate("abc", 1)
        ]
    ]
    return deck


@pytest.mark.parametrize(
    ("type_", "state", "held"),
    [
        (4, 0, "000"),
        (-4, 0, "111"),
        (-5, 0, "110"),
        (-6, 0, "101"),
        (-7, 0, "011"),
        (-8, 0, "001"),
        (-10, 0, "100"),
    ],
)
def test_states_of_euler_joints(type_: int, state: int, held: str) -> None:
    made = read(euler(type_, state)).joints[0]
    assert made.kind == "euler"
    axes = (made.precession, made.nutation, made.spin)
    assert "".join(str(int(axis.lock.locked)) for axis in axes) == held
    assert [axis.centre_rad / DEGREE for axis in axes] == pytest.approx([10, 20, 30])
    first = made.precession.spring
    assert first.linear_nm_per_rad == pytest.approx(TORQUE / DEGREE)
    assert first.quadratic_nm_per_rad2 == pytest.approx(2 * TORQUE / DEGREE**2)
    assert first.cubic_nm_per_rad3 == pytest.approx(3 * TORQUE / DEGREE**3)
    assert (first.returned_ratio, first.stop_rad) == (0.5, pytest.approx(5 * DEGREE))
    assert made.spin.spring.linear_nm_per_rad == pytest.approx(7 * TORQUE / DEGREE)
    assert made.spin.friction.viscous_nms_per_rad == pytest.approx(3 * TORQUE / DEGREE)
    assert made.nutation.lock.unlock_torque_nm == pytest.approx(9 * TORQUE)


def test_springs_of_cards_b4() -> None:
    deck = joint(0)
    deck.springs = [[card("B.4.a", first=(5, 0, 0, 0.6), second=(5, 0, 0, 1))]]
    deck.rubs = [[card("B.5.a", full_rate=30, impulse=0.75, lock=3, lock_rate=0.1)]]
    project = read(deck)
    made: Any = project.joints[0]
    curve: Any = next(one for one in project.functions if one.id == made.flexure.torque).form
    assert curve.y[-1] / curve.x[-1] == pytest.approx(5 * TORQUE / DEGREE)
    assert made.flexure.returned_ratio == 0.6
    assert made.torsion.linear_nm_per_rad == pytest.approx(5 * TORQUE / DEGREE)
    assert made.flexure.restitution == made.torsion.restitution == 0.5
    deck.springs = [[card("B.4.a", first=(0, -1, 2, 1), first_stop=10)]]
    assert read(deck).joints[0].flexure.quadratic_nm_per_rad2 < 0  # type: ignore[union-attr]


def azimuths(number: int, angles: int, *rows: tuple[float, ...]) -> list[Row]:
    out = [
        card("E.7.a", number=number, title="BEND"),
        card("E.7.b"),
        card("E.7.c", angles=angles, azimuths=len(rows)),
    ]
    return out + [card("E.7.d", values=row) for row in rows]


def test_torques_by_azimuth() -> None:
    deck = joint(0)
    deck.springs = [[card("B.4.a", first=(-7, 0, 0, 0), second=(-7, 0, 0, 0))]]
    deck.azimuths = azimuths(
        7, 5, (0, 10, 20, 30, 40), (60, 0, 6, 12, 18), (0, 1, 2, 3, 4), (0, 5, 6, 7, 8)
    )
    project = read(deck)
    made: Any = project.joints[0]
    around = made.by_azimuth.around
    assert [one.azimuth_rad / DEGREE for one in around] == pytest.approx([-180, -90, 0, 90])
    curves = {one.id: one.form for one in project.functions}
    late: Any = curves[around[1].torque]
    # nothing up to the start angle of 60 degrees, then the line to the next angle
    assert late.x[:3] == pytest.approx((0, 60 * DEGREE, 90 * DEGREE))
    assert late.y[:3] == pytest.approx((0, 0, 6 * TORQUE))
    twist: Any = curves[made.torsion.torque]
    assert (twist.y[0], twist.y[-1]) == pytest.approx((-40 * TORQUE, 4 * TORQUE))
    assert how(deck.read(), "E.7.d") == {"taken"}


def test_a_globographic_stop() -> None:
    deck = joint(3)
    deck.functions = [*table(1, 0, 0, 1, 100), card("E.1", number=2), card("E.2", d=(0, 1, 2)),
                      card("E.3", a=(0.5, 0.1)), card("E.3", a=(0.2,))]  # fmt: skip
    deck.contacts["F.4.b"] = [card("F.4.b", joint=1, functions=(1, 2, 0, 0, 1))]
    project = read(deck)
    stop: Any = project.joints[0]
    contour: Any = next(
        one for one in project.functions if one.id == stop.globographic.contour.angle
    ).form
    assert contour.y[90] == pytest.approx(0.5 + 0.2)
    assert contour.y[0] == pytest.approx(0.6)


def test_a_half_sine_of_a_vehicle() -> None:
    deck = Small()
    deck.vehicle = [
        card("C.1", title="CAR"),
        card("C.2", angles=(90, 0, 0), speed=300, duration=0.1, origin=(1, 2, 3)),
    ]
    project = read(deck)
    motion = project.motions[0]
    pulse: Any = motion.components[0].pulse
    # the area below half a sine is the speed
    assert pulse.amplitude * 0.1 * 2 / math.pi == pytest.approx(-300 * INCH)
    assert motion.components[0].start_rate == pytest.approx(300 * INCH)
    assert motion.axes.angles_rad[0] == pytest.approx(math.pi / 2)
    assert project.initial.roots[0].position_m == pytest.approx((INCH, 2 * INCH, 3 * INCH))
    assert project.initial.roots[1].moves_with == "vehicle"


def test_a_second_vehicle_and_the_ground_have_numbers() -> None:
    deck = Small()
    deck.vehicle = [card("C.1", title="DOOR"), card("C.2", points=2, interval=0.01, segment=3), card("C.3", values=(0, 5)),
                    card("C.1", title="CAR"), card("C.2")]  # fmt: skip
    deck.shapes["D.6"] = [card("D.6", type=1, first=1, second=5), card("D.6", type=2, first=2, second=4, second_point=(0, 0, 9)),
                          card("D.6", type=3, first=1, second=2)]  # fmt: skip
    made = deck.read()
    assert [one.id for one in made.project.segments] == ["S0", "S1", "vehicle_1", "vehicle"]
    first, second = made.project.constraints
    assert (first.kind, first.b.segment) == ("zero_distance", "ground")
    assert (second.kind, second.b.segment) == ("fixed_distance", "vehicle")
    assert "impossible" in how(made, "D.6")


def test_springs_and_forces_by_time() -> None:
    deck = Small()
    deck.functions = [*table(1, 0, 0, 1, 100, 2, 300), *table(2, -9, -9, 9, 9)]
    deck.shapes["D.8"] = [
        card(
            "D.8",
            first=1,
            second=3,
            second_point=(0, 0, 30),
            rest=20,
            spring=(5, 2),
            damping=(3, 1),
        ),
        card("D.8", first=1, second=3, second_point=(0, 0, 30), rest=20, spring=(-5, 0)),
        card(
            "D.8",
            first=1,
            second=3,
            second_point=(0, 0, 30),
            rest=-20,
            spring=(1, 1),
            damping=(2, 0),
        ),
    ]
    deck.shapes["D.9"] = [
        card("D.9", segment=2, function=1, point=(1, 0, 0), angles=(90, 0, 0)),
        card("D.9", segment=-2, function=1),
    ]
    project = read(deck)
    one, pulls, told = project.springs
    assert one.stiffness_n_per_m == pytest.approx(5 * POUND / INCH)  # type: ignore[union-attr]
    assert one.damping_ns2_per_m2 == pytest.approx(POUND / INCH**2)  # type: ignore[union-attr]
    assert (one.tension_only, pulls.tension_only, told.kind) == (False, True, "tabulated")  # type: ignore[union-attr]
    assert told.rest_length_m == pytest.approx(20 * INCH)  # type: ignore[union-attr]
    force, torque = project.loads
    assert force.direction == pytest.approx((0, 1, 0), abs=1e-12)
    assert (force.kind, torque.kind) == ("force", "torque")
    curve: Any = next(f for f in project.functions if f.id == torque.history)
    assert (curve.y_unit, curve.form.y[1]) == ("N*m", pytest.approx(100 * TORQUE))


def test_a_simple_belt() -> None:
    deck = Small()
    deck.functions = [*table(1, 0, 0, 0.1, 1000), *constant(2, 0.1)]
    deck.shapes["D.3"] = [card("D.3.a", title="LAP"), card("D.3.b", anchor_a=(-5, 10, 5), anchor_b=(-5, -10, 5)),
                          card("D.3.c", fixed=(3, 0, 0), slack=0.5)]  # fmt: skip
    deck.contacts["F.2.b"] = [
        card("F.2.b", belt=1, carrier=3, segment=1, ellipsoid=1, functions=(1, 0, 0, 0, 2))
    ]
    belt = read(deck).belts[0]
    assert (belt.friction, belt.slack_m, belt.name) == (
        "infinite",
        pytest.approx(0.5 * INCH),
        "LAP",
    )
    assert belt.surface.segment == "S0"


def bag() -> Small:
    deck = Small()
    deck.counts["bags"] = 1
    deck.shapes["D.4"] = [
        card("D.4.a", title="BAG", panels=1), card("D.4.b", semi_axes=(12, 12, 8)), card("D.4.c", angles=(180, 0, 0), point=(-1, 0, 0)),
        card("D.4.d", weight=1, time=0.01, ambient=14.7, supply=3000, temperature=540, volume=150),
        card("D.4.e", nozzle=0.6, ratio=1.4, gas=640, throat=0.8, opens=0.5, vent_coefficient=0.7),
        card("D.4.f", vent=3, spring=10, friction=0.3, unused=5, factor=1),
        card("D.4.g", semi_axes=(3, 10, 10)), card("D.4.h", place=(30, 0, 0)),
    ]  # fmt: skip
    deck.late = [card("F.6", bag=1, count=1, pairs=(1, 1))]
    return deck


def test_an_airbag() -> None:
    made = read(bag()).airbags[0]
    tank: Any = made.inflator
    assert tank.pressure_pa == pytest.approx(3014.7 * POUND / INCH**2)
    assert tank.temperature_k == pytest.approx(300)
    # 640 in lbf/(lb R) is air, within 1 %
    assert made.gas.gas_constant_j_per_kgk == pytest.approx(287.05, rel=0.01)
    assert made.vents[0].opens_at_pa == pytest.approx(0.5 * POUND / INCH**2)
    assert made.touches[0].segment == "S0"
    assert made.panels[0].segment == "vehicle"


def test_wind_with_a_shield() -> None:
    deck = Small()
    deck.counts["winds"] = 1
    deck.shapes["D.2"] = plane(1)
    deck.winds = [card("E.6.a", number=9, title="BLAST"), card("E.6.b"), card("E.6.c", points=2),
                  card("E.6.d", row=(0, 1, 2, 3)), card("E.6.d", row=(1, 1, 2, 3))]  # fmt: skip
    deck.late = [card("F.7.a", flags=(1, 0)),
                 card("F.7.b", segment=-1, ellipsoid=1, carrier=3, plane=1, function=9, count=1, blockers=(2, 2))]  # fmt: skip
    project = read(deck)
    wind = project.winds[0]
    assert (wind.targets[0].method, wind.targets[0].shields[0].segment) == ("outline", "S1")
    curve: Any = next(one for one in project.functions if one.id == wind.pressure_y).form
    assert curve.y[0] == pytest.approx(2 * POUND / INCH**2)
    # of two shields each is read; that one is the surface itself is the check's to say
    deck.late[-1] = card("F.7.b", segment=-1, ellipsoid=1, carrier=3, plane=1, function=9, count=2, blockers=(2, 2, 1, 1))  # fmt: skip
    (target,) = deck.read().project.winds[0].targets
    assert [one.segment for one in target.shields] == ["S1", target.surface.segment]


def test_an_actuator() -> None:
    deck = joint(1)
    deck.counts["more"] = 1
    deck.functions = [*constant(1, 30), *constant(2, 5), *constant(3, 0.5)]
    deck.late = [card("F.10", joint=1, base=1, target=1, proportional=2, derivative=3)]
    force = read(deck).coordinate_forces[0]
    law: Any = force.laws[0]
    assert law.target == pytest.approx(30 * DEGREE)
    assert law.proportional == pytest.approx(5 * TORQUE / DEGREE)
    assert law.derivative == pytest.approx(0.5 * TORQUE / DEGREE)


def test_two_belts_of_a_harness_share_a_tie_and_a_ring_lies_between() -> None:
    deck = Small()
    deck.counts["harnesses"] = 1
    deck.functions = [*table(1, 0, 0, 0.1, 1000), *constant(2, 0.4, along=0.3)]
    end = {"segment": 3, "directed": 1, "follows": 1}
    deck.late = [
        card("F.8.a", belts=(1,)), card("F.8.b", points=(4,)), card("F.8.c", functions=(1,), slack=-0.25),
        card("F.8.d1", **end, point=(-5, 10, 5)), card("F.8.d2", direction=(0, 0, 1)),
        card("F.8.d1", segment=3, functions=(0, 0, 0, 0, 2), point=(-4, 9, 0)), card("F.8.d2"),
        card("F.8.d1", segment=1, ellipsoid=1, follows=1, functions=(0, 0, 0, 0, -2), point=(3, 0, 0)), card("F.8.d2"),
        card("F.8.d1", **end, point=(-5, -10, 5)), card("F.8.d2"),
    ]  # fmt: skip
    strap = read(deck).harnesses[0].straps[0]
    assert [one.kind for one in strap.points] == ["anchor", "ring", "surface", "anchor"]
    ring, lies = strap.points[1], strap.points[2]
    assert ring.friction == 0.3  # type: ignore[union-attr]
    assert (lies.friction_across, lies.friction_along, lies.may_leave) == (0.4, 0.3, False)  # type: ignore[union-attr]
    assert strap.slack_m == pytest.approx(-0.25 * INCH)


def test_start_velocities_follow_the_flag_of_card_g1() -> None:
    deck = Small()
    deck.start = card("G.1", velocities=1, equilibrium=15)
    deck.roots = [card("G.2", position=(0, 0, 1), velocity=(9, 0, 0))]
    deck.more = [
        card("G.4", variables=1),
        card("G.5", kind=1, component=3, segment=1, target=50, plane=1, contact=1),
    ]
    made = deck.read()
    root = made.project.initial.roots[1]
    assert root.velocity_m_per_s == pytest.approx((9 * INCH, 0, 0))
    assert root.moves_with == "ground"
    assert "settle" in "".join(str(s) for one in made.notes if one.card == "G.1" for s in one.says)
    assert how(made, "G.5") == {"note"}


def test_a_joint_without_inner_segment_begins_another_tree() -> None:
    deck = Small()
    deck.joints = [card("B.3.a", name="J", inner=0)]
    deck.roots = [card("G.2"), card("G.2", position=(0, 0, 40))]
    project = read(deck)
    assert project.joints == ()
    assert [one.segment for one in project.initial.roots] == ["vehicle", "S0", "S1"]


@pytest.mark.parametrize(
    ("count", "group", "said"),
    [("joint_functions", "F.5", "enter them on cards E.7"), ("water", "F.9", "Forces of water")],
)
def test_cards_that_have_no_like_here_are_stepped_over(count: str, group: str, said: str) -> None:
    deck = Small()
    deck.counts[count] = 1
    deck.late = [card(group, text="  1 2 3 4 5 6")]
    text = deck.text()
    made = taken(text.encode())
    (note,) = [one for one in made.notes if one.card == group]
    assert (note.how, note.first) == ("impossible", note.last)
    assert said in str(note)
    assert "no later card has a label" in refused(text.replace("G.1", "   "))


def test_deformable_bodies_are_refused_and_long_names_kept() -> None:
    text = Small().text()
    at = text.index("CHAIN")
    assert "deformable bodies" in refused(text[:at] + "CHAIN".ljust(20) + "    2" + text[at + 25 :])
    named = taken(
        (text[:at] + "CHAIN WITH A LONG NAME AS IT IS".ljust(52) + text[at + 52 :])
        .replace("SMALL", "")
        .encode()
    )
    assert named.project.title == "CHAIN WITH A LONG NAME AS IT IS"


def refused(text: str) -> str:
    with pytest.raises(ProjectError) as failure:
        taken(text.encode())
    return str(failure.value)


def test_a_blower_s_coefficient_and_shields_stand_on_one_card() -> None:
    deck = Small()
    deck.counts["winds"] = 1
    deck.shapes["D.2"] = plane(1)
    deck.functions = [*constant(1, 0.7)]
    deck.winds = [
        card("E.6.a", number=9),
        card("E.6.b"),
        card("E.6.c", points=1),
        card("E.6.d", row=(0, 1, 2, 3)),
    ]
    deck.late = [card("F.7.a", flags=(1, 0)), card("F.7.b", segment=-1, ellipsoid=1, carrier=3, plane=1, function=9,
                                                   drag=1, count=1, blockers=(2, 2))]  # fmt: skip
    project = read(deck)
    (wind,) = project.winds
    assert len(wind.targets[0].shields) == 1
    assert pressure(project) == pytest.approx(0.7 * 3 * POUND / INCH**2)
    # a coefficient that changes stands on cards E.6 too
    deck.counts["winds"] = 2
    deck.winds[-2:] = [
        card("E.6.c", points=2),
        card("E.6.d", row=(0, 1, 2, 3)),
        card("E.6.d", row=(1, 1, 2, 5)),
    ]
    deck.winds += [card("E.6.a", number=1), card("E.6.b"), card("E.6.c", points=2), card("E.6.d", row=(0, 1, 0, 0)),
                   card("E.6.d", row=(2, 2, 0, 0))]  # fmt: skip
    assert pressure(read(deck), 0.5) == pytest.approx(1.25 * 4 * POUND / INCH**2)


def pressure(project: Project, at: float = 0.0) -> float:
    curve: Any = next(
        one for one in project.functions if one.id == project.winds[0].pressure_z
    ).form
    return float(np.interp(at, curve.x, curve.y))


def test_a_segment_without_weight_lives_by_what_holds_it() -> None:
    def errors(kind: int, number: int) -> set[str]:
        deck = Small(3)
        deck.joints[0].values["type"] = deck.joints[1].values["type"] = kind
        rows = deck.rows()
        light = [one for one in rows if one.name == "B.2.a"][number]
        light.values |= {"weight": 0.0, "inertia": (0.0, 0.0, 0.0)}
        made = taken("\n".join(write_deck(rows).lines).encode())
        assert "must make its motion determined" in str(
            [str(s) for n in made.notes for s in n.says]
        )
        return {one.code for one in check(made.project) if one.severity == "error"}

    assert errors(1, 1) == set()
    assert errors(2, 2) != set()


def resting() -> Small:
    """Give a deck of an ellipsoid above a floor, which is to be put to rest with 10 lb on it."""
    deck = Small(1)
    deck.shapes["D.2"] = plane(1)
    deck.functions = [*table(1, 0, 0, 1, 100), *constant(2, 0.3)]
    deck.contacts["F.1.b"] = [
        card(
            "F.1.b",
            plane=1,
            carrier=2,
            segment=1,
            ellipsoid=1,
            functions=(1, 0, 0, 0, 2),
            option=-1,
        )
    ]
    deck.roots = [card("G.2", position=(0, 0, 16))]
    deck.start = card("G.1", equilibrium=15)
    deck.more = [
        card("G.4", variables=1),
        card("G.5", kind=1, component=3, segment=1, target=10, plane=1, contact=1),
    ]
    return deck


def test_an_equilibrium_that_a_deck_asks_for_is_found(tmp_path: Path) -> None:
    deck = resting()
    file = tmp_path / "rest.ain"
    file.write_text(deck.text())
    (note,) = [one for one in mk.read_ain(file).report if one.card == "G.1"]
    assert "S0.z free" in str(note)
    root = mk.read_ain(file).model.project.initial.roots[-1]
    # 10 lb press the ellipsoid 0.1 in into the floor
    assert root.position_m[2] == pytest.approx(15.1 * INCH, abs=1e-6)
    assert mk.read_ain(file, settle=False).model.project.initial.roots[-1].position_m[
        2
    ] == pytest.approx(16 * INCH)
    assert main(["import", str(file), "-o", str(tmp_path / "a.json"), "--as-it-stands"]) == 0
    assert load_project(tmp_path / "a.json").initial.roots[-1].position_m[2] == pytest.approx(
        16 * INCH
    )
    deck.contacts["F.1.b"], deck.shapes["D.2"] = [], []
    deck.functions = []
    file.write_text(deck.text())
    (note,) = [one for one in mk.read_ain(file).report if one.card == "G.1"]
    assert (note.how, "none was found" in str(note)) == ("impossible", True)
