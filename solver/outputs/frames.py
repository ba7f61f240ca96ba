"""Make the frames of a results file from a block of samples."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from solver.dynamics.tree import BALL, FREE, Array
from solver.forces.airbags import (
    BLOWN,
    HEAT_IN,
    HEAT_OUT,
    LOST,
    S_CENTRE,
    S_ENERGY,
    S_FORCE,
    S_HEAT,
    S_MASS,
    S_PRESSURE,
    S_SEMI,
    S_STATE,
    S_TURN,
    S_VOLUME,
    STATES,
)
from solver.forces.straps import STRAIN, TENSION
from solver.forces.system import (
    AIRBAG_FRICTION,
    AIRBAGS,
    BELT_PLANES,
    BELTS,
    CAUSES,
    CONTACT_FRICTION,
    CONTACTS,
    HARNESSES,
    IMPULSES,
    IN_BELTS,
    IN_CONTACTS,
    IN_HARNESSES,
    IN_JOINTS,
    IN_SPRINGS,
    JOINT_FRICTION,
    JOINT_SPRINGS,
    LOADS,
    MOTIONS,
    ROLLING,
    SPRINGS,
    WINDS,
)
from solver.integrate.samples import Samples
from solver.maths.rotation import followed
from solver.model.compile import Model
from solver.model.constraints import pairs_of, rolls_of
from solver.model.links import bushings_of, lines_of
from solver.outputs.bag_contacts import bag_contacts, contact_ids
from solver.outputs.contours import contour_torque
from solver.outputs.joint_motion import has_rates, joint_motion, order_of, state_of
from solver.outputs.seen import (
    Moving,
    Seen,
    along,
    cross,
    quaternions,
)

Block = dict[str, dict[str, Array]]
"""Group, then column, then an array (T, N, ...)."""


class Frames:
    """Turn samples into the groups of a results file."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._start: Array | None = None
        self._start_total = 0.0
        self._last: dict[str, Array] = {}

    def at_frames(self, seen: Seen, samples: Samples, rows: NDArray[np.intp]) -> Block:
        """Give what is only wanted at frames: motion and momenta of segments, touches of airbags."""
        segments = self._model.project.segments
        if not segments:
            zero = np.zeros((len(rows), 3))
            return {"energy": {"momentum": zero, "spin": zero}}
        moving = seen.at(rows).together([segment.id for segment in segments])
        out = {"energy": self._momenta(moving), "segments": self._segments(moving)}
        if any(bag.touches for bag in self._model.project.airbags):
            out["airbag_contacts"] = bag_contacts(self._model, samples, rows)
        return out

    def block(self, seen: Seen, samples: Samples) -> Block:
        """Give all other groups for one block, at every sample."""
        rows, project = seen.rows, self._model.project
        out: Block = {"energy": self._energy(samples, rows)}
        if any(j.kind != "free" for j in project.joints):
            out["joints"] = self._joints(seen, samples)
        if project.constraints:
            out["constraints"] = self._constraints(seen, samples)
        if project.springs or project.tension_elements:
            out |= self._links(samples, rows)
        if project.contacts:
            out["contacts"] = self._contacts(seen, samples)
        if project.airbags:
            out["airbags"] = self._airbags(samples, rows)
        if project.winds:
            out["winds"] = {"force": samples.winds[:rows].copy()}
        if project.belts:
            row = samples.belts[:rows]
            out["belts"] = {
                "tension": row[:, :, 0:2].copy(),
                "strain": row[:, :, 2:4].copy(),
                "length": row[:, :, 4:6].copy(),
            }
        if project.harnesses:
            out |= self._harnesses(samples, rows)
        return out

    def _harnesses(self, samples: Samples, rows: int) -> dict[str, dict[str, Array]]:
        straps = self._model.system.straps
        last = np.flatnonzero(straps.last)
        first = np.concatenate([[0], last[:-1] + 1])
        pieces, ends = samples.pieces[:rows], np.stack([first, last - 1], axis=1)
        drawn = np.zeros((rows, len(last), 2))
        for strap in range(len(last)):
            for side, k in enumerate((first[strap], last[strap])):
                if straps.spool[k] >= 0:
                    drawn[:, strap, side] = samples.spools[:rows, straps.spool[k], 0]
        tension = pieces[:, :, TENSION].copy()
        tension[:, last] = 0.0
        return {
            "harnesses": {
                "tension": pieces[:, ends, TENSION].copy(),
                "strain": pieces[:, ends, STRAIN].copy(),
                "payout": drawn,
            },
            "strap_points": {
                "position": samples.strap_places[:rows].copy(),
                "force": samples.strap_forces[:rows].copy(),
                "tension": tension,
            },
        }

    def _segments(self, seen: Moving) -> dict[str, Array]:
        return {
            "position": seen.place,
            "quaternion_wxyz": self._go_on("segments", quaternions(seen.turn)),
            "velocity": seen.velocity,
            "angular_velocity": along(seen.turn, seen.spin),
            "acceleration": seen.acceleration,
            "angular_acceleration": along(seen.turn, seen.spin_rate),
        }

    def _go_on(self, name: str, q: Array) -> Array:
        """Keep the signs of quaternions (T, N, 4) from block to block."""
        if name in self._last:
            turned = np.einsum("ni,ni->n", self._last[name], q[0]) < 0.0
            q = np.where(turned[:, None], -q, q)
        self._last[name] = q[-1]
        return q

    def _joints(self, seen: Seen, samples: Samples) -> dict[str, Array]:
        joints = [j for j in self._model.project.joints if j.kind != "free"]
        columns: dict[str, list[Array]] = {
            name: [] for name in ("angle", "rate", "slide", "torque", "force", "state")
        }
        for joint in joints:
            made = self._model.trees.joints[joint.id]
            load = samples.load[: seen.rows, made.bodies[-1]]
            angle, rate, slide = joint_motion(self._model, joint, seen, samples)
            name = f"joints.{joint.id}"
            apart = seen.modes.kind[made.bodies[-1]] not in (BALL, FREE)
            before = self._last.get(name)
            angle, turned = followed(angle, order_of(joint), before, apart=apart)
            self._last[name] = angle[-1]
            if has_rates(joint):
                # the other way to write a turn has its middle angle the other way round
                rate[turned, 1] *= -1.0
            held = state_of(seen.modes, made.bodies)
            columns["angle"].append(angle)
            columns["rate"].append(rate)
            columns["slide"].append(slide)
            torque = load[:, :3]
            if getattr(joint, "globographic", None) is not None and held < 8:
                # a contour's torque acts on the bodies, beside what the joint carries
                torque = torque + contour_torque(self._model, joint, seen)
            columns["torque"].append(torque)
            columns["force"].append(load[:, 3:])
            columns["state"].append(np.full(seen.rows, held, np.int8))
        return {name: np.stack(values, axis=1) for name, values in columns.items()}

    def _links(self, samples: Samples, rows: int) -> Block:
        project = self._model.project
        line = {e.id: k for k, e in enumerate(lines_of(project)[: len(project.springs)])}
        bushing = {e.id: k for k, e in enumerate(bushings_of(project))}
        out: Block = {}
        if project.springs:
            force, torque, length = [], [], []
            for spring in project.springs:
                if spring.id in bushing:
                    row = samples.bushings[:rows, bushing[spring.id]]
                    force.append(row[:, :3])
                    torque.append(row[:, 3:6])
                    length.append(row[:, 6])
                else:
                    row = samples.lines[:rows, line[spring.id]]
                    force.append(row[:, :3])
                    torque.append(np.zeros((rows, 3)))
                    length.append(row[:, 3])
            out["springs"] = {
                "force": np.stack(force, 1),
                "torque": np.stack(torque, 1),
                "length": np.stack(length, 1),
            }
        if project.tension_elements:
            first = len(lines_of(project)) - len(project.tension_elements)
            row = samples.lines[:rows, first:]
            out["tension_elements"] = {
                "tension": np.linalg.norm(row[:, :, :3], axis=2),
                "length": row[:, :, 3].copy(),
            }
        return out

    def _constraints(self, seen: Seen, samples: Samples) -> dict[str, Array]:
        tied = {c.id: k for k, c in enumerate(pairs_of(self._model.project))}
        rolling = {c.id: k for k, c in enumerate(rolls_of(self._model.project))}
        force, state = [], []
        for c in self._model.project.constraints:
            if c.id in rolling:
                force.append(samples.rolls[: seen.rows, rolling[c.id]])
                state.append(np.full(seen.rows, seen.modes.rolling[rolling[c.id]], np.int8))
            else:
                force.append(samples.ties[: seen.rows, tied[c.id]])
                state.append(np.ones(seen.rows, np.int8))
        return {"force": np.stack(force, 1), "state": np.stack(state, 1)}

    def _contacts(self, seen: Seen, samples: Samples) -> dict[str, Array]:
        row = samples.contacts[: seen.rows]
        acting = np.any(row[:, :, :3] != 0.0, axis=2)
        return {
            "force": row[:, :, :3].copy(),
            "penetration": row[:, :, 3].copy(),
            "point": np.where(row[:, :, 3:4] > 0.0, row[:, :, 4:7], 0.0),
            "state": acting.astype(np.int8),
        }

    def _airbags(self, samples: Samples, rows: int) -> dict[str, Array]:
        row, first = samples.bags[:rows], len(CAUSES)
        gas = samples.z[:rows, first:].reshape(rows, -1, STATES)
        turns = row[:, :, S_TURN : S_TURN + 9].reshape(rows, -1, 3, 3)
        return {
            "pressure": row[:, :, S_PRESSURE].copy(),
            "volume": row[:, :, S_VOLUME].copy(),
            "temperature": row[:, :, S_HEAT].copy(),
            "mass": row[:, :, S_MASS].copy(),
            "position": row[:, :, S_CENTRE : S_CENTRE + 3].copy(),
            "quaternion_wxyz": self._go_on("airbags", quaternions(turns)),
            "semi_axes": row[:, :, S_SEMI : S_SEMI + 3].copy(),
            "force": row[:, :, S_FORCE : S_FORCE + 3].copy(),
            "state": row[:, :, S_STATE].astype(np.int8),
            "mass_in": gas[:, :, BLOWN].copy(),
            "mass_out": gas[:, :, LOST].copy(),
            "energy": row[:, :, S_ENERGY].copy(),
            "energy_in": gas[:, :, HEAT_IN].copy(),
            "energy_out": gas[:, :, HEAT_OUT].copy(),
        }

    def _energy(self, samples: Samples, rows: int) -> dict[str, Array]:
        kinetic, potential, *held = samples.energy[:rows].T
        z = samples.z[:rows]
        first = self._start is None
        if self._start is None:
            self._start = samples.energy[0].copy()
        start = self._start

        def lost_in(cause: int, entry: int) -> Array:
            """Give what was put in and is no longer held."""
            out: Array = -z[:, cause] - (held[entry] - start[2 + entry])
            return out

        lost = {
            "joint_springs": lost_in(JOINT_SPRINGS, IN_JOINTS),
            "joint_friction": -z[:, JOINT_FRICTION],
            "springs": lost_in(SPRINGS, IN_SPRINGS),
            "contacts": lost_in(CONTACTS, IN_CONTACTS),
            "contact_friction": -z[:, CONTACT_FRICTION],
            "belts": lost_in(BELTS, IN_BELTS),
            "harnesses": lost_in(HARNESSES, IN_HARNESSES),
            "airbag_friction": -z[:, AIRBAG_FRICTION],
            "impulses": -z[:, IMPULSES],
            "rolling": -z[:, ROLLING],
        }
        strain = sum(held, np.zeros(rows))
        dissipated = sum(lost.values(), np.zeros(rows))
        external = z[:, LOADS] + z[:, MOTIONS] + z[:, WINDS] + z[:, AIRBAGS] + z[:, BELT_PLANES]
        total = kinetic + potential + strain + dissipated
        if first:
            self._start_total = float(total[0] - external[0])
        return {
            "kinetic": kinetic,
            "potential": potential,
            "strain": strain,
            "dissipated": dissipated,
            "external": external,
            "balance": total - self._start_total - external,
            **{f"lost_in_{cause}": value for cause, value in lost.items()},
            "work_of_loads": z[:, LOADS].copy(),
            "work_of_motions": z[:, MOTIONS].copy(),
            "work_of_winds": z[:, WINDS].copy(),
            "work_of_airbags": z[:, AIRBAGS].copy(),
            "work_of_belt_planes": z[:, BELT_PLANES].copy(),
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
        "joints": tuple(j.id for j in project.joints if j.kind != "free"),
        "springs": tuple(s.id for s in project.springs),
        "tension_elements": tuple(t.id for t in project.tension_elements),
        "constraints": tuple(c.id for c in project.constraints),
        "contacts": tuple(c.id for c in project.contacts),
        "belts": tuple(b.id for b in project.belts),
        "harnesses": tuple(f"{h.id}.{s.id}" for h in project.harnesses for s in h.straps),
        "strap_points": tuple(
            f"{h.id}.{s.id}.{i}"
            for h in project.harnesses
            for s in h.straps
            for i in range(len(s.points))
        ),
        "winds": tuple(w.id for w in project.winds),
        "airbags": tuple(a.id for a in project.airbags),
        "airbag_contacts": tuple(name for a in project.airbags for name in contact_ids(a)),
        "energy": (),
    }
