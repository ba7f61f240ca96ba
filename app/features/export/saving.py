"""Write a run's moving scene into a file, by its ending: for the command line, the window and the library alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app import texts
from app.features.export.gltf import write_gltf, write_vtkhdf
from app.features.export.moving import moving, worn_by
from app.features.export.page import write_page
from app.run_view.cameras import CameraError, Cameras, keyed_for
from solver.base.words import tr
from solver.project import Project
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory

ENDINGS = (".glb", ".gltf", ".vtkhdf", ".html")
SPEED = 0.05
"""Seconds of the run that last one second in a viewer."""


class SceneError(Exception):
    """Say in one sentence why a scene cannot be written."""


def save_scene(
    project: Project,
    run: Trajectory,
    file: Path,
    rides_on: str = GROUND,
    speed: float = SPEED,
    tell: Callable[[int, int], None] | None = None,
    *,
    units: str = "metric",
    label: str = "",
    standards: Sequence[str] = (),
    cameras: Cameras | Path | None = None,
    around: bool = True,
) -> None:
    """Write a run's moving scene into a file, by its ending; a page has curves in `units` and figures by `standards`, it and glTF keyed `cameras`, or those of a project's file.

    With `around`, pages and glTF show people with skins, planes as what they stand for, and what usually stands around.
    """
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise SceneError(
            tr(
                "'{name}' must end in .html (a page that plays), .glb or .gltf (glTF), or in .vtkhdf (ParaView).",
                name=file.name,
            )
        )
    if not len(run.time):
        raise SceneError(tr("The results hold no instants; there is nothing to write."))
    if isinstance(cameras, Path):
        try:
            cameras = keyed_for(cameras)
        except CameraError as failure:
            raise SceneError(str(failure)) from None
    key = None if cameras is None else cameras.at(float(run.time[0]))
    if key is not None:
        if ending == ".vtkhdf":
            raise SceneError(tr("ParaView has cameras of its own; keyed ones are for a page and for glTF, which '{name}' is not.", name=file.name))  # fmt: skip
        rides_on = key.rider if key.rider in run.segment_ids else GROUND
    furnished = around and ending != ".vtkhdf"
    directed = ending != ".vtkhdf"
    scene = moving(project, run, rides_on, tell, cameras, furnished=furnished, directed=directed)
    try:
        if ending == ".html":
            write_page(
                project, run, scene, file, speed=speed, units=units, label=label, standards=standards,
            )  # fmt: skip
        elif ending != ".vtkhdf":
            worn, scene = worn_by(project, scene) if furnished else ([], scene)
            write_gltf(scene, file, speed, project.title, worn)
        else:
            write_vtkhdf(scene, file)
    except OSError as failure:
        raise SceneError(
            tr(texts.words.CANNOT_WRITE, file=file, why=failure.strerror or failure)
        ) from None
