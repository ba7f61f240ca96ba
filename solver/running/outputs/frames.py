"""Make the frames of a results file from a block of samples."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.tree import Array
from solver.engine.integrate.samples import Samples
from solver.engine.maths.rotation import cross
from solver.model.compile import Model
from solver.running.outputs.bag_contacts import bag_contacts, contact_ids
from solver.running.outputs.energy import Energy
from solver.running.outputs.kinds import KINDS
from solver.running.outputs.kinematics import Kinematics, Moving, Signs, along, quaternions

Block = dict[str, dict[str, Array]]
"""Group, then column, then an array (T, N, ...)."""


class Frames:
    """Turn samples into the groups of a results file: all, or those of some names.

    Segments always have their motion.
    """

    def __init__(self, model: Model, only: Collection[str] | None = None) -> None:
        self._model, self._only = model, only
        self._energy, self._signs = Energy(), Signs()
        self._kinds = [
            kind(model) for kind in KINDS if kind.ids(model.project) and self._is_wanted(kind.group)
        ]

    def memory(self) -> tuple[Any, ...]:
        """Give what is followed on from block to block."""
        return vars(self._energy), vars(self._signs), [kind.memory() for kind in self._kinds]

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Follow on from there."""
        energy, signs, kinds = memory
        vars(self._energy).update(energy)
        vars(self._signs).update(signs)
        for kind, one in zip(self._kinds, kinds, strict=True):
            kind.recall(one)

    def at_frames(self, seen: Kinematics, samples: Samples, rows: NDArray[np.intp]) -> Block:
        """Give what is only wanted at frames: motion and momenta of segments, touches of airbags."""
        segments = self._model.project.segments
        if not segments:
            zero = np.zeros((len(rows), 3))
            return {"energy": {"momentum": zero, "spin": zero}}
        moving = seen.at(rows).together([segment.id for segment in segments])
        out: Block = {"segments": self._segments(moving)}
        if self._is_wanted("energy"):
            out["energy"] = self._momenta(moving)
        if self._is_wanted("airbag_contacts") and any(
            bag.touches for bag in self._model.project.airbags
        ):
            out["airbag_contacts"] = bag_contacts(self._model, samples, rows)
        return out

    def block(self, seen: Kinematics, samples: Samples) -> Block:
        """Give all other groups for one block, at every sample."""
        out: Block = {"energy": self._energy.columns(samples, seen.rows)}
        return out | {kind.group: kind.columns(seen, samples) for kind in self._kinds}

    def _is_wanted(self, group: str) -> bool:
        return self._only is None or group in self._only

    def _segments(self, seen: Moving) -> dict[str, Array]:
        return {
            "position": seen.place,
            "quaternion_wxyz": self._signs(quaternions(seen.turn)),
            "velocity": seen.velocity,
            "angular_velocity": along(seen.turn, seen.spin),
            "acceleration": seen.acceleration,
            "angular_acceleration": along(seen.turn, seen.spin_rate),
        }

    def _momenta(self, seen: Moving) -> dict[str, Array]:
        """Give linear and angular momentum of all segments, ground axes, about the ground's origin."""
        segments = self._model.project.segments
        mass = np.array([segment.mass_kg for segment in segments])
        J = np.array([self._model.trees.inertia[segment.id] for segment in segments])
        p, R = mass[:, None] * seen.velocity, seen.turn
        about = np.einsum("tnij,njk,tnk->tni", R, J, along(R, seen.spin))
        return {"momentum": p.sum(axis=1), "spin": (cross(seen.place, p) + about).sum(axis=1)}


def ids(model: Model) -> Mapping[str, tuple[str, ...]]:
    """Name the elements of each group."""
    project = model.project
    return {
        "segments": tuple(s.id for s in project.segments),
        **{kind.group: kind.ids(project) for kind in KINDS},
        "airbag_contacts": tuple(name for a in project.airbags for name in contact_ids(a)),
        "energy": (),
    }
