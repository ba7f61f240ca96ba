"""What is done as the old program does: unloading as printed, and steps and memories of its version V.3."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

from solver.engine.dynamics.tree import Array
from solver.engine.forces import laws as kernels
from solver.engine.forces.laws import Laws, normal_force, step_on
from solver.engine.jit.kernels import kernel
from solver.engine.maths.curve import Curves
from solver.model.functions import Numbered
from solver.model.law_paths import law_path
from solver.model.surfaces import compile_laws
from solver.project import validated
from tests.balls_and_floors import ball, run
from tests.engine.test_contacts import function

BASE = ([0.0, 0.004, 0.01, 0.03], [0.0, 400.0, 700.0, 5000.0])
SPIKE = ([0.0, 0.002, 0.004], [0.0, 300.0, 0.0])
G = 9.81


def base(x: float) -> float:
    return float(np.interp(x, *BASE))


def work(x: float, points: tuple[list[float], list[float]] = BASE) -> float:
    at = np.unique([0.0, *[a for a in points[0] if a < x], x])
    return float(np.trapezoid(np.interp(at, *points), at))


@dataclass
class Memory:
    """Section 7.5 (7.56 to 7.66) read once more, by polynomials: one pair, updated at the ends of steps."""

    returned: float
    kept: float
    spike: bool = False
    last: float = 0.0
    turned: float = 0.0
    bends: float = 0.0
    out: float = 0.0
    area: float = 0.0
    quadratic: np.poly1d = field(default_factory=lambda: np.poly1d([0.0]))
    cubic: np.poly1d = field(default_factory=lambda: np.poly1d([0.0]))
    begun: float = 0.0

    def load(self, x: float) -> float:
        return base(x) + (float(np.interp(x, *SPIKE)) if self.spike else 0.0)

    def force(self, x: float) -> float:
        if x <= 0.0:
            return 0.0
        if x >= self.turned:
            return self.load(x)
        if x <= self.bends:
            return float(self.quadratic(x - self.out)) if x > self.out else 0.0
        return float(self.cubic(x - self.begun))

    def end_step(self, x: float) -> None:
        x = max(x, 0.0)
        if x == self.last:
            return
        self.last = x
        if x < self.bends:
            if self.spike and self.turned > SPIKE[0][1]:
                self.spike = False
            self.bends = self.begun = at = max(x, self.out)
            d, y, slope = (
                self.turned - at,
                self.quadratic(at - self.out),
                self.quadratic.deriv()(at - self.out),
            )
            tiny = 1e-9
            top, steep = (
                self.load(self.turned),
                (self.load(self.turned + tiny) - self.load(self.turned)) / tiny,
            )
            c2, c3 = np.linalg.solve(
                [[d**2, d**3], [2 * d, 3 * d**2]], [top - y - slope * d, steep - slope]
            )
            self.cubic = np.poly1d([c3, c2, slope, y])
            if any(0.0 < r.real < d and self.cubic(r.real) < 0.0 for r in np.atleast_1d(self.cubic.deriv().roots) if abs(r.imag) < 1e-12):  # fmt: skip
                self.cubic = np.poly1d([(top - y) / d, y])
        elif x > self.bends:
            if x <= self.turned:
                y = self.force(x)
                under, along = self.quadratic.integ(), self.cubic.integ()
                self.area = under(self.bends - self.out) + along(x - self.begun) - along(self.bends - self.begun)  # fmt: skip
            else:
                if self.spike and x >= SPIKE[0][-1]:
                    self.spike = False
                self.out, y, self.area, self.turned = self.kept * x, self.load(x), work(x), x
            self.bends, d = x, x - self.out
            q1 = max(2.0 / d * (3.0 * self.returned * self.area / d - y), 0.0)
            q2 = (y / d - q1) / d
            q1, q2 = (y / d, 0.0) if q2 < 0.0 else (q1, q2)
            self.quadratic = np.poly1d([q2, q1, 0.0])


@kernel
def led(laws: Laws, curves: Curves, course: Array, looks: Array, memory: Array, out: Array) -> None:
    """Lead a law from step to step, and look at its whole curve after each."""
    for n in range(len(course)):
        step_on(laws, curves, 0, memory, 0, course[n])
        for k in range(len(looks)):
            out[n, k], out[n, k + len(looks)] = normal_force(laws, curves, 0, memory, 0, kernels.LOADING, looks[k], 0.0)  # fmt: skip


@pytest.mark.parametrize("spike", [False, True])
@pytest.mark.parametrize(("returned", "kept"), [(0.0025, 0.9), (0.3, 0.4), (0.9, 0.2), (0.6, 0.0)])
def test_the_curve_after_each_step_is_that_of_section_7_5(
    returned: float, kept: float, spike: bool
) -> None:
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": returned, "offset_ratio": kept}
    data = ball(
        law | ({"spike": "peak"} if spike else {}),
        1.0,
        functions=[function("pad", *BASE), function("peak", *SPIKE)],
    )
    project = validated(data)
    functions = Numbered(project)
    laws, _ = compile_laws(project, functions, as_printed=True)
    random = np.random.default_rng(52)
    course = np.maximum(np.cumsum(random.normal(0.0, 1.0, 120)) * 1e-3 + 0.004, 0.0).clip(
        0.0, 0.025
    )
    looks = np.linspace(1e-5, 0.026, 200)
    found = np.zeros((len(course), 400))
    led(laws, functions.curves(), course, looks, np.zeros((1, kernels.MEMORY)), found)
    memory = Memory(returned, kept, spike)
    for n, depth in enumerate(course):
        memory.end_step(float(depth))
        expected = np.array([max(memory.force(x), 0.0) for x in looks.tolist()])
        assert found[n, :200] == pytest.approx(expected, rel=1e-6, abs=1e-3), n
        # what is held is what the curve gives back from there
        at = int(np.searchsorted(looks, depth))
        assert found[n, 200 + at - 1] == pytest.approx(
            np.trapezoid(expected[:at], looks[:at]), abs=0.02
        )


def test_only_what_unloads_as_printed_gains_on_a_small_loop() -> None:
    """A tenth of the way stays: even the flattest parabola holds more than a small reload has put in."""
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.0025, "offset_ratio": 0.9}
    deep, stiffness = 0.01, 1e6
    pad, loop = function("pad", [0.0, 1.0], [0.0, stiffness]), (deep, 0.0094, 0.0096, 0.0)
    left = stiffness * deep / 0.001**2 * 0.0004**3 / 3.0
    gains = []
    for way in ("conserving", "printed"):
        project = validated(ball(law | {"unloading_law": way}, 1.0, functions=[pad]))
        path = law_path(project, "law", loop, 0.0, 4000)
        taken = left + path.work[path.turn[3]] - path.work[path.turn[2]]
        gains.append(float(path.work[path.turn[3]] - path.work[-1] - taken))
    assert gains[0] == pytest.approx(0.0, abs=2e-4)
    top = path.force[path.turn[3]]
    assert gains[1] == pytest.approx(top * 0.0006 / 3.0 - taken, abs=2e-4)
    assert gains[1] > 0.02


@dataclass
class Falling:
    """The program's integrator on one place, written once more from what its version V.3 does."""

    mass: float
    memory: Memory
    x: float
    v: float = 0.0
    rate: float = 0.0
    p: tuple[float, float] = (0.0, 0.0)
    a: tuple[float, float] = (0.0, 0.0)
    alpha: float = 0.0
    sums: tuple[float, float] = (0.0, 0.0)
    last: float = 0.0
    start: tuple[float, float] = (0.0, 0.0)
    middle: tuple[float, float] = (0.0, 0.0)

    def at(self, s: float) -> tuple[float, float, float]:
        """Speed and rate at a time of the step, and the place there."""
        z, (v0, r0) = self.alpha * s, self.start
        series = [sum(math.factorial(n) * z**k / math.factorial(n + k + 1) for k in range(12)) for n in range(3)]  # fmt: skip
        x = self.x + s * (v0 + s * (self.p[0] / 2.0 + s * self.p[1] / 3.0))
        v = v0 + s * (r0 * series[0] + s * (self.a[0] * series[1] + s * self.a[1] * series[2]))
        return v, G - self.memory.force(x) / self.mass, x

    def fit(self, *points: tuple[float, float, float]) -> None:
        v0, r0 = self.start
        seen = [one for one in points if one[0] != 0.0]
        times = np.array([[s, s * s] for s, _, _ in seen])
        lines = 1 if len(seen) == 1 else 2
        for name in ("p", "a"):
            wanted = [v - v0 if name == "p" else r - r0 - self.alpha * (v - v0) for _, v, r in seen]
            found = np.linalg.lstsq(times[:, :lines], np.array(wanted), rcond=None)[0]
            setattr(self, name, (float(found[0]), float(found[1]) if lines == 2 else 0.0))

    def learn(self, new: tuple[float, float], old: tuple[float, float], h: float) -> None:
        change, (u, w) = new[0] - old[0], self.sums
        if change * change > 1e-26 * new[0] ** 2:
            self.sums = u, w = u + change * (new[1] - old[1]), w + change * change
        self.alpha = 0.0 if w <= 0.0 else min(u / w, 0.1 / h)

    def step(self, h: float) -> None:
        self.memory.end_step(self.x)
        back = [(-self.last, *self.start), (-0.5 * self.last, *self.middle)]
        self.start = (self.v, self.rate)
        first = self.at(0.5 * h)[:2]
        self.fit(*back, (0.5 * h, *first))
        second = self.at(0.5 * h)[:2]
        self.learn(second, first, h)
        self.fit(back[1], (0.5 * h, *second))
        self.middle = (0.5 * (first[0] + second[0]), 0.5 * (first[1] + second[1]))
        first = self.at(h)[:2]
        self.fit((0.5 * h, *self.middle), (h, *first))
        self.v, self.rate, x = self.at(h)
        self.learn((self.v, self.rate), first, h)
        self.fit((0.5 * h, *self.middle), (h, self.v, self.rate))
        self.x, self.last, fade = x, h, math.exp(-1600.0 * h)
        self.sums = (self.sums[0] * fade, self.sums[1] * fade)
        self.p = (self.p[0] + 2.0 * h * self.p[1], self.p[1])
        self.a = (self.a[0] + 2.0 * h * self.a[1], self.a[1])

    def go(self, outputs: int, every: float, h: float, largest: float) -> list[tuple[float, float]]:
        out, good = [(self.x, self.v)], -2
        self.rate = G - self.memory.force(self.x) / self.mass
        for _ in range(outputs):
            left = every
            while left > 1e-9:
                taken = left if h >= 0.999999 * left else h
                self.step(taken)
                left -= taken
                good += taken > 0.74 * h
                if good >= 2:
                    good, h = 0, min(2.0 * h, largest)
            out.append((self.x, self.v))
        return out


def test_a_body_on_a_pad_goes_step_by_step_as_in_the_program() -> None:
    """It starts pressed in deeper than it weighs, and rattles within steps that are long for the pad's stiffness."""
    mass, deep, radius, every = 18.0, 0.0021, 0.1, 3.5e-3
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.0025, "offset_ratio": 0.9}
    data = ball(law, 0.0, mass=mass, height=radius - deep, functions=[function("pad", *BASE)])
    data["gravity_m_per_s2"] = [0.0, 0.0, -G]
    never = {"segment": "ball", "vector": "angular_velocity", "magnitude": 1e9}
    out = run(data, 18 * every, 1.0 / every, kind="vei", as_program=True, tests=[never])
    found = out.table("segments")
    expected = np.array(Falling(mass, Memory(0.0025, 0.9), deep).go(18, every, 5e-4, 1e-3))
    assert radius - found["position"][:, 0, 2] == pytest.approx(expected[:, 0], abs=1e-10)
    assert -found["velocity"][:, 0, 2] == pytest.approx(expected[:, 1], abs=1e-8)
    # it has come and gone more than once
    assert np.sum(np.diff(np.sign(expected[1:, 1])) != 0.0) >= 4
