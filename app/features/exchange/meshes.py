"""Meshes of files on segments, and surfaces that are fitted to them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.command import Command
from app.elements import element_label
from app.features.feature import Feature
from app.widgets.asking import ask_for_item
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.project.segments import GROUND

if TYPE_CHECKING:
    from solver.exchange.shapes.fitting import Shape

_FILES = msgid("Meshes (*.stl *.obj *.gltf *.glb);;All files (*)")


class Meshes(Feature):
    """Show meshes of files on segments, and fit surfaces to them."""

    name = "meshes"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            Command(
                "place.mesh",
                tr("Mesh of a fi&le…"),
                tr("Show a mesh (STL, OBJ, glTF) on the selected segment; the project keeps it."),
                self.ask_for_file,
                enabled=bench.has_project,
            ),
            Command(
                "place.fit_ellipsoid",
                tr("Fit an &ellipsoid to the mesh"),
                tr("Give the segment of the selected mesh an ellipsoid of its form."),
                partial(self.fit, "ellipsoid"),
                enabled=lambda: bool(self._mesh()),
            ),
            Command(
                "place.fit_hyperellipsoid",
                tr("Fit a &hyperellipsoid to the mesh"),
                tr("Give the segment of the selected mesh a hyperellipsoid, which may be like a box."),
                partial(self.fit, "hyperellipsoid"),
                enabled=lambda: bool(self._mesh()),
            ),
        )  # fmt: skip

    def _mesh(self) -> str:
        """Name the selected mesh; empty where none is."""
        list_, _, id_ = self.bench.document.selection.partition("/")
        return id_ if list_ == "meshes" else ""

    def ask_for_file(self) -> None:
        """Let people choose a file and the unit of its lengths."""
        from solver.exchange.shapes.reading import UNITS

        path = self.bench.document.path
        start = str(path.parent if path else Path.home())
        name = self.bench.ask_file("mesh", tr("Mesh of a file"), tr(_FILES), start)
        if not name:
            return
        title, words = tr("Mesh of a file"), tr("Lengths in the file are in:")
        usual = 0 if Path(name).suffix.lower() in (".gltf", ".glb") else 2
        ask_for_item(
            self.bench.window, title, words, list(UNITS), usual, partial(self.take, Path(name))
        )

    def take(self, file: Path, unit: str) -> None:
        """Put a file's mesh onto the selected segment, else onto the ground."""
        from solver.exchange.shapes import MeshError, with_mesh

        document = self.bench.document
        list_, _, id_ = document.selection.partition("/")
        segment = id_.split("/")[0] if list_ == "segments" and id_ else GROUND
        try:
            project, name = with_mesh(document.project, segment, file, unit)
        except MeshError as failure:
            self.bench.notice.say(str(failure))
            return
        document.replace(project, tr("Add mesh {name}", name=name), select=[f"meshes/{name}"])
        if segment == GROUND:
            self.bench.say(tr("The mesh is on the ground: choose its segment in its fields."))

    def fit(self, shape: Shape) -> None:
        """Fit a surface to the selected mesh, and say how far off it is."""
        from solver.exchange.shapes import MeshError, fitted_to

        document, mesh = self.bench.document, self._mesh()
        try:
            project, name, found = fitted_to(document.project, mesh, shape)
        except MeshError as failure:
            self.bench.notice.say(str(failure))
            return
        segment = next(one.segment for one in project.meshes if one.id == mesh)
        path = f"segments/{segment}"
        document.replace(project, tr("Fit {name} to the mesh", name=name), select=[path])
        self.bench.say(
            tr(
                "{segment} has the surface {name}: the mesh is {rms:.2g} mm off it in the mean, {worst:.2g} mm at most.",
                segment=element_label(project, path),
                name=name,
                rms=1e3 * found.rms_m,
                worst=1e3 * found.worst_m,
            )
        )
