"""What presses on bodies from outside joints: the forces that a run has in its contacts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.analysis.inverse.bodies import At
from solver.analysis.inverse.refusal import InverseError
from solver.engine.dynamics.tree import Array, Motion
from solver.project.contact import PlaneContact
from solver.results.trajectory import Trajectory

Wrenches = list[tuple[Array, Array]]


@dataclass(frozen=True, eq=False)
class Pressing:
    """Hold forces of contacts over time (instants, contacts, 3) and their places, and the two bodies of each; -1 for ground."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    force: Array
    place: Array

    def taken_from(self, own: Wrenches, k: int, motion: Motion) -> Wrenches:
        """Give what is left of the torques about O and forces of bodies at an instant, once contacts have borne theirs."""
        out = [(torque.copy(), force.copy()) for torque, force in own]
        for n, bodies in enumerate(zip(self.first, self.second, strict=True)):
            for body, sign in zip(bodies, (1.0, -1.0), strict=True):
                if body >= 0:
                    f = sign * self.force[k, n]
                    torque, force = out[body]
                    out[body] = torque - np.cross(self.place[k, n] - motion.p[body], f), force - f
        return out


def pressing_in(at: At, run: Trajectory) -> Pressing:
    """Read the forces of all contacts from the frames of a run of this model."""
    project, body_of = at.compiled.project, at.compiled.trees.body_of
    if not project.contacts:
        raise InverseError("The model has no contacts.")
    planes = {plane.id: plane.segment for plane in project.planes}
    table, first, second = run.table("contacts"), [], []
    order = [table.ids.index(contact.id) for contact in project.contacts]
    for contact in project.contacts:
        if isinstance(contact, PlaneContact):
            pair = contact.surface.segment, planes[contact.plane]
        else:
            pair = contact.first.segment, contact.second.segment
        first.append(body_of.get(pair[0], -1))
        second.append(body_of.get(pair[1], -1))
    return Pressing(tuple(first), tuple(second), table["force"][:, order], table["point"][:, order])
