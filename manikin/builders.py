"""Build models element by element: each call gives another model.

What an element may hold is said by the schema alone (docs/project-file.md): its fields are taken as they
stand there, as plain data (`manikin.schema`), parts of another model or arrays, and checked for type and range at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack, overload

from manikin.adding import Adding
from manikin.signatures import described
from solver.base.words import Sentence
from solver.project import Project
from solver.project.changes import checked, plain, value_at, with_value
from solver.project.document import LISTS
from solver.project.inertia import with_filled
from solver.project.problems import ProjectError, error
from solver.project.segments import GROUND
from solver.project.solids import Solids, moments

if TYPE_CHECKING:
    from manikin.schema.fields import Element
    from manikin.schema.geometry import Frame
    from manikin.schema.motions import AttitudeStart, RootStart
    from manikin.schema.numbers import Numbers
    from manikin.schema.segments import Segment, SegmentMesh
    from manikin.schema.solids import Solid
    from solver.exchange.shapes.fitting import By, Shape
    from solver.project.geometry import Frame as PlacedFrame

MeshUnit = Literal["m", "cm", "mm", "in", "ft"]
_INERTIA = {"inertia_kgm2", "principal_axes", "products_kgm2"}
"""Fields of a segment that its largest surface gives where none of them is given."""


class Builders(Adding):
    """Add elements to a model, and take them away."""

    _project: Project

    def _with(self, project: Project) -> Self:
        """Give a model of the same sort with another project."""
        raise NotImplementedError

    def _added(self, list_: str, id_: str, fields: Mapping[str, object]) -> Self:
        there = getattr(self._project, list_)
        if id_ in [one.id for one in there]:
            hint = Sentence(
                "Change it by with_value('{list_}/{id_}/...', ...), or take another id.",
                list_=list_,
                id_=id_,
            )
            sentence = "There is an element with this id already."
            raise ProjectError([error("id-twice", f"{list_}/{id_}", sentence, hint)])
        return self._with(with_value(self._project, list_, [*there, plain({"id": id_, **fields})]))

    @described("segments", shape="Solid | None")
    def add_segment(
        self, id: str, *, shape: Solid | None = None, **fields: Unpack[Segment]
    ) -> Self:
        """Add a rigid body.

        Moments of inertia that are not given follow from its mass and a `shape` that is evenly filled (an ellipsoid,
        a cylinder or a box), without one from its largest surface; the model keeps the numbers.

        >>> rod = mk.schema.CylinderSolid(kind="cylinder", radius_m=0.02, length_m=1.0)
        >>> model = mk.new().add_segment("rod", mass_kg=3.0, shape=rod)
        >>> [round(moment, 6) for moment in model.value("segments/rod/inertia_kgm2")]
        [0.2503, 0.2503, 0.0006]
        """
        given: dict[str, Any] = plain(fields)
        if shape is not None:
            if {"inertia_kgm2", "products_kgm2"} & given.keys():
                sentence = (
                    "Moments of inertia are given, and also a shape that they would follow from."
                )
                hint = "Leave out one of the two."
                raise ProjectError([error("set-path", f"segments/{id}/shape", sentence, hint)])
            solid = checked(Solids, {"shape": plain(shape)}, f"segments/{id}").shape
            mass = given.get("mass_kg")
            given["inertia_kgm2"] = moments(solid, mass if isinstance(mass, int | float) else 0.0)
        elif given.get("surfaces") and not _INERTIA & given.keys():
            return self._added("segments", id, {**given, "inertia_kgm2": (0.0, 0.0, 0.0)}).fill(id)
        return self._added("segments", id, given)

    @overload
    def add_mesh(self, id: str, **fields: Unpack[SegmentMesh]) -> Self: ...

    @overload
    def add_mesh(
        self,
        id: str,
        *,
        segment: str,
        file: Path | str,
        unit: MeshUnit = "m",
        frame: Frame | PlacedFrame = ...,
        **fields: Unpack[Element],
    ) -> Self: ...

    def add_mesh(
        self,
        id: str,
        *,
        segment: str = GROUND,
        file: Path | str | None = None,
        unit: str = "m",
        **fields: object,
    ) -> Self:
        """Show the mesh of a file (STL, OBJ, glTF; lengths in m, cm, mm, in or ft) on a segment; raises MeshError.

        It is kept in the model itself; without a file its packed points and triangles are fields. Nothing
        touches it: `fit_surface` gives the segment a surface like it.
        """
        if file is None:
            return self._added("meshes", id, {"segment": segment, **fields})
        from solver.exchange.shapes import with_mesh

        return self._with(with_mesh(self._project, segment, file, unit, id, **fields)[0])

    def fit_surface(self, mesh: str, shape: Shape = "ellipsoid", by: By = "surface") -> Self:
        """A mesh's segment an ellipsoid or hyperellipsoid that is fitted to it; raises MeshError.

        `surface`: least squares of the points' distances along rays from the centre. `inertia`: an ellipsoid with
        the mean squares of the mesh's inside, which must be closed.
        """
        from solver.exchange.shapes import fitted_to

        return self._with(fitted_to(self._project, mesh, shape, by)[0])

    def fill(self, segment: str, density_kg_per_m3: float | None = None) -> Self:
        """Give a segment the moments of its largest surface, evenly filled, and its mass of a density.

        Without a density the mass stays. The moments are about the surface's own centre, taken as the mass centre.
        """
        return self._with(with_filled(self._project, segment, density_kg_per_m3))

    def start_joint(self, joint: str, values: Numbers, rates: Numbers = ()) -> Self:
        """Set coordinates and rates of a joint at the start (m, rad and per second)."""
        return self._started(
            "joints", "joint", {"joint": joint, "values": tuple(values), "rates": tuple(rates)}
        )

    def start_root(self, segment: str, **fields: Unpack[RootStart]) -> Self:
        """Place a tree's root at the start: `position_m`, `velocity_m_per_s`, `relative_to`, `moves_with`."""
        return self._started("roots", "segment", {"segment": segment, **fields})

    def start_attitude(self, segment: str, **fields: Unpack[AttitudeStart]) -> Self:
        """Turn a segment at the start: `orientation`, `angular_velocity_rad_per_s`, `relative_to`."""
        return self._started("attitudes", "segment", {"segment": segment, **fields})

    def _started(self, list_: str, key: str, fields: Mapping[str, object]) -> Self:
        """Put one start in the place of that of the same joint or segment."""
        there = getattr(self._project.initial, list_)
        others = tuple(one for one in there if getattr(one, key) != fields[key])
        return self._with(with_value(self._project, f"initial/{list_}", [*others, plain(fields)]))

    def without(self, path: str) -> Self:
        """The model without an element: `contacts/head-panel`. What refers to it is not touched.

        >>> mk.sample("double_pendulum").without("outputs/0").project.outputs[0].id
        'elbow_angle'
        """
        list_, _, id_ = path.strip("/").partition("/")
        if list_ not in LISTS or not id_ or "/" in id_:
            sentence = "Only an element of one of the model's lists can be taken away."
            raise ProjectError([error("set-path", path, sentence, "Write contacts/head-panel.")])
        gone = value_at(self._project, path)
        rest = tuple(one for one in getattr(self._project, list_) if one is not gone)
        return self._with(with_value(self._project, list_, rest))
