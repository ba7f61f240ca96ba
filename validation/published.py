"""Published benchmark problems: their data from the papers, their motion from other equations, integrated by SciPy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solver.running.simulation import simulate
from tests import published as problems
from tests.engine.test_published import STIFF, spin_of, swing_of
from tests.models import EXACT, project
from validation.case import Case

OWN = "independent integration"


def cases() -> Iterator[Case]:
    """All cases."""
    yield from _governor()
    yield from _heavy_top()
    yield from _rattleback()
    yield from _rocking_block()
    yield from _atwood()


def _governor() -> Iterator[Case]:
    run = simulate(project(problems.governor(10.0, STIFF)))
    wanted = problems.governor_height(run.time)
    title, source = "Stiff flyball governor", f"IFToMM library A05 (Gonzalez et al. 2006), {OWN}"
    height = run.segment("slider").position[:, 2]
    for second in (1, 5, 10):
        yield Case(title, source, f"height of the slider after {second} s", float(wanted[100 * second]),
                   float(height[100 * second]), 1e-6, "m")  # fmt: skip


def _heavy_top() -> Iterator[Case]:
    run = simulate(project(problems.heavy_top(2.0, EXACT)))
    wanted = problems.heavy_top_places(run.time)
    title, source = "Heavy top", f"Geradin and Cardona; Bruls, Cardona and Arnold 2012, {OWN}"
    place = run.segment("top").position
    for axis, n in zip("xyz", range(3), strict=True):
        yield Case(title, source, f"{axis} of the mass centre after 2 s", float(wanted[-1, n]),
                   float(place[-1, n]), 1e-6, "m")  # fmt: skip


def _rattleback() -> Iterator[Case]:
    run = simulate(project(problems.rattleback(4.0, EXACT)))
    spin, wanted = spin_of(run), problems.rattleback_spin(run.time)
    title, source = "Rattleback, turned the wrong way", f"Kane and Levinson 1982, {OWN}"
    yield Case(title, source, "spin after 4 s", float(wanted[-1]), float(spin[-1]), 1e-5, "rad/s")
    back, there = (float(np.interp(0.0, of[200:], run.time[200:])) for of in (spin, wanted))
    yield Case(title, source, "time at which it turns round", there, back, 1e-5, "s")


def _rocking_block() -> Iterator[Case]:
    tilt = 0.5 * problems.SLENDER
    run = simulate(project(problems.rocking_block(3.0, tilt, EXACT)))
    found = [float(line.split(" ms")[0]) * 1e-3 for line in run.log if "touches" in line]
    found += [float("nan")] * 4
    for n, at in enumerate(problems.housner_strikes(tilt, 4)):
        yield Case("Rocking block on two feet", "Housner 1963, closed form (quadrature, equation 11)",
                   f"time of strike {n + 1}", at, found[n], 2e-5, "s")  # fmt: skip


def _atwood() -> Iterator[Case]:
    run = simulate(project(problems.atwood(1.0, EXACT)))
    swing, wanted = swing_of(run), problems.atwood_places(run.time, problems.ROPE)
    title = "Swinging Atwood machine, 3 to 1, on webbing through two rings"
    source = f"Tufillaro, Abbott and Griffiths 1984, {OWN} with the rope's stretch"
    yield Case(title, source, "way of the light mass after 1 s", float(wanted[-1, 0]),
               float(swing[0, -1]), 5e-3, "m")  # fmt: skip
    yield Case(title, source, "angle of the light mass after 1 s", float(wanted[-1, 1]),
               float(swing[1, -1]), 2e-2, "rad")  # fmt: skip
    invariant = problems.tufillaro(*swing)
    yield Case(title, "Tufillaro 1986, published", "second invariant after 1 s, by that at the start",
               1.0, float(invariant[-1] / invariant[0]), 1e-2)  # fmt: skip
