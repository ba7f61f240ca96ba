"""Straps of harnesses and their points: tensions, webbing drawn from devices, and what devices do."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.engine.forces.straps.arrays import STRAIN, TENSION
from solver.engine.forces.system import SPOOL_EVENTS, STRAP_EVENTS
from solver.engine.integrate.samples import Samples
from solver.model.devices import devices_of
from solver.project.document import Project
from solver.running.outputs.kind import Columns, Kind, Source
from solver.running.outputs.kinematics import Kinematics

SPOOLS = ("retractor_senses", "retractor_locks")
STRAPS = ("harness_gives_back", "harness_takes_again")
"""Events by what the kernels say has happened."""


def strap_path(name: str) -> str:
    """Give the path of a strap from `harness.strap`."""
    harness, _, strap = name.partition(".")
    return f"harnesses/{harness}/{strap}"


class Harnesses(Kind):
    """Give what straps do."""

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
                    drawn[:, strap, side] = samples.spools[:rows, straps.model.spool[k], 0]
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
    """Give where points of straps are, and what acts on them."""

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
