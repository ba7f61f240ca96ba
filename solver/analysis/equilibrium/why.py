"""Say why a model does not come to rest: what moves, which way, what touches it, and what would help."""

from __future__ import annotations

import numpy as np

from solver.analysis.equilibrium.descent import Descent
from solver.analysis.equilibrium.freedoms import TURNS, WHOLE, Freedoms
from solver.analysis.equilibrium.statics import Statics
from solver.base.words import Sentence, tr
from solver.engine.dynamics.tree import Array
from solver.engine.forces.laws import UNTOUCHED
from solver.engine.forces.system import CONTACT_EVENTS
from solver.project.contact import surfaces_of
from solver.project.joint_table import carrying
from solver.project.posing import angles_of, members, root_of
from solver.project.problems import listed
from solver.project.segments import GROUND
from solver.project.stops import stops_met

WORDS = {
    "x": ("along x", "against x"),
    "y": ("along y", "against y"),
    "z": ("along z", "against z"),
    "roll": ("in roll", "in roll, backwards"),
    "pitch": ("in pitch", "in pitch, backwards"),
    "yaw": ("in yaw", "in yaw, backwards"),
}


def why(statics: Statics, descent: Descent, freedoms: Freedoms, start: Array) -> str:
    """Give the reason in two sentences: what happens, and what mends it."""
    name, forward = _driving(statics, descent, freedoms)
    root, _, way = name.partition(".")
    touching = _touching(statics, root)
    if way in WHOLE:
        words = WORDS[way][0 if forward else 1]
        verb = tr("tips over") if way in TURNS else tr("moves away")
        what = f"'{root}' {verb} {words}"
    else:
        what = tr("The joint '{root}' runs away", root=root)
    if descent.went_too_far:
        if not touching:
            sentence = Sentence(
                "{what} and meets nothing on its way. {nearest}",
                what=what,
                nearest=_nearest(statics, root),
            )
            help_ = tr(
                "Start it nearer, allow a contact there, or hold it (hold {name}).", name=name
            )
        else:
            sentence = Sentence(
                "{what}: {touching} {verb} it, but not in that direction.",
                what=what,
                touching=listed(touching),
                verb=_verb(touching),
            )
            help_ = tr(
                "Friction does not hold it either: add a contact or a belt that stops it, hold it (hold {name}), or let fewer freedoms go.",
                name=name,
            )
        return f"{sentence} {help_}"
    pressed = tr(" between {touching}", touching=listed(touching)) if touching else ""
    stops = _stops(statics)
    at_stop = tr(" Stops are met at {stops}.", stops=listed(stops)) if stops else ""
    return tr(
        "{what}{pressed} and still accelerates at {acceleration_g:.2g} g after {rounds} rounds.{at_stop} Look at the forces there, hold it (hold {name}), or take the nearest pose (nearest).",
        what=what,
        pressed=pressed,
        acceleration_g=descent.acceleration_g,
        rounds=descent.rounds,
        at_stop=at_stop,
        name=name,
    )


def indifferent(statics: Statics, descent: Descent, freedoms: Freedoms, soft: float) -> list[str]:
    """Name the freedoms along which nothing holds the model, and nothing pushes it."""
    labels, out = freedoms.labels(statics), dict[str, None]()
    for value, mode in zip(descent.stiffness_by_mass, descent.modes.T, strict=True):
        if abs(value) < soft:
            out[labels[int(np.argmax(np.abs(mode)))]] = None
    return list(out)


def _driving(statics: Statics, descent: Descent, freedoms: Freedoms) -> tuple[str, bool]:
    """Name the free direction in which the forces that are left do most, and its sense."""
    labels, basis = freedoms.labels(statics), freedoms.basis(statics)
    M = statics.mass(statics.columns(basis))
    a = np.linalg.lstsq(M, descent.residual, rcond=1e-10)[0]
    k = int(np.argmax(np.abs(a * descent.residual)))
    return labels[k], bool(a[k] > 0.0)


def _touching(statics: Statics, name: str) -> list[str]:
    """Name the contacts that press on the body of a segment or of a joint's child."""
    project = statics.project
    child = next((j.child for j in project.joints if j.id == name), name)
    root = root_of(project, child)
    names = set(members(project, root if root != GROUND else child))
    out = []
    for contact, row in zip(project.contacts, statics.system.contacts.seen, strict=True):
        sides = {end.segment for end in surfaces_of(contact)}
        if sides & names and np.any(row[:3] != 0.0):
            out.append(contact.id)
    return out


def _verb(touching: list[str]) -> str:
    return "touches" if len(touching) == 1 else "touch"


def _nearest(statics: Statics, root: str) -> str:
    """Say which pair of a body is nearest to touching."""
    project, contacts = statics.project, statics.system.contacts
    if len(project.contacts) == 0:
        return tr("The project has no contacts.")
    mode = contacts.mode.copy()
    contacts.mode[:] = UNTOUCHED
    contacts.present[:] = 1
    statics.again(statics.q)
    first = statics.system.first[CONTACT_EVENTS]
    gaps = -statics.work.g[first : first + len(mode)].copy()
    contacts.mode[:] = mode
    names = set(members(project, root_of(project, root) if root in _segments(statics) else root))
    best = None
    for contact, gap in zip(project.contacts, gaps, strict=True):
        touches = any(end.segment in names for end in surfaces_of(contact))
        if touches and (best is None or gap < best[1]):
            best = contact.id, float(gap)
    if best is None:
        return tr("No contact is allowed for it.")
    return tr(
        "Of its pairs '{best}' was nearest at the start, {best_2:.0f} mm apart.",
        best=best[0],
        best_2=1e3 * max(best[1], 0.0),
    )


def _segments(statics: Statics) -> set[str]:
    return {s.id for s in statics.project.segments}


def _stops(statics: Statics) -> list[str]:
    return [
        stop.joint
        for joint in carrying(statics.project.joints)
        for stop in stops_met(statics.project, joint, angles_of(statics.project, joint.id))
    ]
