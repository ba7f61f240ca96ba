"""Modal bodies: amplitudes of their modes, how their nodes move, and what bending does to momentum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.modes import Modals
from solver.engine.dynamics.tree import Array
from solver.engine.integrate.samples import Samples
from solver.engine.maths.rotation import cross
from solver.project.document import Project
from solver.project.modal import modes_of
from solver.running.outputs.kinematics import Columns, Kind, Kinematics


class ModeAmplitudes(Kind):
    """What modes do."""

    group = "modes"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the modes: body.1, body.2 and so on."""
        return tuple(
            f"{one.id}.{n + 1}" for one in project.modal_bodies for n in range(modes_of(one))
        )

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give amplitudes, their rates and those of these."""
        body = _in_order(
            self.model.system.tree.modals, self.model.project, self.model.trees.body_of
        )
        return {
            "amplitude": samples.p[: seen.rows, body, 0],
            "rate": samples.velocity[: seen.rows, body, 0],
            "acceleration": samples.acc[: seen.rows, body, 0],
        }


class ModalNodes(Kind):
    """What nodes of modal bodies do."""

    group = "modal_nodes"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the nodes by the joints that hold there: body.joint."""
        return tuple(f"{one.id}.{joint}" for one in project.modal_bodies for joint in one.nodes)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give displacements and turns from rest, axes of the segment."""
        modals, body_of = self.model.system.tree.modals, self.model.trees.body_of
        child = {joint.id: joint.child for joint in self.model.project.joints}
        rows = [
            int(modals.row[body_of[child[joint]]])
            for one in self.model.project.modal_bodies
            for joint in one.nodes
        ]
        shifts, turns = np.zeros((seen.rows, len(rows), 3)), np.zeros((seen.rows, len(rows), 3))
        for k, row in enumerate(rows):
            b = int(modals.node_of[row])
            first, n = int(modals.first[b]), int(modals.first[b + 1] - modals.first[b])
            q = samples.p[: seen.rows, modals.body[first : first + n], 0]
            at, two = int(modals.node_first[row]), int(modals.node_pair[row])
            by_two = modals.node_by_two[two : two + n * n].reshape(n, n, 3)
            shifts[:, k] = np.einsum("tj,jc->tc", q, modals.node_shift[at : at + n])
            shifts[:, k] += 0.5 * np.einsum("tj,tl,jlc->tc", q, q, by_two)
            bent, three = int(modals.node_bent[row]), int(modals.node_triple[row])
            by_three = modals.node_by_three[three : three + bent**3].reshape(bent, bent, bent, 3)
            cube = np.einsum("tj,tl,jlmc->tmc", q[:, :bent], q[:, :bent], by_three)
            shifts[:, k] += np.einsum("tm,tmc->tc", q[:, :bent], cube) / 6.0
            turns[:, k] = np.einsum("tj,jc->tc", q, modals.node_turn[at : at + n])
        return {"shift": shifts, "turn": turns}


def _in_order(modals: Modals, project: Project, body_of: Mapping[str, int]) -> list[int]:
    """Give the bodies of all modes in the order of the project."""
    out: list[int] = []
    for one in project.modal_bodies:
        b = int(modals.row[body_of[one.segment]])
        out += [int(i) for i in modals.body[modals.first[b] : modals.first[b + 1]]]
    return out


class ModalSums(NamedTuple):
    """Hold what a modal body has beside its segment's mass: mass, first moment, momentum, moment of it about O (T, 3, its axes), kinetic energy."""

    mass: float
    centre: Array
    momentum: Array
    moment: Array
    energy: Array


def modal_sums(
    modals: Modals, rest: Array, b: int, samples: Samples, rows: NDArray[np.intp], v: Array, w: Array
) -> ModalSums:  # fmt: skip
    """Sum up modal body b, whose frame's O moves by v and turns by w (T, 3, its axes).

    `rest` holds of each its mass, first moment and inertia at rest about the origin O of its frame's body (10 numbers).
    """
    first, two = int(modals.first[b]), int(modals.pair[b])
    n = int(modals.first[b + 1]) - first
    one, pairs = slice(first, first + n), slice(two, two + n * n)
    modes = modals.body[one]
    q, rate = samples.p[rows][:, modes, 0], samples.velocity[rows][:, modes, 0]
    by_two = modals.centre_by_two[pairs].reshape(n, n, 3)
    slope = modals.shift[one] + np.einsum("tl,jlc->tjc", q, by_two)
    centre = rest[b, 1:4] + np.einsum("tj,jc->tc", q, modals.shift[one])
    centre = centre + 0.5 * np.einsum("tj,tl,jlc->tc", q, q, by_two)
    couple = modals.couple[one] + np.einsum(
        "tl,ljc->tjc", q, modals.couple_by[pairs].reshape(n, n, 3)
    )
    inertia = rest[b, 4:] + np.einsum("tj,jc->tc", q, modals.turning_by[one])
    inertia = inertia + np.einsum(
        "tj,tl,jlc->tc", q, q, modals.turning_by_two[pairs].reshape(n, n, 6)
    )
    J = inertia[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(-1, 3, 3)
    moved = rest[b, 0] * v + cross(w, centre) + np.einsum("tj,tjc->tc", rate, slope)
    about = cross(centre, v) + np.einsum("tij,tj->ti", J, w)
    about = about + np.einsum("tj,tjc->tc", rate, couple)
    # T = (v . p + w . h + what moves by rates alone) / 2
    own = np.einsum("tj,jl,tl->t", rate, modals.own[pairs].reshape(n, n), rate)
    own += np.einsum("tc,tj,tjc->t", v, rate, slope) + np.einsum("tc,tj,tjc->t", w, rate, couple)
    energy = 0.5 * (np.einsum("tc,tc->t", v, moved) + np.einsum("tc,tc->t", w, about) + own)
    return ModalSums(float(rest[b, 0]), centre, moved, about, energy)


def modal_momenta(
    modals: Modals, rest: Array, samples: Samples, rows: NDArray[np.intp]
) -> tuple[Array, Array]:
    """Give linear and angular momentum of all modal bodies beside their segments (T, 3), about the ground's origin."""
    linear, angular = np.zeros((len(rows), 3)), np.zeros((len(rows), 3))
    for b, frame in enumerate(modals.frame):
        R = samples.R[rows][:, frame].reshape(-1, 3, 3)
        p, v, w = (one[rows][:, frame] for one in (samples.p, samples.velocity, samples.w))
        v, w = np.einsum("tji,tj->ti", R, v), np.einsum("tji,tj->ti", R, w)
        made = modal_sums(modals, rest, b, samples, rows, v, w)
        moved, about = (np.einsum("tij,tj->ti", R, one) for one in (made.momentum, made.moment))
        linear += moved
        angular += about + cross(p, moved)
    return linear, angular
