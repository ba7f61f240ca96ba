"""Say how well a model starts: what accelerates, presses, pulls and stands at its stops at time zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.analysis.equilibrium.belts import tensions
from solver.analysis.equilibrium.statics import Statics, take_in
from solver.base.words import msgid
from solver.project.checks import Checked, checked
from solver.project.document import Project
from solver.project.joint_table import carrying
from solver.project.posing import angles_of
from solver.project.stops import Stop, stops_met

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
    """Hold the acceleration of a mass centre (g) and the angular acceleration of its segment."""

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
    """Hold the largest tension of a belt or of a strap (`harness.strap`)."""

    belt: str
    tension_n: float


@dataclass(frozen=True)
class Health:
    """Hold the start of a project, as a run would feel it at time zero."""

    segments: tuple[SegmentHealth, ...]
    contacts: tuple[ContactHealth, ...]
    belts: tuple[BeltHealth, ...]
    stops: tuple[Stop, ...]

    @property
    def worst(self) -> SegmentHealth | None:
        """Give the segment that accelerates most."""
        return max(self.segments, key=lambda s: s.acceleration_g, default=None)

    @property
    def worst_g(self) -> float:
        """Give the largest acceleration of a segment (g)."""
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
    seen = statics.system.contacts.seen
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
