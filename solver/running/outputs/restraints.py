"""Airbags, belts and harnesses: their rows of the results, and their events.

The deepest points and the area pressed on are found by the engine's own functions, in the pose and
with the pressure that the engine has used; the sum over a bag's touches is the force of its own row.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.tree import Array
from solver.engine.forces.airbags.arrays import (
    BLOWN,
    HEAT_IN,
    HEAT_OUT,
    LOST,
    S_CENTRE,
    S_ENERGY,
    S_FORCE,
    S_HEAT,
    S_MASS,
    S_ONCE,
    S_PRESSURE,
    S_SEMI,
    S_STATE,
    S_TURN,
    S_VOLUME,
    STATES,
)
from solver.engine.forces.airbags.kernels import VENT_OPENED
from solver.engine.forces.airbags.shape import bag_contact
from solver.engine.forces.straps.arrays import STRAIN, TENSION
from solver.engine.forces.system import BAG_EVENTS, BELT_EVENTS, CAUSES, SPOOL_EVENTS, STRAP_EVENTS
from solver.engine.integrate.samples import Samples
from solver.engine.maths.rotation import cross
from solver.model.compile import Model
from solver.model.harness import devices_of
from solver.project.airbags import Airbag
from solver.project.document import Project
from solver.running.outputs.kinematics import Columns, Kind, Kinematics, Signs, Source, quaternions

# Simple belts: both parts, at anchors A and B, and when they are taut.

PARTS = ("belt_taut", "belt_slack", "belt_turns")
"""Events by what the kernels say has happened."""


class Belts(Kind):
    """What simple belts do."""

    group = "belts"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the belts."""
        return tuple(b.id for b in project.belts)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give tension, strain and length of both parts."""
        row = samples.belts[: seen.rows]
        return {
            "tension": row[:, :, 0:2].copy(),
            "strain": row[:, :, 2:4].copy(),
            "length": row[:, :, 4:6].copy(),
        }

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say which belt is taut, slack or turns; each has two parts."""
        paths = [f"belts/{b.id}" for b in project.belts for _ in range(2)]
        return {BELT_EVENTS: lambda n, what: (PARTS[what], paths[n], ())}


# Airbags: their gas, place and force, and when they fire.

BAGS = ("airbag_fires", "airbag_full", "airbag_vents", "airbag_side_changes")
"""Events by what the kernels say has happened."""


class Airbags(Kind):
    """What airbags do."""

    group = "airbags"

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._signs = Signs()

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the bags."""
        return tuple(a.id for a in project.airbags)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """The state of the gas, the bag as it stands, and its force."""
        row, first = samples.bags[: seen.rows], len(CAUSES)
        # states of other elements come after those of the bags
        gas = samples.z[: seen.rows, first : first + row.shape[1] * STATES]
        gas = gas.reshape(seen.rows, -1, STATES)
        turns = row[:, :, S_TURN : S_TURN + 9].reshape(seen.rows, -1, 3, 3)
        return {
            "pressure": row[:, :, S_PRESSURE].copy(),
            "volume": row[:, :, S_VOLUME].copy(),
            "temperature": row[:, :, S_HEAT].copy(),
            "mass": row[:, :, S_MASS].copy(),
            "position": row[:, :, S_CENTRE : S_CENTRE + 3].copy(),
            "quaternion_wxyz": self._signs(quaternions(turns)),
            "semi_axes": row[:, :, S_SEMI : S_SEMI + 3].copy(),
            "force": row[:, :, S_FORCE : S_FORCE + 3].copy(),
            "state": row[:, :, S_STATE].astype(np.int8),
            "mass_in": gas[:, :, BLOWN].copy(),
            "mass_out": gas[:, :, LOST].copy(),
            "energy": row[:, :, S_ENERGY].copy(),
            "energy_in": gas[:, :, HEAT_IN].copy(),
            "energy_out": gas[:, :, HEAT_OUT].copy(),
        }

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say which bag fires and is full, which of its vents opens, and that it presses on another side of something."""
        rows = [
            (f"airbags/{b.id}", n)
            for b in project.airbags
            for n in range(2 + len(b.vents) + len(b.panels) + len(b.planes) + len(b.touches))
        ]

        def said(number: int, what: int) -> tuple[str, str, tuple[float, ...]]:
            element, of_bag = rows[number]
            return BAGS[what], element, (float(of_bag - 2),) if what == VENT_OPENED else ()

        return {BAG_EVENTS: said}


# What an airbag presses with on each surface that it touches: force and place, at frames.

Rows = NDArray[np.intp]

SAME = 1e-6
"""Part of a bag's force, and force (N), within which the forces on all that it touches sum up to it."""
MOST_OPEN = 10
"""Of no more surfaces than this both sides are tried at once."""


def contact_ids(bag: Airbag) -> tuple[str, ...]:
    """Name what a bag touches, panels left out: by segment, and by surface where it has several."""
    segments = [one.segment for one in bag.touches]
    return tuple(
        f"{bag.id}.{one.segment}" + (f".{one.surface}" if segments.count(one.segment) > 1 else "")
        for one in bag.touches
    )


def bag_contacts(
    model: Model, samples: Samples, rows: Rows, some: Rows | None = None
) -> dict[str, Array]:
    """The force (N) on each surface, or on some, and the place (m) at which it acts, ground axes."""
    bags = model.system.bags
    touches = np.flatnonzero(bags.model.is_panel == 0)
    wanted = touches if some is None else touches[some]
    owner = np.searchsorted(bags.model.touches[:, 1], touches, side="right")
    out = {name: np.zeros((len(rows), len(touches), 3)) for name in ("force", "point")}
    is_wanted = np.isin(touches, wanted)
    for k in sorted(set(owner[is_wanted].tolist())):
        of_it = np.flatnonzero(owner == k)
        # the rest of a bag is looked at where what is wanted is pressed
        at_rows = np.arange(len(rows))
        for at in sorted(of_it.tolist(), key=lambda one: not is_wanted[one]):
            if not is_wanted[at]:
                at_rows = np.flatnonzero(out["force"][:, of_it[is_wanted[of_it]]].any(axis=(1, 2)))
            near, force, point, _ = _pressed(model, samples, rows[at_rows], k, int(touches[at]))
            out["force"][at_rows[near], at], out["point"][at_rows[near], at] = force, point
        _find_sides(model, samples, rows, at_rows, k, touches[of_it], of_it, out)
    return {name: value[:, is_wanted] for name, value in out.items()}


def _find_sides(
    model: Model, samples: Samples, rows: Rows, among: Rows, k: int, touches: Rows, at: Rows,
    out: dict[str, Array],
) -> None:  # fmt: skip
    """Press on those sides of a bag's surfaces by which they came, where these are no longer the nearer ones.

    The engine follows each side from step to step. Here the sides are those with which all forces sum up to the bag's own.
    """
    whole = samples.bags[rows, k, S_FORCE : S_FORCE + 3]
    off = np.linalg.norm(out["force"][:, at].sum(axis=1) - whole, axis=1)
    wrong = among[(off > SAME * np.linalg.norm(whole, axis=1) + SAME)[among]]
    if not len(wrong):
        return
    sides = np.zeros((2, len(wrong), len(at), 3)), np.zeros((2, len(wrong), len(at), 3))
    for n, (touch, column) in enumerate(zip(touches, at, strict=True)):
        sides[0][0, :, n], sides[1][0, :, n] = (
            out["force"][wrong, column],
            out["point"][wrong, column],
        )
        _, _, _, normal = _pressed(model, samples, rows[wrong], k, int(touch))
        near, force, point, _ = _pressed(model, samples, rows[wrong], k, int(touch), -normal)
        sides[0][1, near, n], sides[1][1, near, n] = force, point
    for row, place in enumerate(wrong):
        open_ = np.flatnonzero(sides[0][1, row].any(axis=1))[:MOST_OPEN]
        best, least = np.zeros(len(at), int), np.inf
        for way in product((0, 1), repeat=len(open_)):
            side = np.zeros(len(at), int)
            side[open_] = way
            left = sides[0][side, row, np.arange(len(at))].sum(axis=0) - whole[place]
            if (size := float((left * left).sum())) < least:
                best, least = side, size
        for name, found in zip(("force", "point"), sides, strict=True):
            out[name][place, at] = found[best, row, np.arange(len(at))]


def _pressed(
    model: Model, samples: Samples, rows: Rows, k: int, n: int, starts: Array | None = None
) -> tuple[Rows, Array, Array, Array]:
    """At which of the rows a full bag presses on a surface, with what force, and where; and all normals.

    The deepest points are searched for from normals to start with, else from the nearer side.
    """
    bags, surfaces = model.system.bags, model.system.surfaces
    s, seen = int(bags.model.surface[n]), samples.bags[rows, k]
    body = int(surfaces.body[s])
    R, p = np.broadcast_to(np.eye(3), (len(rows), 3, 3)), np.zeros((len(rows), 3))
    if body >= 0:
        R, p = samples.R[rows, body].reshape(-1, 3, 3), samples.p[rows, body]
    centre, pressure = seen[:, S_CENTRE : S_CENTRE + 3], seen[:, S_PRESSURE]
    gap = p + R @ surfaces.at[s] - centre
    reach = np.max(bags.model.semi[k]) + surfaces.reach[s]
    near = np.flatnonzero((pressure > 0.0) & (np.linalg.norm(gap, axis=1) <= reach))
    bag = _shapes(seen[near, S_TURN : S_TURN + 9].reshape(-1, 3, 3), bags.model.semi[k])
    other = _shapes(R[near] @ surfaces.R[s].reshape(3, 3), surfaces.semi[s])
    first = np.zeros((len(rows), 3)) if starts is None else starts
    found = [
        bag_contact(tuple(a), tuple(b), tuple(way), tuple(start))
        for a, b, way, start in zip(
            bag.tolist(), other.tolist(), gap[near].tolist(), first[near].tolist(), strict=True
        )
    ]
    depth, area = (np.array([getattr(one, name) for one in found]) for name in ("depth", "area"))
    on_b, normal = (
        np.array([getattr(one, name) for one in found]).reshape(-1, 3)
        for name in ("on_b", "normal")
    )
    normals = np.zeros((len(rows), 3))
    normals[near] = normal
    size = pressure[near] * seen[near, S_ONCE] * area
    touching = (depth > 0.0) & (size > 0.0)
    near, size, normal = near[touching], size[touching, None], normal[touching]
    point = centre[near] + on_b[touching]
    slide = _speed(samples, rows[near], body, point)
    slide -= _speed(samples, rows[near], int(bags.model.body[k]), point)
    slide -= np.sum(slide * normal, axis=1, keepdims=True) * normal
    slip, ramp = np.linalg.norm(slide, axis=1, keepdims=True), float(bags.model.ramp[k])
    most = np.where(slip >= ramp, slip, ramp / (2.0 - np.minimum(slip, ramp) / ramp))
    drag = bags.model.friction[k] * size / most
    return near, size * normal - drag * slide, point, normals


def _shapes(turns: Array, semi: Array) -> Array:
    """Give Q of an ellipsoid in several turns, as the engine has it: xx, yy, zz, xy, xz, yz."""
    q = (turns * semi**2) @ turns.transpose(0, 2, 1)
    out: Array = q[:, (0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]
    return out


def _speed(samples: Samples, rows: Rows, body: int, points: Array) -> Array:
    """The velocity of a body at places, one for each row."""
    if body < 0:
        return np.zeros_like(points)
    turning = cross(samples.w[rows, body], points - samples.p[rows, body])
    out: Array = samples.velocity[rows, body] + turning
    return out


# Straps of harnesses and their points: tensions, webbing drawn from devices, and what devices do.

SPOOLS = ("retractor_senses", "retractor_locks")
STRAPS = ("harness_gives_back", "harness_takes_again")
"""Events by what the kernels say has happened."""


def strap_path(name: str) -> str:
    """The path of a strap from `harness.strap`."""
    harness, _, strap = name.partition(".")
    return f"harnesses/{harness}/{strap}"


class Harnesses(Kind):
    """What straps do."""

    group = "harnesses"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the straps."""
        return tuple(name for harness in project.harnesses for name in harness.names_in_results)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give tension and strain of the first and last piece, and webbing drawn at both ends."""
        straps, rows = self.model.system.straps, seen.rows
        last = np.flatnonzero(straps.model.last)
        first = np.concatenate([[0], last[:-1] + 1])
        pieces, ends = samples.pieces[:rows], np.stack([first, last - 1], axis=1)
        drawn = np.zeros((rows, len(last), 2))
        for strap in range(len(last)):
            for side, k in enumerate((first[strap], last[strap])):
                if straps.model.spool[k] >= 0:
                    drawn[:, strap, side] = samples.retractors[:rows, straps.model.spool[k], 0]
        return {
            "tension": pieces[:, ends, TENSION].copy(),
            "strain": pieces[:, ends, STRAIN].copy(),
            "payout": drawn,
        }

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say what retractors sense and lock, and which harness gives back."""
        devices = [strap_path(name) for name, _, _ in devices_of(project)]
        paths = [f"harnesses/{h.id}" for h in project.harnesses]
        return {
            SPOOL_EVENTS: lambda n, what: (SPOOLS[what], devices[n], ()),
            STRAP_EVENTS: lambda n, what: (STRAPS[what], paths[n], ()),
        }


class StrapPoints(Kind):
    """Where points of straps are, and what acts on them."""

    group = "strap_points"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the points: strap and number."""
        straps = [(h, s) for h in project.harnesses for s in h.straps]
        return tuple(f"{h.id}.{s.id}.{i}" for h, s in straps for i in range(len(s.points)))

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give place, force and the tension of the piece that follows; at a last point none does."""
        tension = samples.pieces[: seen.rows, :, TENSION].copy()
        tension[:, np.flatnonzero(self.model.system.straps.model.last)] = 0.0
        return {
            "position": samples.strap_places[: seen.rows].copy(),
            "force": samples.strap_forces[: seen.rows].copy(),
            "tension": tension,
        }
