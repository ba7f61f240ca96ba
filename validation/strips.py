"""Pictures of a run at some instants, side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

import manikin as mk
from solver.project.document import Project
from solver.report.scene import cameras, drawn, scenes


def draw(axes: Axes, project: Project, run: mk.Run, at_ms: Sequence[float]) -> None:
    """Draw a run from the side at instants."""
    time = np.asarray(run.time)
    frames = [int(np.argmin(np.abs(time - 1e-3 * ms))) for ms in at_ms]
    shots = scenes(project, run.trajectory, frames)
    looks = cameras(project, shots, "side")
    axes.imshow(np.concatenate([drawn(shot, look, 300) for shot, look in zip(shots, looks, strict=True)], axis=1))  # fmt: skip
    axes.set_axis_off()
    axes.set_title(", ".join(f"{ms:g}" for ms in at_ms) + " ms", fontsize=9)
