"""Say where the energy of what moves freely came from, and where it went."""

from __future__ import annotations

import numpy as np

from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.project.inertia import inertia_of
from solver.report.content import Cell, Table, figure, text
from solver.report.gather import Subject
from solver.report.scene import driven

LOSSES = {
    "lost_in_joint_springs": msgid("springs and stops of joints"),
    "lost_in_joint_friction": msgid("friction of joints"),
    "lost_in_springs": msgid("springs and dampers"),
    "lost_in_coordinate_forces": msgid("laws of coordinates"),
    "lost_in_contacts": msgid("contacts, pressed in"),
    "lost_in_contact_friction": msgid("friction of contacts"),
    "lost_in_belts": msgid("simple belts"),
    "lost_in_harnesses": msgid("belts and their devices"),
    "lost_in_airbag_friction": msgid("friction on airbags"),
    "lost_in_impulses": msgid("impacts"),
    "lost_in_rolling": msgid("sliding constraints"),
}
WORKS = {
    "work_of_loads": msgid("loads"),
    "work_of_winds": msgid("winds"),
    "work_of_airbags": msgid("gas of airbags"),
    "work_of_muscles": msgid("muscles and actuators"),
    "work_of_belt_planes": msgid("planes of belts"),
    "work_of_contact_geometry": msgid("edges of contacts"),
}
SAID = 0.005
"""Part of all that comes from which a row is told."""


def flows(s: Subject) -> list[tuple[str, float]]:
    """Give what brought energy (above zero) and what took it (J) from start to end; together they are what is left over.

    Of segments that move as prescribed the motion is no store: what their motion takes from the others goes with
    the vehicle that slows down, which is called ride-down.
    """
    table = s.run.table("energy")
    carried = _carried(s)
    kinetic = np.asarray(table["kinetic"]) - carried
    out = [(tr("motion at the start"), float(kinetic[0]))]
    gained = {
        name: float(table[name][-1] - table[name][0])
        for name in table.columns
        if np.ndim(table[name]) == 1
    }
    if driven(s.project):
        taken = gained["work_of_motions"] - float(carried[-1] - carried[0])
        words = (
            msgid("gone with the vehicle (ride-down)") if taken < 0.0 else msgid("from the vehicle")
        )
        out.append((tr(words), taken))
    out.append((tr("weight"), -gained["potential"]))
    out += [(tr(words), gained[name]) for name, words in WORKS.items()]
    out += [(tr(words), -gained[name]) for name, words in LOSSES.items()]
    out.append((tr("held in springs, flesh and webbing at the end"), -gained["strain"]))
    out.append((tr("motion at the end"), -float(kinetic[-1])))
    return out


def _carried(s: Subject) -> Array:
    """Give the kinetic energy of segments that move as prescribed (T,)."""
    moved = set(driven(s.project))
    out: Array = np.zeros(len(s.time))
    for segment in s.project.segments:
        if segment.id in moved and segment.id in s.run.segment_ids:
            motion = s.run.segment(segment.id)
            w = motion.angular_velocity
            out = out + 0.5 * segment.mass_kg * (motion.velocity**2).sum(axis=1)
            out = out + 0.5 * np.einsum("ti,ij,tj->t", w, inertia_of(segment), w)
    return out


def flow_table(s: Subject) -> Table | None:
    """Give what brought and what took energy, the largest first, each as a part of all that came."""
    found = flows(s)
    came = sum(value for _, value in found if value > 0.0)
    if came <= 0.0:
        return None
    rows: list[tuple[Cell, ...]] = []
    for sign, heading in ((1.0, tr("came from")), (-1.0, tr("went to"))):
        told = [(words, sign * value) for words, value in found if sign * value >= SAID * came]
        for words, value in sorted(told, key=lambda one: -one[1]):
            share = value / came
            rows.append(
                (
                    text(heading, "muted"),
                    text(words),
                    figure(value, 3),
                    Cell(f"{100.0 * share:.0f} %", share=share, number=True),
                )
            )
            heading = ""
    notes = (tr("From start to end, of all that is not moved as prescribed; what is less than {part:.1f} % is left out.", part=100.0 * SAID),)  # fmt: skip
    heads = ("", tr("energy"), tr("J"), tr("of all that came"))
    return Table(tr("Where the energy came from and went"), heads, tuple(rows), (0.16, 0.46, 0.12, 0.26), notes)  # fmt: skip


def energy_sentence(s: Subject) -> str:
    """Say the same in a sentence, with what matters most."""
    found = flows(s)
    came = sum(value for _, value in found if value > 0.0)
    if came <= 0.0:
        return ""

    def said(sign: float) -> str:
        top = sorted(((sign * v, w) for w, v in found if sign * v >= 0.05 * came), reverse=True)
        return ", ".join(f"{words} {100.0 * value / came:.0f} %" for value, words in top[:4])

    return tr("Energy, {joules} J in all, came from: {came}. It went to: {went}.", joules=figure(came, 3).text, came=said(1.0), went=said(-1.0))  # fmt: skip
