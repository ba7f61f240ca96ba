"""Belts while a body settles: laid anew over it, or of the length that they had.

With `keep="slack"` a belt lies on the settled body with the slack of the project. With `keep="length"`
its webbing stays as long as it is at the given start, and the slack follows. A tension lays all
webbing so that it has just that; ends with a retractor are left alone, which winds by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.analysis.equilibrium.statics import SettleError, Statics
from solver.engine.dynamics.tree import Array
from solver.engine.forces.straps.arrays import STRAIN, TENSION
from solver.engine.maths.curve import curve_at
from solver.model.compile import Model
from solver.project.belts import Belt, Harness, Strap
from solver.project.document import Project

Keep = Literal["slack", "length"]

STRONGEST = 1.0
"""Strain up to which a tension is looked for."""

TRIES = 40

NO_WIDER = 1e-7
"""Difference of slack (m) that is none."""

EVEN, ROUGH = 1e-3, 0.05
"""Part of a wanted tension to which webbing is laid, and that is taken where it does not come nearer."""


class Webbing:
    """Lay the belts of one project on its body in other poses."""

    def __init__(self, project: Project, keep: Keep, tension_n: float | None) -> None:
        self._keep, self._tension = keep, tension_n
        self._whole = lengths(Statics(project).model) if keep == "length" else {}
        self._slack: dict[str, float] = {}

    def laid(self, project: Project) -> Project:
        """Give a posed project with the slack that its webbing is to have there."""
        if self._tension is not None:
            return self._tightened(project, self._tension)
        if self._keep == "slack":
            return project
        now = lengths(Statics(project).model)
        slack = {n: self._whole[n][0] - (whole - old) for n, (whole, old) in now.items()}
        return _with_slack(project, slack)

    def _tightened(self, project: Project, wanted: float) -> Project:
        """Shorten webbing until its largest tension is the wanted one, after all points have slipped."""
        model = Statics(project).model
        path = {name: whole - old for name, (whole, old) in lengths(model).items()}
        strain = {name: _strain(model, name, wanted) for name in path}
        slack = {n: self._slack.get(n, -path[n] * e / (1.0 + e)) for n, e in strain.items()}
        ways = {n: _Way(max(path[n] * e, 1e-5)) for n, e in strain.items()}
        best = project, float("inf")
        pull: dict[str, float] = {}
        for _ in range(TRIES):
            made = _with_slack(project, slack)
            statics = Statics(made)
            statics.evaluate(statics.q)
            pull = tensions(statics)
            off = max((abs(pull[n] - wanted) for n in slack), default=0.0)
            if off < best[1]:
                best, self._slack = (made, off), dict(slack)
            if off <= EVEN * wanted:
                return made
            slack = {n: ways[n].further(old, pull[n] - wanted) for n, old in slack.items()}
        if best[1] > ROUGH * wanted:
            worst = max(slack, key=lambda n: abs(pull[n] - wanted))
            raise SettleError(
                "The webbing of '{worst}' cannot be laid with {wanted:g} N: it slips to {pull:.3g} N. Ask for another tension, or look at its points and friction.",
                worst=worst,
                wanted=wanted,
                pull=pull[worst],
            )
        return best[0]


@dataclass
class _Way:
    """Look for the slack of one strap: first by growing steps, then between two that enclose it."""

    step: float
    tight: tuple[float, float] | None = None
    loose: tuple[float, float] | None = None

    def further(self, slack: float, over: float) -> float:
        """Give the next slack to try after one at which tension is over, or under if below zero."""
        if over > 0.0:
            self.tight = slack, over
        else:
            self.loose = slack, over
        if self.tight is None or self.loose is None:
            self.step *= 2.0
            return slack + (self.step if over > 0.0 else -self.step)
        (a, high), (b, low) = self.tight, self.loose
        if b - a < NO_WIDER:
            # other straps have moved it out of there
            self.step = 10.0 * NO_WIDER
            self.tight = self.loose = None
            return slack + (self.step if over > 0.0 else -self.step)
        part = min(max(high / (high - low), 0.2), 0.8)
        return a + part * (b - a)


def _strain(model: Model, name: str, tension: float) -> float:
    """Give the strain at which webbing has a tension, on its way in."""
    law, curves = _law_of(model, name), model.system.curves
    base = int(model.system.laws.curve[law, 0])
    low, high = 0.0, STRONGEST
    if tension > curve_at(curves, base, high)[0]:
        raise SettleError(
            "The webbing of '{name}' never comes to {tension:g} N: ask for less tension, or look at its law.",
            name=name,
            tension=tension,
        )
    for _ in range(80):
        middle = 0.5 * (low + high)
        if curve_at(curves, base, middle)[0] < tension:
            low = middle
        else:
            high = middle
    return high if tension > 0.0 else 0.0


def tensions(statics: Statics) -> dict[str, float]:
    """Give the largest tension (N) of each belt, and of each strap as `harness.strap`."""
    project, system = statics.project, statics.system
    out = {
        belt.id: float(max(row[0], row[1]))
        for belt, row in zip(project.belts, system.belts.seen, strict=True)
    }
    k = 0
    for harness in project.harnesses:
        for strap in harness.straps:
            seen = system.straps.workspace.seen[k : k + len(strap.points) - 1]
            pull = np.where(seen[:, STRAIN] > 0.0, seen[:, TENSION], 0.0)
            out[f"{harness.id}.{strap.id}"] = float(pull.max(initial=0.0))
            k += len(strap.points)
    return out


def has_belts(project: Project) -> bool:
    """Say whether a project has belts of any kind."""
    return bool(project.belts or project.harnesses)


def without_belts(project: Project) -> Project:
    """Give a project without its belts."""
    return project.model_copy(update={"belts": (), "harnesses": ()})


def belt_loads(project: Project) -> tuple[Array, Array]:
    """Give torque (about O) and force of all belts on every body, as the project starts, ground axes."""
    full, bare = Statics(project), Statics(without_belts(project))
    full.evaluate(full.q)
    bare.evaluate(bare.q)
    return (
        full.work.applied.torque - bare.work.applied.torque,
        full.work.applied.force - bare.work.applied.force,
    )


def lengths(model: Model) -> dict[str, tuple[float, float]]:
    """Give the unstretched length and the slack (m) of each belt and strap at the start."""
    out: dict[str, tuple[float, float]] = {}
    for belt, rest in zip(model.project.belts, model.system.belts.rest, strict=True):
        out[belt.id] = float(rest.sum()), belt.slack_m
    k = 0
    for harness in model.project.harnesses:
        for strap in harness.straps:
            n = len(strap.points) - 1
            if not winds(strap):
                rest = model.system.straps.memory.rest[k : k + n]
                out[f"{harness.id}.{strap.id}"] = float(rest.sum()), strap.slack_m
            k += n + 1
    return out


def winds(strap: Strap) -> bool:
    """Say whether a retractor takes up the slack of a strap."""
    ends = (strap.start_device, strap.end_device)
    return any(end is not None and end.retractor is not None for end in ends)


def _law_of(model: Model, name: str) -> int:
    project = model.project
    names = {b.id: b.law for b in project.belts}
    names |= {f"{h.id}.{s.id}": s.law for h in project.harnesses for s in h.straps}
    return [law.id for law in project.contact_laws].index(names[name])


def _with_slack(project: Project, slack: dict[str, float]) -> Project:
    def belt(b: Belt) -> Belt:
        return b.model_copy(update={"slack_m": slack[b.id]}) if b.id in slack else b

    def harness(h: Harness) -> Harness:
        straps = tuple(
            s.model_copy(update={"slack_m": slack[f"{h.id}.{s.id}"]})
            if f"{h.id}.{s.id}" in slack
            else s
            for s in h.straps
        )
        return h.model_copy(update={"straps": straps})

    return project.model_copy(
        update={
            "belts": tuple(belt(b) for b in project.belts),
            "harnesses": tuple(harness(h) for h in project.harnesses),
        }
    )
