"""Belts while a body settles: laid anew over it, or of the length that they had.

With `keep="slack"` a belt lies on the settled body with the slack of the project. With `keep="length"`
its webbing stays as long as it is at the given start, and the slack follows. A tension lays all
webbing so that it has just that; ends with a retractor are left alone, which winds by itself.
"""

from __future__ import annotations

from typing import Literal

from solver.dynamics.tree import Array
from solver.equilibrium.refusal import SettleError
from solver.equilibrium.statics import Statics
from solver.maths.curve import curve_at
from solver.model.compile import Model
from solver.project.belts import Belt, Harness, Strap
from solver.project.document import Project

Keep = Literal["slack", "length"]

STRONGEST = 1.0
"""Strain up to which a tension is looked for."""


class Webbing:
    """Lay the belts of one project on its body in other poses."""

    def __init__(self, project: Project, keep: Keep, tension_n: float | None) -> None:
        self._keep, self._tension = keep, tension_n
        self._whole = lengths(Statics(project).model) if keep == "length" else {}

    def laid(self, project: Project) -> Project:
        """Give a posed project with the slack that its webbing is to have there."""
        if self._keep == "slack" and self._tension is None:
            return project
        model = Statics(project).model
        now = lengths(model)
        slack: dict[str, float] = {}
        for name, (whole, old) in now.items():
            length = whole - old
            if self._tension is not None:
                strain = self._strain(model, name)
                slack[name] = -length * strain / (1.0 + strain)
            else:
                slack[name] = self._whole[name][0] - length
        return _with_slack(project, slack)

    def _strain(self, model: Model, name: str) -> float:
        """Give the strain at which webbing has the wanted tension, on its way in."""
        assert self._tension is not None
        law, curves = _law_of(model, name), model.system.curves
        base = int(model.system.laws.curve[law, 0])
        low, high = 0.0, STRONGEST
        if self._tension > curve_at(curves, base, high)[0]:
            raise SettleError(
                f"The webbing of '{name}' never comes to {self._tension:g} N: "
                "ask for less tension, or look at its law."
            )
        for _ in range(80):
            middle = 0.5 * (low + high)
            low, high = (
                (middle, high)
                if curve_at(curves, base, middle)[0] < self._tension
                else (low, middle)
            )
        return high if self._tension > 0.0 else 0.0


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
    return full.work.torque - bare.work.torque, full.work.force - bare.work.force


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
                rest = model.system.straps.rest[k : k + n]
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
