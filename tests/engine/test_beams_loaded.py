"""Beams as one part under loads that bend, buckle and shear them, against closed forms and printed figures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eig, expm
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import manikin as mk
from solver.analysis.equilibrium import settle
from solver.engine.dynamics.tree import Array
from solver.project import validated
from solver.project.checks import check
from solver.project.expanding import cuts
from solver.running.simulation import simulate
from tests.engine.test_beams import BAR, RHO, E, G, model, rod
from tests.models import segment

I_BAR = 0.02 * 0.04**3 / 12


def constant(value: float) -> dict[str, Any]:
    return {"id": "size", "x_unit": "s", "y_unit": "N", "form": {"kind": "constant", "value": value}}  # fmt: skip


def force(
    id_: str, segment: str, at: list[float], way: tuple[float, float, float]
) -> dict[str, Any]:
    """Push or pull in one direction of the ground, however what it is on turns."""
    return {"id": id_, "kind": "force", "segment": segment, "point_m": at, "direction": way, "axes": "ground", "history": "size"}  # fmt: skip


BUCKLES = {
    "side": lambda ei, s: 4.0126 * math.sqrt(ei * s),
    "twist": lambda ei, s: math.pi * ei,
}
"""Loads at which a cantilever of 1 m buckles, pushed across its thin side, or twisted by a semitangential moment (Meijaard)."""


def buckling(kind: str, pieces: int) -> float:
    """Give the load that buckles a cantilever by that in closed form, from the stiffnesses with and without a part of it.

    What the closed forms take to be stiff is stiff: bending against the load, and twisting under a moment.
    """
    thin, torsion = 1e-9, 2e-9
    high, twist = (2000.0, 1.0) if kind == "side" else (1.0, 1000.0)
    section = {
        "kind": "given", "area_m2": 1e-4, "moment_y_m4": high * thin, "moment_z_m4": thin, "torsion_m4": twist * torsion,
    }  # fmt: skip
    exact, part = BUCKLES[kind](E * thin, G * torsion), 0.02
    end, tip, arm = f"rod#{pieces}", 0.25 / pieces, 0.01
    if kind == "side":
        size, loads = exact, [force("push", end, [tip, 0, 0], (0, 0, 1))]
    else:
        # two couples at right angles, half of the moment each, whose forces stay as they are
        size = exact / (4.0 * arm)
        loads = [
            force("over", end, [tip, 0, arm], (0, -1, 0)), force("under", end, [tip, 0, -arm], (0, 1, 0)),
            force("right", end, [tip, arm, 0], (0, 0, 1)), force("left", end, [tip, -arm, 0], (0, 0, -1)),
        ]  # fmt: skip
    data = model(rod(section=section, pieces=pieces))
    K0 = mk.linearise(mk.Model(validated(data))).stiffness
    bent = settle(validated(data | {"loads": loads, "functions": [constant(part * size)]})).project
    K = mk.linearise(mk.Model(bent)).stiffness
    found = [v.real for v in eig(K0, K0 - K)[0] if v.real > 0.0 and abs(v.imag) < 1e-6 * abs(v)]
    return part * min(found)


@pytest.mark.parametrize(("kind", "most", "printed"), [("side", 8, 1.0459), ("twist", 10, 1.0548)])
def test_a_beam_buckles_within_a_percent_of_its_load(kind: str, most: int, printed: float) -> None:
    """Four pieces are no worse than four elements without second-order strains are in print (Meijaard, Tables 1 and 2)."""
    few, many = buckling(kind, 4), buckling(kind, most)
    assert few < printed + 1e-4
    assert many == pytest.approx(1.0, abs=0.01)
    assert math.log((few - 1.0) / (many - 1.0)) / math.log(most / 4) == pytest.approx(2.0, abs=0.1)


def arch(pieces: int, way: tuple[float, float, float]) -> tuple[Array, dict[str, Array]]:
    """Give how the tip of a quarter arch of 1 m moves under 1 N, by E I, and what acts at both its ends."""
    turn = np.linspace(0.0, 0.5 * math.pi, 13)
    curve = np.stack([np.sin(turn), 0.0 * turn, 1.0 - np.cos(turn)], axis=1).tolist()
    data = model(rod(curve_m=curve, length_m=None, pieces=pieces, freedoms="about_y"), duration=0.001)  # fmt: skip
    (cut,) = cuts(validated(data))
    data |= {"loads": [force("pull", f"rod#{pieces}", cut.pieces.axis[-1].tolist(), way)], "functions": [constant(1.0)]}  # fmt: skip
    stations = simulate(settle(validated(data)).project).table("beam_stations")
    ends = {name: stations[name][0, [0, -1]] for name in ("axial", "shear_z", "bending_y")}
    return (stations["position"][0, -1] - cut.laid.nodes[-1]) * E * I_BAR, ends


@pytest.mark.parametrize(
    ("way", "moved", "axial", "shear"),
    [
        ((0, 0, 1), (-0.5, 0.75 * math.pi - 2.0), (0.0, 1.0), (1.0, 0.0)),
        ((1, 0, 0), (0.25 * math.pi, -0.5), (1.0, 0.0), (0.0, -1.0)),
    ],
)
def test_a_quarter_arch_bends_as_in_closed_form_and_its_ends_lie_along_its_tangents(
    way: tuple[float, float, float],
    moved: tuple[float, float],
    axial: tuple[float, float],
    shear: tuple[float, float],
) -> None:
    """Way of the tip along x and z by P R^3 / E I; errors fall by four, axes of the ends follow the curve and no chord."""
    errors = []
    for pieces in (4, 8):
        found, ends = arch(pieces, way)
        errors.append(np.abs(found[[0, 2]] / moved - 1.0))
        assert ends["axial"] == pytest.approx(axial, abs=1e-3)
        assert ends["shear_z"] == pytest.approx(shear, abs=1e-3)
        assert abs(ends["bending_y"][0]) == pytest.approx(1.0, rel=1e-3)
    assert errors[1].max() < 0.012
    assert errors[0] / errors[1] == pytest.approx([4.0, 4.0], rel=0.1)


@pytest.mark.parametrize("pieces", [2, 3, 8])
@pytest.mark.parametrize("freedoms", ["all", "turns"])
def test_a_stout_cantilever_gives_way_as_timoshenkos_with_any_number_of_pieces(
    freedoms: str, pieces: int
) -> None:
    """The work of a load by itself: P L^3 / 3 E I + k P L / G A; without shear in pieces 1 / 4n^2 of the first is lacking."""
    stout, P = 0.2, 1e-3
    data = model(rod(length_m=stout, pieces=pieces, freedoms=freedoms))
    data |= {"loads": [force("push", f"rod#{pieces}", [0.25 * stout / pieces, 0, 0], (0, 0, 1))], "functions": [constant(P)]}  # fmt: skip
    found = mk.linearise(mk.Model(validated(data)))
    applied = found.mass @ found.rates
    gives = float(applied @ np.linalg.solve(found.stiffness, applied)) / P**2
    numbers = validated(data).beams[0].numbers
    bent, sheared = stout**3 / (3 * E * I_BAR), numbers.shear_z * stout / (G * numbers.area)
    wanted = bent + sheared if freedoms == "all" else bent * (1.0 - 1.0 / (4 * pieces**2))
    assert gives == pytest.approx(wanted, rel=1e-6)


def lowest_of_timoshenko(length: float) -> float:
    """Give the first frequency (rad/s) of a bar that is clamped, from its four equations of first order."""
    numbers = validated(model(rod())).beams[0].numbers
    bends, shears, line = E * numbers.moment_y, G * numbers.area / numbers.shear_z, RHO * numbers.area  # fmt: skip

    def lacks(w: float) -> float:
        rows = [
            [0, 1, 0, 1 / shears], [0, 0, 1 / bends, 0],
            [0, -RHO * numbers.moment_y * w * w, 0, -1], [-line * w * w, 0, 0, 0],
        ]  # fmt: skip
        return float(np.linalg.det(expm(np.array(rows) * length)[2:, 2:]))

    guess = 1.875104**2 * math.sqrt(bends / line) / length**2
    return float(brentq(lacks, 0.7 * guess, 1.02 * guess))


def test_frequencies_of_a_stout_beam_come_to_timoshenkos_by_the_square_of_its_pieces() -> None:
    """A cantilever five times as long as high: shear and turning mass lower its first frequency by 2 %."""
    wanted, errors = lowest_of_timoshenko(0.2), []
    for pieces in (3, 6, 9):
        whole = mk.Model(validated(model(rod(section=BAR, length_m=0.2, pieces=pieces, freedoms="all"))))  # fmt: skip
        swings = [m for m in mk.linearise(whole).modes if m.kind == "oscillation"]
        # the first about y: its frequency is twice that about z, across the other side
        near = min(swings, key=lambda m: abs(2 * math.pi * m.frequency_hz / wanted - 1.0))
        errors.append(abs(2 * math.pi * near.frequency_hz / wanted - 1.0))
    assert errors[2] < 0.005
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(2.25, rel=0.1)


@pytest.mark.parametrize("length", [None, 1.0])
def test_a_beam_between_ends_that_settling_moves_keeps_how_it_lies_unbent(
    length: float | None,
) -> None:
    """A block hangs at the end of a clamped beam: M g L^3 / 3 E I and the couple of its arm; a run from there stays."""
    out, block = 0.1, 20.0
    end = {"fixing": "fixed", "segment": "block", "frame": {"position_m": [-out, 0, 0]}}
    data = model(
        rod(length_m=length, end=end, freedoms="about_y", pieces=8), segments=[segment("block", block, (0.1, 0.1, 0.1))],
        initial={"roots": [{"segment": "block", "position_m": [1.0 + out, 0, 0]}]}, gravity_m_per_s2=[0, 0, 9.81], duration=0.01,
    )  # fmt: skip
    hung = settle(validated(data)).project
    assert hung.beams[0].unbent_end is not None
    assert hung.beams[0].unbent_end.position_m == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
    assert settle(hung).project.beams == hung.beams
    weight, own = block * 9.81, RHO * 8e-4 * 9.81
    wanted = (weight * (1 / 3 + out / 2) + own / 8) / (E * I_BAR)
    beams = simulate(hung).table("beams")
    assert np.ptp(beams["end_deflection"][:, 0], axis=0) == pytest.approx(np.zeros(3), abs=1e-7)
    assert beams["end_deflection"][0, 0, 2] == pytest.approx(wanted, rel=0.01)


def clamped(pieces: int, P: float) -> float:
    """Give how far the middle of a thin strip goes between clamps that stay apart, settled."""
    strip = rod(section=THIN, pieces=pieces, freedoms="about_y", end={"frame": {"position_m": [1, 0, 0]}})  # fmt: skip
    data = model(strip, duration=0.001, loads=[force("push", f"rod#{pieces // 2}", [0, 0, 0], (0, 0, 1))], functions=[constant(P)])  # fmt: skip
    stations = simulate(settle(validated(data)).project).table("beam_stations")
    return float(stations["position"][0, pieces // 2, 2])


THIN = {"kind": "rectangle", "width_m": 0.02, "height_m": 0.002}
EI_THIN, EA_THIN = E * 0.02 * 0.002**3 / 12, E * 0.02 * 0.002


def test_a_strip_between_clamps_bends_and_stretches_under_a_load_at_its_middle() -> None:
    """P L^3 / 192 E I of a small load; of a large one the pull that stretching makes holds it back, in closed form."""

    def bends(P: float, pull: float) -> tuple[float, float]:
        """Give deflection and stretch of a clamped beam under a load at its middle and a pull."""
        k = math.sqrt(pull / EI_THIN)
        x = np.linspace(0.0, 0.5, 4001)
        slope = 0.5 * P / pull * (1.0 - np.cosh(k * (x - 0.25)) / math.cosh(0.25 * k))
        return float(np.trapezoid(slope, x)), float(np.trapezoid(slope**2, x))

    small = [192 * EI_THIN * clamped(n, 1e-3) / 1e-3 - 1.0 for n in (6, 12)]
    assert abs(small[1]) < 0.03
    assert small[0] / small[1] == pytest.approx(4.0, rel=0.12)
    pull = brentq(lambda n: bends(1.0, n)[1] - n / EA_THIN, 1e-3, 1e5)
    wanted = bends(1.0, pull)[0]
    assert wanted < 0.5 / (192 * EI_THIN)
    errors = [clamped(n, 1.0) / wanted - 1.0 for n in (12, 24)]
    assert abs(errors[1]) < 0.01
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.12)


@pytest.mark.parametrize("span", [0.95, 0.6])
def test_a_beam_that_is_forced_between_two_holders_stands_as_an_elastica(span: float) -> None:
    """Clamped ends that have come closer: rise 4 p / k, load k^2 E I, with 2 E(p) / K(p) - 1 = span by length; errors fall by four."""
    m = brentq(lambda m: 2 * ellipe(m) / ellipk(m) - 1 - span, 1e-9, 0.9)
    k = 4 * ellipk(m)
    errors = []
    for pieces in (8, 16):
        bow = rod(section=THIN, length_m=None, pieces=pieces, freedoms="about_y", end={"frame": {"position_m": [span, 0, 0]}}, unbent_end={"position_m": [1, 0, 0]})  # fmt: skip
        forced = validated(model(bow, duration=0.001))
        assert "beam-starts-strained" in [one.code for one in check(forced)]
        stands = settle(forced).project
        assert "beam-starts-strained" not in [one.code for one in check(stands)]
        stations = simulate(stands).table("beam_stations")
        rise = abs(stations["position"][0, pieces // 2, 2]) / (4 * math.sqrt(m) / k)
        load = -stations["axial"][0, 0] / (k * k * EI_THIN)
        errors.append((rise - 1.0, load - 1.0))
        assert np.ptp(stations["position"], axis=0) == pytest.approx(0.0, abs=1e-9)
    assert np.abs(errors[1]).max() < 0.016
    assert np.divide(*errors) == pytest.approx([4.2, 4.3], abs=0.2)
