"""Airbags, belts and harnesses: their rows of the results, and their events.

All is what the engine has found itself: the sum over a bag's touches is the force of its own row.
"""

from __future__ import annotations

from collections.abc import Mapping

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
    S_PRESSURE,
    S_SEMI,
    S_STATE,
    S_TURN,
    S_VOLUME,
    STATES,
)
from solver.engine.forces.airbags.kernels import VENT_OPENED
from solver.engine.forces.straps.arrays import STRAIN, TENSION
from solver.engine.forces.system import BAG_EVENTS, BELT_EVENTS, CAUSES, SPOOL_EVENTS, STRAP_EVENTS
from solver.engine.integrate.samples import Samples
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
    touches = np.flatnonzero(model.system.bags.model.is_panel == 0)
    load = samples.bag_loads[np.ix_(rows, touches if some is None else touches[some])]
    return {"force": load[..., :3], "point": load[..., 3:]}


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
