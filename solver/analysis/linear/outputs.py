"""Outputs of linear equations: any quantity of a run, and the channels that a project records.

Each state near the instant is made into a frame as those of a run are, and the quantity is read from there by
the name that it has in results (results-file.md): `segments/head[0,0,0.1]/acceleration/x`, `joints/neck/angle/1`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.analysis.linear.refusal import LinearError
from solver.analysis.linear.standing import Standing
from solver.engine.dynamics.tree import Array
from solver.engine.integrate.samples import Samples
from solver.project.canonical import to_json
from solver.results.memory import MemoryTrajectory
from solver.results.quantities import Quantities
from solver.running.outputs.channels import Last, channels
from solver.running.outputs.frames import Frames, ids
from solver.running.outputs.kinematics import Kinematics

NO_GROUPS = ("energy", "integrator", "drivers")
"""Groups of results that hold sums over a run, steps, or what drivers bear; small motions say nothing of them."""


class Outputs:
    """Read named quantities from samples of states near an instant."""

    def __init__(self, standing: Standing, names: Sequence[str]) -> None:
        self._standing = standing
        for name in names:
            if name.partition("/")[0] in NO_GROUPS:
                raise LinearError(
                    "'{name}' is no output of linear equations: what a run adds up, its steps and the loads of drivers are left out.",
                    name=name,
                )
        one = standing.sampled(1)
        standing.keep(one, 0)
        found = self._quantities(one, 1) if names else None
        self.names: tuple[str, ...] = () if found is None else found.matching(names)
        self.units = () if found is None else tuple(found.about(n).unit for n in self.names)

    def values(self, samples: Samples, rows: int) -> Array:
        """Give all quantities (rows, outputs)."""
        if not self.names:
            return np.zeros((rows, 0))
        found = self._quantities(samples, rows)
        return np.array([found(name).value for name in self.names]).T

    def _quantities(self, samples: Samples, rows: int) -> Quantities:
        model = self._standing.model
        made = [c for c in channels(model) if c.specs]
        specs = [spec for one in made for spec in one.specs]
        memory = MemoryTrajectory(
            ids(model), specs, to_json(model.project, embed_curves=True).encode()
        )
        seen = Kinematics(model, model.modes().at(rows), samples, rows)
        frames = Frames(model)
        block = frames.block(seen, samples)
        bodies = frames.at_frames(seen, samples, np.arange(rows))
        groups = dict.fromkeys((*block, *bodies))
        whole = {g: {**block.get(g, {}), **bodies.get(g, {})} for g in groups}
        time = np.arange(rows, dtype=float)
        memory.add_frames(time, whole)
        for one in made:
            last: Last = {}
            for spec, value in zip(one.specs, one.values(seen, samples, block, last), strict=True):
                memory.add_samples(spec.name, time, value)
        return Quantities(memory)
