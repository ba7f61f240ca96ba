"""How well a model starts, and why it does not come to rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.analysis.equilibrium.descent import Descent
from solver.analysis.equilibrium.freedoms import TURNS, WHOLE, Freedoms
from solver.analysis.equilibrium.start import tensions
from solver.analysis.equilibrium.statics import Statics, take_in
from solver.base.words import msgid, plural, tr
from solver.engine.dynamics.tree import Array
from solver.engine.forces.laws import UNTOUCHED
from solver.engine.forces.system import CONTACT_EVENTS
from solver.project.angles import Stop, stops_met
from solver.project.checks import Checked, checked
from solver.project.contact import surfaces_of
from solver.project.document import Project
from solver.project.joint_table import carrying
from solver.project.posing import angles_of, members, root_of
from solver.project.problems import listed
from solver.project.segments import GROUND

# Say how well a model starts: what accelerates, presses, pulls and stands at its stops at time zero.

G = 9.80665
"""Acceleration (m/s^2) in which accelerations are counted."""

GOAL_G = 0.01
"""Acceleration of every segment to aim at."""

ACCEPTED_G = 0.5
"""Acceleration that is commonly accepted at the start of an occupant run."""

PRESSED = 1e-9
"""Depth (m) from which a pair counts as touching."""


@dataclass(frozen=True)
class SegmentHealth:
    """The acceleration of a mass centre (g) and the angular acceleration of its segment."""

    segment: str
    acceleration_g: float
    angular_rad_per_s2: float


@dataclass(frozen=True)
class ContactHealth:
    """Hold depth and force of a pair that touches."""

    contact: str
    penetration_m: float
    force_n: float


@dataclass(frozen=True)
class BeltHealth:
    """The largest tension of a belt or of a strap (`harness.strap`)."""

    belt: str
    tension_n: float


@dataclass(frozen=True)
class Health:
    """The start of a project, as a run would feel it at time zero."""

    segments: tuple[SegmentHealth, ...]
    contacts: tuple[ContactHealth, ...]
    belts: tuple[BeltHealth, ...]
    stops: tuple[Stop, ...]

    def __repr__(self) -> str:
        counts = f"{len(self.segments)} segments, {len(self.contacts)} contacts, {len(self.belts)} belts, {len(self.stops)} stops"
        return f"<Health: {self.verdict}, {self.worst_g:.3g} g at most; {counts}>"

    @property
    def worst(self) -> SegmentHealth | None:
        """The segment that accelerates most."""
        return max(self.segments, key=lambda s: s.acceleration_g, default=None)

    @property
    def worst_g(self) -> float:
        """The largest acceleration of a segment (g)."""
        return self.worst.acceleration_g if self.worst else 0.0

    @property
    def verdict(self) -> str:
        """Say in a word how it starts: balanced, accepted or unbalanced."""
        if self.worst_g < GOAL_G:
            return msgid("balanced")
        return msgid("accepted") if self.worst_g < ACCEPTED_G else msgid("unbalanced")


def health(project: Project | Checked) -> Health:
    """Check a project and look at its start; segments that motions drive are left out."""
    project = checked(project).project
    statics = Statics(project, as_run=True)
    take_in(statics.system)
    statics.evaluate(statics.q)
    return Health(
        _segments(statics),
        _contacts(statics),
        tuple(BeltHealth(n, pull) for n, pull in tensions(statics).items()),
        tuple(_stops(project)),
    )


def _segments(statics: Statics) -> tuple[SegmentHealth, ...]:
    space, motion, trees = statics.work.space, statics.work.motion, statics.model.trees
    out = []
    for segment in statics.project.segments:
        i = trees.body_of[segment.id]
        if statics.driven[i]:
            continue
        arm = motion.R[i].reshape(3, 3) @ -trees.origin[segment.id]
        w, alpha = motion.w[i], space.alpha[i]
        a = space.acc[i] + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
        out.append(
            SegmentHealth(segment.id, float(np.linalg.norm(a)) / G, float(np.linalg.norm(alpha)))
        )
    return tuple(out)


def _contacts(statics: Statics) -> tuple[ContactHealth, ...]:
    seen = statics.system.contacts.workspace.seen
    return tuple(
        ContactHealth(c.id, float(row[3]), float(np.linalg.norm(row[:3])))
        for c, row in zip(statics.project.contacts, seen, strict=True)
        if row[3] > PRESSED
    )


def _stops(project: Project) -> list[Stop]:
    return [
        stop
        for joint in carrying(project.joints)
        for stop in stops_met(project, joint, angles_of(project, joint.id))
    ]


# Say why a model does not come to rest: what moves, which way, what touches it, and what would help.

WORDS = {
    "x": (msgid("along x"), msgid("against x")),
    "y": (msgid("along y"), msgid("against y")),
    "z": (msgid("along z"), msgid("against z")),
    "roll": (msgid("in roll"), msgid("in roll, backwards")),
    "pitch": (msgid("in pitch"), msgid("in pitch, backwards")),
    "yaw": (msgid("in yaw"), msgid("in yaw, backwards")),
}


def diagnosis_text(statics: Statics, descent: Descent, freedoms: Freedoms, start: Array) -> str:
    """The reason in two sentences: what happens, and what mends it."""
    name, forward = _driving(statics, descent, freedoms)
    root, _, way = name.partition(".")
    touching = _touching(statics, root)
    if way in WHOLE:
        words = tr(WORDS[way][0 if forward else 1])
        verb = tr("tips over") if way in TURNS else tr("moves away")
        what = tr("'{root}' {verb} {way}", root=root, verb=verb, way=words)
    else:
        what = tr("The joint '{root}' runs away", root=root)
    if descent.went_too_far:
        if not touching:
            sentence = tr(
                "{what} and meets nothing on its way. {nearest}",
                what=what,
                nearest=_nearest(statics, root),
            )
            help_ = tr(
                "Start it nearer, allow a contact there, or hold it (hold {name}).", name=name
            )
        else:
            sentence = plural(
                "{what}: {touching} touches it, but not in that direction.",
                "{what}: {touching} touch it, but not in that direction.",
                len(touching),
                what=what,
                touching=listed(touching),
            )
            help_ = tr(
                "Friction does not hold it either: add a contact or a belt that stops it, hold it (hold {name}), or let fewer freedoms go.",
                name=name,
            )
        return f"{sentence} {help_}"
    pressed = tr(" between {touching}", touching=listed(touching)) if touching else ""
    stops = _at_stops(statics)
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
    for contact, row in zip(project.contacts, statics.system.contacts.workspace.seen, strict=True):
        sides = {end.segment for end in surfaces_of(contact)}
        if sides & names and np.any(row[:3] != 0.0):
            out.append(contact.id)
    return out


def _nearest(statics: Statics, root: str) -> str:
    """Say which pair of a body is nearest to touching."""
    project, contacts = statics.project, statics.system.contacts.memory
    if len(project.contacts) == 0:
        return tr("The project has no contacts.")
    mode = contacts.mode.copy()
    contacts.mode[:] = UNTOUCHED
    contacts.present[:] = 1
    statics.again(statics.q)
    first = statics.system.first[CONTACT_EVENTS]
    gaps = -statics.work.g[first : first + len(mode)].copy()
    contacts.mode[:] = mode
    names = set(members(project, root_of(project, root) if root in _segment_ids(statics) else root))
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


def _segment_ids(statics: Statics) -> set[str]:
    return {s.id for s in statics.project.segments}


def _at_stops(statics: Statics) -> list[str]:
    return [
        stop.joint
        for joint in carrying(statics.project.joints)
        for stop in stops_met(statics.project, joint, angles_of(statics.project, joint.id))
    ]
