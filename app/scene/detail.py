"""Choose with how many points round things are drawn: no more than can be seen."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np

from app.scene.drawn import SOFT, Drawn
from app.scene.lens import Lens
from solver.engine.maths.rotation import Array
from solver.scene.meshes import Mesh, faceted

LEVELS = (8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96)
"""Points on a ring."""
_OFF_PX = 0.5
"""How far an outline may lie inside the true one."""
_TOO_FINE = 1.9
"""How many times too many points are kept, so that a slow zoom does not change them all the time."""
_SHEET_M = 0.5
"""Largest edge of a piece of a sheet: clear pieces are drawn in the order of their distance."""


def enough(radii_px: Array, now: Sequence[int]) -> list[int]:
    """Give the points on rings with radii in pixels; `now` are those of the last picture, or 0."""
    # a chord over the angle 2 pi / n lies r (1 - cos(pi / n)) inside
    needed = np.pi / np.sqrt(2.0 * _OFF_PX / np.maximum(radii_px, _OFF_PX))
    kept = np.array(now)
    # what has become too coarse is likely to come nearer still
    wanted = np.where(kept > 0, 1.2 * needed, needed)
    chosen = np.array(LEVELS)[np.searchsorted(LEVELS[:-1], wanted)]
    stays = (kept >= needed) & (kept <= _TOO_FINE * needed)
    return [int(n) for n in np.where(stays, kept, chosen)]


class Details:
    """Give the mesh with which each item is drawn, and remember how fine it was."""

    def __init__(self) -> None:
        self._levels: dict[Drawn, tuple[int, int]] = {}

    def meshes(
        self, items: Sequence[Drawn], lens: Lens, *, keep: bool = False
    ) -> dict[Drawn, Mesh]:
        """Give a mesh with normals for each item but webbing and links; round ones as seen, or as they were."""
        out: dict[Drawn, Mesh] = {}
        globes = []
        for item in items:
            mesh, kind = item.shape.mesh, item.shape.kind
            if kind == "bag" and item.laid is not None:
                out[item] = item.laid.mesh
            elif item.shape.round is not None:
                if keep and item in self._levels:
                    out[item] = item.shape.round.mesh(*self._levels[item])
                else:
                    globes.append((item, item.shape.round))
            elif kind not in SOFT:
                sheet = _SHEET_M if kind == "plane" else np.inf
                out[item] = mesh if mesh.normals is not None else faceted(mesh, sheet)
        if globes:
            centres = np.array([item.at.p_W + item.at.R_WS @ r.centre for item, r in globes])
            scale = lens.scale_at(centres)
            now = [self._levels.get(item, (0, 0)) for item, _ in globes]
            chosen = zip(
                enough(scale * [r.waist for _, r in globes], [n[0] for n in now]),
                enough(scale * [r.reach for _, r in globes], [n[1] for n in now]),
                strict=True,
            )
            for (item, made), levels in zip(globes, chosen, strict=True):
                self._levels[item] = levels
                out[item] = made.mesh(*levels)
        return out

    def keep(self, items: Container[Drawn]) -> None:
        """Forget all other items."""
        self._levels = {item: n for item, n in self._levels.items() if item in items}
