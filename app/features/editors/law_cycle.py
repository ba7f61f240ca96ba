"""A law led in, out, in again and out, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from app.forms.units import Units
from app.look import LINES
from solver.base.words import msgid, tr
from solver.project import Project

if TYPE_CHECKING:
    from solver.model.law_paths import LawPath


COURSE = ((msgid("in"), 1), (msgid("out"), 0), (msgid("in again"), 2))
"""Names and numbers of colours of a course's parts."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Hold a course with reloading, and one that only goes in and out."""

    whole: LawPath
    once: LawPath
    deepest: float
    back: float


def cycle(project: Project, law: str, deepest: float | None, back: float, speed: float) -> Cycle:
    """Lead a law in, out to a part of the deepest place, in again and out; and once in and out."""
    from solver.model.law_paths import deepest_of, law_path

    far = deepest if deepest is not None else deepest_of(project, law)
    return Cycle(
        law_path(project, law, (far, back * far, far, 0.0), speed),
        law_path(project, law, (far, 0.0), speed),
        far,
        back,
    )


def law_facts(found: Cycle, units: Units, *, is_webbing: bool) -> str:
    """Say peak, energies and what stays, of one way in and out."""
    once, top = found.once, found.once.turn[1]
    depth_unit, energy = ("1", "N") if is_webbing else ("m", "J")

    def said(value: float, unit: str) -> str:
        return f"<b>{escape(units.with_unit(units.short(float(value), unit), unit))}</b>"

    put_in, lost = float(once.work[top]), once.absorbed
    out = np.flatnonzero(once.force[top + 1 :] > 0.0)
    stays = float(once.depth[top + 1 :][out[-1]]) if len(out) else 0.0
    sentence = tr(
        "In to {depth}: peak {peak}, {put_in} put in, {lost} of it absorbed ({part} %) on the way out.",
        depth=said(found.deepest, depth_unit),
        peak=said(float(np.max(once.force)), "N"),
        put_in=said(put_in, energy),
        lost=said(lost, energy),
        part=f"{100.0 * lost / put_in:.0f}" if put_in > 0.0 else "0",
    )
    if stays > 0.02 * found.deepest and stays < 0.98 * found.deepest:
        sentence += " " + tr("At {stays} the force is gone.", stays=said(stays, depth_unit))
    if is_webbing:
        sentence += " " + tr("Energies are for each metre of webbing.")
    legend = " &nbsp; ".join(
        f"<span style='color:{LINES[colour]}'>━</span> {tr(name)}" for name, colour in COURSE
    )
    return f"{legend}<br>{sentence}"
