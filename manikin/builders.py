"""Build models element by element: each call gives another model.

What an element may hold is said by the schema alone (docs/project-file.md): its fields are taken as they
stand there, as plain data or as parts, and checked for type and range at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from solver.base.words import Sentence
from solver.project import Project
from solver.project.changes import value_at, with_value
from solver.project.document import LISTS
from solver.project.inertia import with_filled
from solver.project.problems import ProjectError, error

if TYPE_CHECKING:
    from solver.exchange.shapes.fitting import By, Shape


class Builders:
    """Add elements to a model, and take them away."""

    _project: Project

    def _with(self, project: Project) -> Self:
        """Give a model of the same sort with another project."""
        raise NotImplementedError

    def _added(self, list_: str, id_: str, fields: dict[str, Any]) -> Self:
        there = getattr(self._project, list_)
        if id_ in [one.id for one in there]:
            hint = Sentence(
                "Change it by with_value('{list_}/{id_}/...', ...), or take another id.",
                list_=list_,
                id_=id_,
            )
            sentence = "There is an element with this id already."
            raise ProjectError([error("id-twice", f"{list_}/{id_}", sentence, hint)])
        return self._with(with_value(self._project, list_, [*there, {"id": id_, **fields}]))

    def add_segment(self, id: str, **fields: Any) -> Self:
        """Add a rigid body: `mass_kg`, `inertia_kgm2`, `surfaces`."""
        return self._added("segments", id, fields)

    def add_joint(self, id: str, **fields: Any) -> Self:
        """Add a joint of `parent` and `child`; `kind` is free, locked, ball, pin, universal, euler, slip or six."""
        return self._added("joints", id, fields)

    def add_plane(self, id: str, **fields: Any) -> Self:
        """Add a flat contact surface of a `segment`, with its `placement`."""
        return self._added("planes", id, fields)

    def add_function(self, id: str, **fields: Any) -> Self:
        """Add a curve by its `form`: a table, a polynomial, a pulse."""
        return self._added("functions", id, fields)

    def add_contact_law(self, id: str, **fields: Any) -> Self:
        """Add a law of contacts, belts or harnesses, by its `kind`."""
        return self._added("contact_laws", id, fields)

    def add_contact(self, id: str, **fields: Any) -> Self:
        """Add a pair that may touch, of `kind` plane or surface, with its `law`."""
        return self._added("contacts", id, fields)

    def add_belt(self, id: str, **fields: Any) -> Self:
        """Add a simple belt over one surface."""
        return self._added("belts", id, fields)

    def add_harness(self, id: str, **fields: Any) -> Self:
        """Add `straps` that slip over several segments, with devices at their ends."""
        return self._added("harnesses", id, fields)

    def add_airbag(self, id: str, **fields: Any) -> Self:
        """Add an airbag with its gas, vents, trigger and what it `touches`."""
        return self._added("airbags", id, fields)

    def add_spring(self, id: str, **fields: Any) -> Self:
        """Add a spring, a damper or a bushing, by its `kind`."""
        return self._added("springs", id, fields)

    def add_coordinate_force(self, id: str, **fields: Any) -> Self:
        """Add `laws` on a `coordinate`: an axis of a joint, a distance, a component or an angle."""
        return self._added("coordinate_forces", id, fields)

    def add_tension_element(self, id: str, **fields: Any) -> Self:
        """Add a heavy string."""
        return self._added("tension_elements", id, fields)

    def add_constraint(self, id: str, **fields: Any) -> Self:
        """Add a relation beyond the trees: zero_distance, fixed_distance or roll_slide."""
        return self._added("constraints", id, fields)

    def add_flexible_element(self, id: str, **fields: Any) -> Self:
        """Add a chain of segments slaved to its ends."""
        return self._added("flexible_elements", id, fields)

    def add_motion(self, id: str, **fields: Any) -> Self:
        """Add a prescribed motion of a segment."""
        return self._added("motions", id, fields)

    def add_frame_driver(self, id: str, **fields: Any) -> Self:
        """Add a driver of one `component` of a frame `moved`, as seen from another."""
        return self._added("frame_drivers", id, fields)

    def add_driver(self, id: str, **fields: Any) -> Self:
        """Add a driver, which moves one `axis` of a `joint` as prescribed."""
        return self._added("drivers", id, fields)

    def add_wind(self, id: str, **fields: Any) -> Self:
        """Add a wind on surfaces."""
        return self._added("winds", id, fields)

    def add_load(self, id: str, **fields: Any) -> Self:
        """Add a force or torque by a `history`."""
        return self._added("loads", id, fields)

    def add_marker(self, id: str, **fields: Any) -> Self:
        """Add a marker at `point_m` of a `segment`, that tracks of a test go by."""
        return self._added("markers", id, fields)

    def add_mesh(
        self,
        id: str,
        *,
        segment: str,
        file: Path | str | None = None,
        unit: str = "m",
        **fields: Any,
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

    def add_frame(self, id: str, **fields: Any) -> Self:
        """Add an own frame on a `segment` or within another frame: origin, turn, reversed axis, angles between axes."""
        return self._added("frames", id, fields)

    def add_unit_system(self, id: str, **fields: Any) -> Self:
        """Add an own system of `units`, one of each kind."""
        return self._added("unit_systems", id, fields)

    def add_symmetry(self, id: str, **fields: Any) -> Self:
        """Add segments that are held symmetrical, to a plane or to each other."""
        return self._added("symmetry", id, fields)

    def add_output(self, id: str, **fields: Any) -> Self:
        """Add channels or an injury figure, by the `kind` of what is recorded."""
        return self._added("outputs", id, fields)

    def add_run(self, id: str, **fields: Any) -> Self:
        """Add a way to solve: `duration_s`, `integrator`, rates of frames and channels."""
        return self._added("runs", id, fields)

    def add_study(self, id: str, **fields: Any) -> Self:
        """Add a study by its `kind`, with its `parameters` and `responses` (docs/studies.md)."""
        return self._added("studies", id, fields)

    def start_joint(self, joint: str, values: Sequence[float], rates: Sequence[float] = ()) -> Self:
        """Set coordinates and rates of a joint at the start (m, rad and per second)."""
        return self._started(
            "joints", "joint", {"joint": joint, "values": tuple(values), "rates": tuple(rates)}
        )

    def start_root(self, segment: str, **fields: Any) -> Self:
        """Place a tree's root at the start: `position_m`, `velocity_m_per_s`, `relative_to`, `moves_with`."""
        return self._started("roots", "segment", {"segment": segment, **fields})

    def start_attitude(self, segment: str, **fields: Any) -> Self:
        """Turn a segment at the start: `orientation`, `angular_velocity_rad_per_s`, `relative_to`."""
        return self._started("attitudes", "segment", {"segment": segment, **fields})

    def _started(self, list_: str, key: str, fields: dict[str, Any]) -> Self:
        """Put one start in the place of that of the same joint or segment."""
        there = getattr(self._project.initial, list_)
        others = tuple(one for one in there if getattr(one, key) != fields[key])
        return self._with(with_value(self._project, f"initial/{list_}", [*others, fields]))

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
