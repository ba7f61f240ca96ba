"""Beams: what acts in their sections, the stress of their outer fibres, and how far they bend."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from solver.base.words import Sentence, msgid
from solver.engine.dynamics.tree import Array
from solver.engine.integrate.samples import Samples
from solver.engine.maths.rotation import cross
from solver.model.compile import Model
from solver.model.links import bushings_of
from solver.project.document import Project
from solver.project.expanding import Cut, cuts
from solver.project.joint_table import is_free
from solver.project.joints import Joint
from solver.project.links import Bushing
from solver.results.events import named
from solver.running.outputs.joints import joint_load
from solver.running.outputs.kinematics import Columns, Kind, Kinematics, along


class Sections(NamedTuple):
    """Hold what a beam's sections do, a column (T, n + 1) for each station; loads in the station's axes."""

    place: Array
    """Where the axis is (T, n + 1, 3), ground axes."""
    turn: Array
    force: Array
    """What follows pulls so at what comes before (T, n + 1, 3)."""
    moment: Array
    stress: Array


def sections_of(model: Model, cut: Cut, seen: Kinematics, samples: Samples) -> Sections:
    """What the sections of a beam do, once for all who ask."""
    return seen.once("beam", cut.beam.id, lambda: _sections(model, cut, seen, samples))


def _sections(model: Model, cut: Cut, seen: Kinematics, samples: Samples) -> Sections:
    beam, pieces = cut.beam, cut.pieces
    names, number = beam.stations, {one.id: k for k, one in enumerate(bushings_of(model.project))}
    joints = {joint.id: joint for joint in pieces.joints}
    moving = seen.together(names)
    place = moving.place + np.einsum("tnij,nj->tni", moving.turn, pieces.axis)
    n = beam.pieces
    force, moment = np.zeros((2, n + 1, seen.rows, 3))
    count = np.zeros(n + 1)

    def add(k: int, load: Array, turning: Array, at: Array) -> None:
        force[k] += load
        moment[k] += turning + cross(at - place[:, k], load)
        count[k] += 1.0

    held = beam.is_held
    for k, spring in enumerate(pieces.springs, 1):
        load, turning = _between(model, spring, number, joints.get(spring.id), seen, samples)
        at = seen.place(spring.b.segment, np.array(spring.b.frame.position_m))
        # what holds an end tells of it by itself
        if not (k == 1 and held[0]):
            add(k - 1, load, turning, at)
        if not (k == n and held[1]):
            add(k, load, turning, at)
    for which, k, sign in (("start", 0, -1.0), ("end", n, 1.0)):
        joint = joints.get(f"{beam.id}#{which}")
        if joint is not None and held[0 if k == 0 else 1]:
            turning, load = joint_load(model, joint, seen, samples)
            add(k, sign * load, sign * turning, place[:, k])
    force, moment = (along(moving.turn, (one / count[:, None, None]).swapaxes(0, 1)) for one in (force, moment))  # fmt: skip
    return Sections(place, moving.turn, force, moment, _stress(cut, force, moment))


def _between(
    model: Model,
    spring: Bushing,
    number: dict[str, int],
    joint: Joint | None,
    seen: Kinematics,
    samples: Samples,
) -> tuple[Array, Array]:
    """With what a piece pulls and turns at what comes before it (T, 3), in its middle, ground axes."""
    row = samples.bushings[: seen.rows, number[spring.id]]
    load, turning = -row[:, :3], -row[:, 3:6]
    if joint is not None and not is_free(joint):
        of_joint, at_joint = joint_load(model, joint, seen, samples)
        load, turning = load - at_joint, turning - of_joint
    return load, turning


def _stress(cut: Cut, force: Array, moment: Array) -> Array:
    """The largest stress of the outer fibre, of either sign: of stretching and of both bendings."""
    numbers = cut.beam.numbers
    out: Array = np.abs(force[..., 0]) / numbers.area
    if numbers.is_round:
        size = np.hypot(moment[..., 1], moment[..., 2])
        return out + size * numbers.outer_z / numbers.moment_y
    about_y, about_z = np.abs(moment[..., 1]), np.abs(moment[..., 2])
    return out + about_y * numbers.outer_z / numbers.moment_y + about_z * numbers.outer_y / numbers.moment_z  # fmt: skip


class BeamStations(Kind):
    """What acts in the sections of beams; ids are beam.number, from zero at the start."""

    group = "beam_stations"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the stations."""
        return tuple(f"{one.id}.{k}" for one in project.beams for k in range(one.pieces + 1))

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give place, loads and stress."""
        found = [sections_of(self.model, cut, seen, samples) for cut in _in_order(self.model)]
        force, moment = (np.concatenate([getattr(one, name) for one in found], axis=1) for name in ("force", "moment"))  # fmt: skip
        return {
            "position": np.concatenate([one.place for one in found], axis=1),
            "axial": force[..., 0].copy(), "shear_y": force[..., 1].copy(), "shear_z": force[..., 2].copy(),
            "torsion": moment[..., 0].copy(), "bending_y": moment[..., 1].copy(), "bending_z": moment[..., 2].copy(),
            "stress": np.concatenate([one.stress for one in found], axis=1),
        }  # fmt: skip


class Beams(Kind):
    """What beams do as a whole."""

    group = "beams"

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._worst: dict[str, tuple[float, float, float, float]] = {}

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the beams."""
        return tuple(one.id for one in project.beams)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give the largest stress and moment, and how far end and middle are from where they would be unbent."""
        rows: dict[str, list[Array]] = {
            name: [] for name in ("stress", "stress_at", "bending", "end_deflection", "middle_deflection")
        }  # fmt: skip
        for cut in _in_order(self.model):
            found = sections_of(self.model, cut, seen, samples)
            worst = found.stress.argmax(axis=1)
            at = np.concatenate([[0.0], np.cumsum(cut.laid.lengths)])
            self._watch(cut, seen.time, found.stress.max(axis=1), at[worst])
            rows["stress"].append(found.stress.max(axis=1))
            rows["stress_at"].append(at[worst])
            rows["bending"].append(np.hypot(found.moment[..., 1], found.moment[..., 2]).max(axis=1))
            rows["end_deflection"].append(_end(cut, found))
            rows["middle_deflection"].append(_middle(cut, found))
        return {name: np.stack(made, axis=1) for name, made in rows.items()}

    def _watch(self, cut: Cut, time: Array, stress: Array, at: Array) -> None:
        """Note where and when a beam is strained beyond its strength."""
        strength, id_ = cut.beam.strength_pa, cut.beam.id
        if strength is None or not len(stress) or stress.max() <= strength:
            return
        k = int(stress.argmax())
        first = float(time[int(np.argmax(stress > strength))])
        before = self._worst.get(id_)
        first = first if before is None else before[0]
        if before is None or stress[k] > before[1]:
            self._worst[id_] = (first, float(stress[k]), float(time[k]), float(at[k]))
        else:
            self._worst[id_] = (first, *before[1:])

    def sentences(self) -> Iterator[Sentence]:
        """Say which beams would have yielded or broken."""
        for beam in self.model.project.beams:
            if beam.id in self._worst and beam.strength_pa is not None:
                first, stress, when, at = self._worst[beam.id]
                yield Sentence(
                    STRAINED, what=named(f"beams/{beam.id}"), strength=1e-6 * beam.strength_pa, first=1e3 * first,
                    stress=1e-6 * stress, when=1e3 * when, at=at,
                )  # fmt: skip


STRAINED = msgid(
    "warning: {what} is strained beyond its strength of {strength:.4g} MPa from {first:.4g} ms on, most at {when:.4g} ms with "
    "{stress:.4g} MPa, {at:.3g} m from its start: what it does from then on is that of a beam that stays elastic"
)


def _end(cut: Cut, found: Sections) -> Array:
    """How far the end is from where it would be unbent, in the axes of the first station (T, 3)."""
    away = along(found.turn[:, 0], found.place[:, -1] - found.place[:, 0])
    out: Array = away - cut.laid.turns[0].T @ (cut.laid.nodes[-1] - cut.laid.nodes[0])
    return out


def _middle(cut: Cut, found: Sections) -> Array:
    """How far the middle is from where it would be unbent between both ends.

    In axes of which x goes from end to end, and z lies as near to that of the first station as it can.
    """
    nodes, k = cut.laid.nodes, cut.beam.pieces // 2
    rest = _between_ends(nodes[None, [0, k, -1]], cut.laid.turns[None, 0])
    here = _between_ends(found.place[:, [0, k, -1]], found.turn[:, 0])
    # unbent it lies at the same part of the way from end to end
    stretch = np.linalg.norm(found.place[:, -1] - found.place[:, 0], axis=1)
    rest = np.repeat(rest, len(here), axis=0)
    rest[:, 0] *= stretch / np.linalg.norm(nodes[-1] - nodes[0])
    return here - rest


def _between_ends(three: Array, turn: Array) -> Array:
    """Where the middle of three places (T, 3, 3) is from the first, along the line to the last."""
    first, middle, last = three[:, 0], three[:, 1], three[:, 2]
    x = last - first
    x = x / np.maximum(np.linalg.norm(x, axis=1), 1e-300)[:, None]
    y = cross(turn[:, :, 2], x)
    y = y / np.maximum(np.linalg.norm(y, axis=1), 1e-300)[:, None]
    return along(np.stack([x, y, cross(x, y)], axis=2), middle - first)


def _in_order(model: Model) -> list[Cut]:
    """The beams as the project has them."""
    known = {cut.beam.id: cut for cut in cuts(model.project)}
    return [known[one.id] for one in model.project.beams]
