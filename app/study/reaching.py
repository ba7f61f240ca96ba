"""Choose the joints of which the scene shows what they may do: those that are selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.document import Document
from app.scene.viewport import Viewport
from app.study.overlays import Overlays

if TYPE_CHECKING:
    from app.study.playback import Playback

MOST = 4
"""Of more selected joints only the one selected last is shown: arcs over arcs tell nothing."""


def selected_joints(document: Document) -> tuple[str, ...]:
    """Name the selected joints that are shown."""
    chosen = [one for one in dict.fromkeys(document.chosen) if one.startswith("joints/")]
    if len(chosen) > MOST:
        chosen = [one for one in chosen if one == document.selection]
    return tuple(one.partition("/")[2] for one in chosen)


def show_reaches(
    document: Document, overlays: Overlays, playback: Playback | None, viewport: Viewport
) -> None:
    """Let the scene, of the model or of a run, show what the selected joints may do, where that is wanted."""
    joints = selected_joints(document)
    if playback is not None:
        playback.joints = joints
    viewport.show_reaches(joints if overlays.reach else (), overlays.system)
