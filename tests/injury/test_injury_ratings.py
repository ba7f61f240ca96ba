"""Criteria by duration, of brain, neck and seat, risks and ratings, each by another way of reckoning."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver.base.words import NOTHING, Sentence
from solver.injury import Figure, G, Limit, Score, compute, reference
from solver.injury.criteria import Signal
from solver.injury.head import (
    BRINKLEY,
    BRINKLEY_LIMITS,
    impact_power,
    lower_load,
    multiaxial,
    ubric,
)
from solver.injury.judging import Case, MatchedDummy
from solver.injury.parts import Occupant
from solver.injury.scores import HEAD, Array, Lasting, Load, by_duration, by_time, limit_at
from solver.injury.scores import rated as ratings
from solver.project.outputs import InjuryOutput

POINTS = ((0.0, 3300.0), (0.035, 2900.0), (0.06, 1100.0))


def noise(seed: int, size: float) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    t = np.arange(1501) * 1e-4
    waves = sum(
        rng.uniform(0.2, 1.0) * np.sin(2.0 * np.pi * (rng.uniform(2.0, 60.0) * t + rng.uniform()))
        for _ in range(5)
    )
    return t, np.maximum(size * waves, 0.0)


def sorted_share(t: Array, load: Array, points: tuple[tuple[float, float], ...]) -> float:
    """By sorting: what the k-th largest of many samples is exceeded for, k steps."""
    fine = np.linspace(0.0, t[-1], 30 * (len(t) - 1) + 1)
    falling = np.sort(np.interp(fine, t, load))[::-1]
    lasting = np.arange(len(falling)) * (fine[1] - fine[0])
    limit = np.interp(lasting, [p[0] for p in points], [p[1] for p in points])
    return float((falling / limit).max())


@pytest.mark.parametrize("seed", range(6))
def test_a_load_by_its_duration_against_sorted_samples(seed: int) -> None:
    t, load = noise(seed, 1500.0)
    found = by_duration(t, load, POINTS)
    assert found.value == pytest.approx(sorted_share(t, load, POINTS), rel=2e-3)
    assert t[0] <= found.t1 <= found.t2 <= t[-1]
    # it scales with the load, and a lower limit is nearer
    assert by_duration(t, 2.0 * load, POINTS).value == pytest.approx(2.0 * found.value, rel=1e-6)


def test_a_square_load_is_compared_with_the_limit_for_its_length() -> None:
    t = np.arange(2001) * 1e-4
    for length in (0.02, 0.0475, 0.1):
        load = np.where((t >= 0.05) & (t < 0.05 + length - 1e-9), 1000.0, 0.0)
        found = by_duration(t, load, POINTS)
        assert found.value == pytest.approx(1000.0 / limit_at(POINTS, length), rel=5e-3)
        assert found.t2 - found.t1 == pytest.approx(length, abs=2e-4)
    assert limit_at(POINTS, 0.0475) == 2000.0
    assert limit_at(POINTS, 1.0) == 1100.0
    # two halves count as one load
    split = np.where((t % 0.1 >= 0.05) & (t % 0.1 < 0.074), 1000.0, 0.0)
    assert by_duration(t, split, POINTS).value == pytest.approx(
        1000.0 / limit_at(POINTS, 0.048), rel=2e-2
    )
    assert by_duration(t, 0.0 * t, POINTS).value == 0.0


@pytest.mark.parametrize(
    ("name", "row", "sign", "on_child"),
    [
        ("neck_tension_by_duration", 2, 1.0, True),
        ("neck_shear_by_duration", 0, -1.0, True),
        ("femur_by_duration", 2, 1.0, True),
        ("femur_by_duration", 2, -1.0, False),
    ],
)
def test_signs_of_loads_by_duration(name: str, row: int, sign: float, on_child: bool) -> None:
    t = np.arange(101) * 1e-3
    force = np.zeros((3, 101))
    force[row] = sign * 1000.0
    options = InjuryOutput.model_construct(id="x", criterion=name, output="a")
    one = compute([Signal(t, force, 600, on_child)], options, name)
    assert one.value == pytest.approx(1000.0 / reference().durations[name][-1][1])
    other = compute([Signal(t, -force, 600, on_child)], options, name)
    assert (other.value > 0.0) == (name == "neck_shear_by_duration")


def test_impact_power_of_constant_accelerations() -> None:
    t = np.arange(201) * 1e-4
    a, alpha = np.zeros((3, 201)), np.zeros((3, 201))
    a[0], a[2], alpha[1] = 300.0, -400.0, 2000.0
    # a times its integral is a^2 t, whatever its sign
    expected = 0.02 * (4.5 * (300.0**2 + 400.0**2) + 0.024 * 2000.0**2)
    assert impact_power(t, a, alpha).value == pytest.approx(expected, rel=1e-12)
    assert impact_power(t, 0.0 * a, alpha).value == pytest.approx(0.02 * 0.024 * 2000.0**2)


def test_universal_brain_criterion_of_swings() -> None:
    t = np.linspace(0.0, 0.1, 4001)
    w = 2.0 * np.pi / 0.1
    rate, turned = np.zeros((3, 4001)), np.zeros((3, 4001))
    rate[0], turned[0] = 20.0 * np.sin(w * t), 20.0 * w * np.cos(w * t)
    rate[2], turned[2] = 10.0 * np.sin(w * t), 10.0 * w * np.cos(w * t)
    parts = []
    for size, critical, hard in ((20.0, 211.0, 20_000.0), (10.0, 115.0, 7760.0)):
        a, b = 2.0 * size / critical, 2.0 * size * w / hard
        parts.append(a + (b - a) * math.exp(-b / a))
    assert ubric(t, rate, turned).value == pytest.approx(math.hypot(*parts), rel=1e-6)
    # far more acceleration than rate: the rate alone counts; far less: the acceleration
    assert ubric(t, rate, 1e4 * turned).value == pytest.approx(
        math.hypot(40.0 / 211.0, 20.0 / 115.0), rel=1e-6
    )
    assert ubric(t, rate, 1e-6 * turned).value == pytest.approx(
        1e-6 * math.hypot(40.0 * w / 20_000.0, 20.0 * w / 7760.0) * 2.0, rel=1e-3
    )
    assert ubric(t, 0.0 * rate, 0.0 * turned).value == 0.0


def test_lower_neck_load() -> None:
    force, moment = np.zeros((3, 4)), np.zeros((3, 4))
    force[:, 2], moment[:, 2] = (150.0, -200.0, -450.0), (9.0, 12.0, 99.0)
    assert lower_load(np.arange(4) * 1e-3, force, moment)[:2] == pytest.approx((2.5, 2e-3))


@pytest.mark.parametrize("level", ["low", "moderate", "high"])
def test_multiaxial_response_against_an_equation_solver(level: str) -> None:
    t = np.arange(2001) * 1e-4
    push = np.stack(
        [120.0 * np.sin(40.0 * t), 50.0 * np.sin(25.0 * t + 0.3), -90.0 * np.sin(30.0 * t)]
    )
    total = np.zeros(len(t))
    for k, axis in enumerate("xyz"):
        most, least = BRINKLEY_LIMITS[level][axis]
        shares = []
        for (omega, ratio), limit, sign in zip(
            BRINKLEY[axis], (most, least), (1.0, -1.0), strict=True
        ):
            drive = push[k] * (-1.0 if axis == "z" else 1.0)

            def rate(s: float, y: Array, drive: Array = drive, w: float = omega, z: float = ratio) -> list[float]:  # fmt: skip
                return [y[1], float(np.interp(s, t, drive)) - 2.0 * z * w * y[1] - w * w * y[0]]

            solved = solve_ivp(rate, (0.0, t[-1]), [0.0, 0.0], t_eval=t, rtol=1e-8, atol=1e-10, max_step=2e-3)  # fmt: skip
            shares.append(np.maximum(sign * omega**2 * solved.y[0] / G / limit, 0.0))
        total += np.maximum(*shares) ** 2
    assert multiaxial(t, push, level).value == pytest.approx(math.sqrt(total.max()), rel=1e-4)


@pytest.mark.parametrize(
    ("criterion", "level", "size", "value", "risk"),
    [
        ("chest_deflection", "AIS3+", "hybrid_iii_50", 0.05, 1 / (1 + math.exp(10.5456 - 1.568 * 50**0.4612))),
        ("chest_deflection", "AIS3+", "hybrid_iii_5", 0.03, 1 / (1 + math.exp(10.5456 - 1.7212 * 30**0.4612))),
        ("neck_tension", "AIS3+", "hybrid_iii_50", 4000.0, 1 / (1 + math.exp(10.9745 - 9.5))),
        ("neck_compression", "AIS3+", "hybrid_iii_5", 2000.0, 1 / (1 + math.exp(10.958 - 7.54))),
        ("chest_3ms", "AIS3+", "hybrid_iii_50", 60.0, 1 / (1 + math.exp(3.1493 - 3.78))),
        ("BrIC", "AIS4+", "hybrid_iii_50", 1.0, 1 - math.exp(-((0.477 / 0.647) ** 1.8))),
        ("BrIC", "AIS3+", "hybrid_iii_50", 0.5, 0.0),
    ],
)  # fmt: skip
def test_risks_of_the_papers(
    criterion: str, level: str, size: str, value: float, risk: float
) -> None:
    (curve,) = (c for c in reference().risks[criterion] if c.level == level and size in c.sizes)
    assert curve(value) == pytest.approx(risk, rel=1e-12)
    assert 0.0 <= curve(0.0) <= curve(value) <= curve(5.0 * value) <= 1.0


@pytest.mark.parametrize(
    ("name", "rows", "value"),
    [
        ("neck_flexion", [(100.0, 0.0, 0.0), (0.0, 30.0, 0.0)], 28.0),
        ("neck_extension", [(100.0, 0.0, 0.0), (0.0, -30.0, 0.0)], 32.0),
        ("pubic_force", [(9.0, -700.0, 3.0)], 700.0),
        ("abdomen_force", [(9.0, 700.0, 3.0)], 700.0),
        ("shoulder_force", [(9.0, -70.0, 3.0)], 70.0),
        ("tibia_compression", [(9.0, 1.0, -800.0)], 800.0),
        ("tibia_bending", [(30.0, -40.0, 500.0)], 50.0),
        ("T12_3ms", [(3.0 * G, 0.0, -4.0 * G)], 5.0),
        ("knee_slide", [-0.004], 0.004),
        ("rib_deflection", [0.03], 0.03),
        ("abdomen_deflection", [0.02], 0.02),
        # what grows shorter is above zero, what is torn grows longer
        ("MCL_elongation", [-0.01], 0.01),
        ("ACL_elongation", [-0.02], 0.02),
        ("strap_tension", [5000.0], 5000.0),
        ("strap_tension_total", [5000.0, 3000.0], 8000.0),
    ],
)
def test_loads_and_ways_of_steady_signals(name: str, rows: list[object], value: float) -> None:
    t = np.arange(101) * 1e-3
    given = [Signal(t, np.multiply.outer(np.array(row), np.ones(101)), 600) for row in rows]
    options = InjuryOutput.model_construct(id="x", criterion=name, output="a", lever_m=0.02)
    assert compute(given, options, name).value == pytest.approx(value, rel=1e-9)


def figure(criterion: str, value: float, part: str = "") -> Figure:
    return Figure(criterion, criterion, "", value, "1", 0.0, 0.0, ("c",), (0,), "", part)


VALUES = {
    "HIC15": 600.0, "3ms": 76.0, "neck_shear": 1575.0, "neck_tension": 2160.0, "neck_extension": 30.0,
    "neck_compression": 500.0, "chest_deflection": 0.026, "VC": 0.2, "femur_compression": 4400.0, "Nij": 0.5,
    "knee_slide": 0.0105, "tibia_index": 0.3, "tibia_compression": 5000.0,
}  # fmt: skip


def rated(size: str, way: str = "ahead", peak: float = 90.0, how: str = "dummy", **other: float) -> dict[str, Score]:  # fmt: skip
    found = given(size, way, peak, how, "frontal", {}, **other)
    assert not any(isinstance(one, Sentence) for one in found)
    return {one.name: one for one in found if isinstance(one, Score)}


def given(
    size: str, way: str, peak: float, how: str, load: str, changed: dict[str, dict[str, Any]],
    goes_on: Sentence = NOTHING, **other: float,
) -> list[Score | Sentence]:  # fmt: skip
    t = np.arange(1001) * 1e-4
    values = {k: v for k, v in {**VALUES, **other}.items() if v >= 0.0}
    found = [
        replace(figure(k, v, "head" if k == "3ms" else ""), **changed.get(k, {}))
        for k, v in values.items()
    ]
    loads = {
        "neck_shear_by_duration": [Load(t, np.full(1001, 500.0))],
        "neck_tension_by_duration": [Load(t, np.where(t < 0.035, 2600.0, 0.0))],
        "femur_by_duration": [Load(t, np.full(1001, 1000.0)), Load(t, np.full(1001, 5680.0))],
        HEAD: [Load(t, np.full(1001, peak))],
    }
    case = Case(Occupant("", {}), MatchedDummy(size, how, 78.0), way, load)  # type: ignore[arg-type]
    return ratings("", case, found, loads, goes_on)


def test_points_of_the_wall_test() -> None:
    one = rated("hybrid_iii_5")["Euro NCAP 9.3, wall at 50 km/h"]
    # half way between both limits: 600 of 500 and 700, 1575 of 1200 and 1950, 26 of 18 and 34, 4.4 of 2.6 and 6.2
    assert [float(value) for _, value in one.parts] == pytest.approx([2.0, 2.0, 2.0, 2.0])
    assert (one.value, one.best) == (pytest.approx(8.0), 16.0)
    soft = rated("hybrid_iii_5", peak=79.0)["Euro NCAP 9.3, wall at 50 km/h"]
    assert soft.value == pytest.approx(10.0)
    for over in ({"HIC15": 701.0}, {"chest_deflection": 0.0341}, {"neck_tension": 2901.0}):
        assert rated("hybrid_iii_5", **over)["Euro NCAP 9.3, wall at 50 km/h"].value == 0.0
    full = dict.fromkeys(VALUES, 0.0)
    assert rated("hybrid_iii_5", **full)["Euro NCAP 9.3, wall at 50 km/h"].value == 16.0
    assert "Euro NCAP 9.3, wall at 50 km/h" not in rated("hybrid_iii_5", VC=-1.0)


def test_points_of_the_moving_barrier() -> None:
    one = rated("hybrid_iii_50")["Euro NCAP 9.3, moving barrier, passenger"]
    # tension 2600 N for 35 ms, of 2300 and 2900; deflection 26 of 22 and 42; femur 5680 N for long of 3800 and
    # 7560; slide half way; shin half way
    assert [float(value) for _, value in one.parts] == pytest.approx([2.0, 3.2, 2.0, 2.0], rel=3e-3)
    worse = rated("hybrid_iii_50", chest_deflection=0.043)[
        "Euro NCAP 9.3, moving barrier, passenger"
    ]
    assert worse.value == 0.0
    assert [str(note) for note in worse.notes] == [
        "a limit of the whole test is exceeded: no points"
    ]


@pytest.mark.parametrize("seed", range(4))
def test_points_by_duration_against_sorted_samples(seed: int) -> None:
    t, load = noise(seed + 20, 1200.0)
    rule = Lasting("x", ((0.0, 2700.0), (0.035, 2300.0), (0.06, 1100.0)), POINTS)
    fine = np.linspace(0.0, t[-1], 20 * (len(t) - 1) + 1)
    falling = np.sort(np.interp(fine, t, load))[::-1]
    lasting = np.arange(len(falling)) * (fine[1] - fine[0])
    good, poor = (
        np.interp(lasting, *zip(*points, strict=True)) for points in (rule.good, rule.poor)
    )
    with np.errstate(all="ignore"):
        points = np.where(
            falling <= good, 4.0, np.clip(4.0 * (poor - falling) / (poor - good), 0.0, 4.0)
        )
    assert by_time(rule, Load(t, load)) == pytest.approx(float(points.min()), abs=0.02)


def test_stars_by_joint_risk() -> None:
    one = rated("hybrid_iii_50")["US NCAP, frontal"]
    head = 0.5 * math.erfc((7.45231 - math.log(600.0)) / (0.73998 * math.sqrt(2.0)))
    neck = 1.0 / (1.0 + math.exp(3.2269 - 1.9688 * 0.5))
    chest = 1.0 / (1.0 + math.exp(10.5456 - 1.568 * 26.0**0.4612))
    femur = 1.0 / (1.0 + math.exp(5.795 - 0.5196 * 4.4))
    joint = 1.0 - (1.0 - head) * (1.0 - neck) * (1.0 - chest) * (1.0 - femur)
    assert one.value == pytest.approx(joint / 0.15, rel=1e-12)
    assert one.stars == 2
    # a neck by the force alone
    pulled = rated("hybrid_iii_50", neck_tension=4500.0, Nij=0.0)["US NCAP, frontal"]
    by_force = 1.0 / (1.0 + math.exp(10.9745 - 2.375 * 4.5))
    assert pulled.value == pytest.approx(
        (1.0 - (1.0 - joint) / (1.0 - neck) * (1.0 - by_force)) / 0.15, rel=1e-12
    )
    assert (
        rated("hybrid_iii_50", HIC15=100.0, Nij=0.1, chest_deflection=0.01)[
            "US NCAP, frontal"
        ].stars
        == 5
    )
    assert rated("hybrid_iii_50", HIC15=3000.0)["US NCAP, frontal"].stars == 1
    assert "2 of 5 stars" in str(replace(one, body="driver").said)
    assert "US NCAP, frontal" not in rated("hybrid_iii_50", chest_deflection=-1.0)


def test_no_rating_of_other_bodies_and_directions() -> None:
    assert rated("hybrid_iii_50", way="side") == {}
    assert rated("hybrid_iii_50", how="mass") == {}
    assert rated("hybrid_iii_6y") == rated("hybrid_iii_95") == {}
    for load in ("fall", "aircraft", "rollover", "side", "other"):
        assert given("hybrid_iii_50", "ahead", 90.0, "dummy", load, {}) == []
    told = given("hybrid_iii_50", "ahead", 90.0, "dummy", "", {})
    assert len(told) == 2
    assert all("the project names no load case" in str(one) for one in told)


WHY = Sentence("the head went through it")


@pytest.mark.parametrize(
    ("name", "size", "kinds"),
    [
        ("HIC15", "hybrid_iii_50", ["US", "Euro"]),
        ("VC", "hybrid_iii_50", ["Euro"]),
        ("femur_compression", "hybrid_iii_50", ["US"]),
        ("femur_compression", "hybrid_iii_5", ["US", "Euro"]),
        ("tibia_index", "hybrid_iii_5", []),
    ],
)
def test_a_rating_that_needs_what_is_not_judged_is_withheld(
    name: str, size: str, kinds: list[str]
) -> None:
    low = Limit(name, 1e9, "", (), "")
    high = Limit(name, 1.0, "", (), "")
    for changed, said in (
        ({"spoilt": WHY}, f"{name} is not judged: the head went through it"),
        ({"until": 0.14}, f"{name} is largest at the end of the run, 140 ms"),
        ({"until": 0.14, "limits": (replace(high, limit=1.01 * VALUES[name]),)}, f"{name} is largest"),
    ):  # fmt: skip
        found = given(size, "ahead", 90.0, "dummy", "frontal", {name: changed})
        assert len(found) == 2
        told = [str(one) for one in found if isinstance(one, Sentence)]
        assert [one.split()[0] for one in told] == kinds
        assert all(f": not rated: {said}" in one for one in told)
    # what is far from its limit still counts
    found = given(
        size, "ahead", 90.0, "dummy", "frontal", {name: {"until": 0.14, "limits": (low,)}}
    )
    assert all(isinstance(one, Score) for one in found)


def test_a_run_that_ends_before_its_pulse_is_not_rated() -> None:
    found = given("hybrid_iii_50", "ahead", 90.0, "dummy", "frontal", {}, WHY)
    assert [str(one).partition(": not rated: ")[2] for one in found] == [str(WHY)] * 2
