"""Mirror elements left and right, in the plane of x and z: onto their twins, or as new elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from solver.base.words import tr
from solver.bodies.body import mirrored_point, mirrored_turn
from solver.editing.elements import find
from solver.editing.mirror_closures import mirrored_coupling, mirrored_curve
from solver.editing.mirror_joints import (
    mirrored_force,
    mirrored_laws,
    mirrored_values,
    other_side,
    other_side_text,
    sign_of_axis,
)
from solver.editing.naming import free_id, taken
from solver.project import LISTS, Project
from solver.project.beams import Beam
from solver.project.closures import PointOnCurve
from solver.project.coordinate_forces import (
    CoordinateForce,
)
from solver.project.couplings import COUPLINGS
from solver.project.expanding import MADE_OF, expanded
from solver.project.fields import Part
from solver.project.geometry import Orientation, upright
from solver.project.merging import shifted_part
from solver.project.modal import BeamShapes, ModalBody
from solver.project.motions import (
    AttitudeStart,
    ConstantHistory,
    Driver,
    DriverBase,
    FrameDriver,
    History,
    Initial,
    JointStart,
    RootStart,
)
from solver.project.pose import Placed, moved_at_start
from solver.project.references import Key, made_of, redirected_part
from solver.project.segments import GROUND, Plane, Segment, ThreePoints
from solver.project.tyres import Tyre
from solver.scene.placing import pose_at_start

_POINTS = {
    "position_m", "point_m", "centre_m", "fixed_point_m", "deployment_point_m", "p1_m", "p2_m",
    "p3_m", "side_m", "direction", "preferred_direction", "velocity_m_per_s", "centre_offset_m",
}  # fmt: skip
"""Fields that are places or directions; sizes and moments are the same on both sides."""


_TURNS = {"axle", "angular_velocity_rad_per_s"}
"""Fields about which something turns: the other way round about x and z."""

_ROWS = {"curve_m": 1.0, "shapes_m": 1.0, "pairs_m": 1.0, "turns_rad": -1.0}
"""Fields that are rows of places, of shifts or of turns, with the sign of these in the mirror."""

OTHER_ENDS = {"both": "both", "first": "second", "second": "first"}

_SIDED = {
    "segments", "joints", "planes", "contacts", "belts", "harnesses", "airbags", "springs",
    "coordinate_forces", "tension_elements", "constraints", "drivers", "frame_drivers", "loads", "markers", "outputs",
    "beams", "crash_frames", "modal_bodies", "tyres",
}  # fmt: skip
"""Lists whose elements can stand on one side."""


class CannotMirror(ValueError):
    """Say in a sentence why something has no mirror image."""


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The project, the twins that were written, and which of them are new."""

    project: Project
    paths: tuple[str, ...]
    made: tuple[str, ...]


def mirrored(project: Project, paths: Sequence[str]) -> Mirrored:
    """Write the mirror image of elements on the other side; joints go with the segments they carry.

    A twin is the segment that a segment names, or what has the same id with left and right
    exchanged. What has no twin gets one, depended on the twin of what carries it. Raises CannotMirror.
    """
    wanted = list(dict.fromkeys(path for path in paths if "/" in path))
    for joint in project.joints:
        if f"segments/{joint.child}" in wanted and f"joints/{joint.id}" not in wanted:
            wanted.append(f"joints/{joint.id}")
    if not wanted:
        raise CannotMirror(tr("Select what shall be mirrored: a limb, a plane, a belt."))
    names = _names(project, wanted)
    ids = twins(project, names)
    made, written = [], []
    out = project
    for path in wanted:
        list_name, _, id_ = path.partition("/")
        item = find(project, path)
        if item is None or list_name not in _SIDED:
            raise CannotMirror(tr("'{name}' has no place, and so no mirror image.", name=id_))
        twin = names[list_name][id_]
        copy = image(item, ids).model_copy(update={"id": twin})
        there: Any = find(project, f"{list_name}/{twin}")
        if list_name == "segments":
            copy = copy.model_copy(update={"surfaces": _surfaces(copy, there), "mirror": id_})
            original: Any = find(out, path)
            out = _put(out, list_name, original.model_copy(update={"mirror": twin}))
        elif list_name == "joints":
            before = {function.id for function in out.functions}
            out, copy = mirrored_laws(out, copy)
            made += [f"functions/{f.id}" for f in out.functions if f.id not in before]
        elif isinstance(item, Driver):
            copy = mirrored_driver(find(project, f"joints/{item.joint}"), copy)
        elif isinstance(item, FrameDriver):
            copy = mirrored_frame_driver(copy)
        elif isinstance(item, CoordinateForce):
            before = {function.id for function in out.functions}
            out, force = mirrored_force(out, item)
            copy = image(force, ids).model_copy(update={"id": twin})
            made += [f"functions/{f.id}" for f in out.functions if f.id not in before]
        elif isinstance(item, COUPLINGS):
            before = {function.id for function in out.functions}
            out, copy = mirrored_coupling(out, item, copy)
            made += [f"functions/{f.id}" for f in out.functions if f.id not in before]
        elif isinstance(item, PointOnCurve):
            copy = mirrored_curve(copy)
        if there is None:
            made.append(f"{list_name}/{twin}")
        name = there.name if there is not None else other_side_text(copy.name)
        copy = copy.model_copy(update={"name": name})
        out = _put(out, list_name, copy)
        written.append(f"{list_name}/{twin}")
    out = _with_start(project, out, names)
    return Mirrored(out, tuple(written), tuple(made))


def mirrored_about(
    project: Project, paths: Sequence[str], axis: int, at_m: float, carrier: str = GROUND
) -> Mirrored:
    """The mirror image of elements about a plane across an axis of a carrier (0 for x, 1 for y), at a place along it (m).

    It is the image that `mirrored` makes in each carrier's own plane of x and z, turned and shifted to where it belongs.
    """
    done = mirrored(project, paths)
    pose = pose_at_start(project)
    at = pose[carrier]
    normal = at.R_WS[:, axis]
    over = np.eye(3) - 2.0 * np.outer(normal, normal)
    far = 2.0 * (float(normal @ at.p_W) + at_m) * normal
    new = {path.partition("/")[2] for path in done.paths if path.startswith("segments/")}
    on = {
        name: Placed(one.R_WS.T @ over @ one.R_WS @ _MIRROR, one.R_WS.T @ (over @ one.p_W + far - one.p_W))
        for name, one in pose.items()
        if name not in new
    }  # fmt: skip
    out, written = done.project, set(done.paths)
    update: dict[str, Any] = {
        name: tuple(shifted_part(x, on) if f"{name}/{x.id}" in written else x for x in getattr(out, name))
        for name in LISTS
    }  # fmt: skip
    initial = out.initial
    update["initial"] = initial.model_copy(
        update={
            name: tuple(shifted_part(x, on) if x.segment in new else x for x in getattr(initial, name))
            for name in ("roots", "attitudes")
        }
    )  # fmt: skip
    return Mirrored(out.model_copy(update=update), done.paths, done.made)


def twin_of(project: Project, path: str) -> str:
    """Name the element on the other side that exists; the element itself in the middle; '' for none."""
    list_name, _, id_ = path.partition("/")
    item: Any = find(project, path)
    named = getattr(item, "mirror", None)
    for other in (named, other_side(id_)):
        if other and find(project, f"{list_name}/{other}") is not None:
            return str(other)
    return ""


def _names(project: Project, wanted: Sequence[str]) -> dict[str, dict[str, str]]:
    """Give for every element that is mirrored the id of its twin, there already or free."""
    names: dict[str, dict[str, str]] = {name: {} for name in LISTS}
    for path in wanted:
        list_name, _, id_ = path.partition("/")
        twin = twin_of(project, path)
        if not twin or twin == id_:
            other = other_side(id_)
            used = taken(project, list_name) | set(names[list_name].values())
            twin = free_id(other if other != id_ else f"{id_}_mirrored", used)
        names[list_name][id_] = twin
    return names


def twins(project: Project, names: Mapping[str, Mapping[str, str]] | None = None) -> dict[Key, Key]:
    """What references become: twins that are written, else twins that are there already."""
    ids: dict[Key, Key] = {}
    for list_name in ("segments", "joints", "planes"):
        for item in getattr(project, list_name):
            named = (names or {}).get(list_name, {})
            twin = named.get(item.id) or twin_of(project, f"{list_name}/{item.id}")
            if not twin or twin == item.id:
                continue
            ids[list_name, item.id] = (list_name, twin)
            if list_name == "segments":
                there: Any = find(project, f"segments/{twin}")
                for old, new in zip(item.surfaces, _surfaces(item, there), strict=True):
                    ids["surfaces", item.id, old.id] = ("surfaces", twin, new.id)
    return ids | {key: (key[0], new) for key, new in _pieces(project, names or {}).items()}


def _pieces(project: Project, names: Mapping[str, Mapping[str, str]]) -> dict[tuple[str, str], str]:
    """Name what takes the place of each piece of beams and crash frames: that of the twin."""
    out: dict[tuple[str, str], str] = {}
    for list_name in MADE_OF:
        for item in getattr(project, list_name):
            written = names.get(list_name, {}).get(item.id)
            twin = written or twin_of(project, f"{list_name}/{item.id}")
            if not twin or twin == item.id:
                continue
            out[list_name, item.id] = twin
            there = set(made_of(project, (list_name, twin)))
            for into, piece in made_of(project, (list_name, item.id)):
                other = twin + piece[len(item.id) :]
                if written or (into, other) in there:
                    out[into, piece] = other
    return out


def _surfaces(segment: Any, there: Any) -> tuple[Any, ...]:
    """Give a segment's surfaces the ids of those of its twin, in their order, or ids of the other side."""
    known = [surface.id for surface in there.surfaces] if there is not None else []
    out: list[Any] = []
    for number, surface in enumerate(segment.surfaces):
        used = {one.id for one in out} | set(known)
        id_ = known[number] if number < len(known) else free_id(other_side(surface.id), used)
        out.append(surface.model_copy(update={"id": id_}))
    return tuple(out)


def image(part: Part, ids: Mapping[Key, Key]) -> Any:
    """The mirror image of a part and all within, referring to the other side."""
    return _reflected(redirected_part(part, ids))


def _reflected(part: Any) -> Any:
    if isinstance(part, Orientation):
        return mirrored_turn(part)
    if isinstance(part, tuple):
        return tuple(_reflected(one) for one in part)
    if not isinstance(part, Part):
        return part
    update: dict[str, Any] = {}
    for name in type(part).model_fields:
        value = getattr(part, name)
        if name in _ROWS:
            sign = _ROWS[name]
            update[name] = tuple(
                (sign * x + 0.0, 0.0 - sign * y, sign * z + 0.0) for x, y, z in value
            )
        elif name in _TURNS and isinstance(part, Beam | Tyre):
            update[name] = (0.0 - value[0], value[1], 0.0 - value[2])
        elif name in _POINTS and isinstance(value, tuple):
            x, y, z = mirrored_point(value)
            # the axis of a torque is turned the other way round
            axial = name == "direction" and getattr(part, "kind", "") == "torque"
            update[name] = (0.0 - x, 0.0 - y, 0.0 - z) if axial else (x, y, z)
        elif isinstance(value, Part | tuple):
            update[name] = _reflected(value)
    if isinstance(part, Segment):
        # products with one y in them change sign; less zero stays zero
        xy, xz, yz = part.products_kgm2
        update["products_kgm2"] = (0.0 - xy, xz, 0.0 - yz)
    if isinstance(part, ThreePoints):
        # the second and third corner change places, so that the front stays the front
        update["p2_m"], update["p3_m"] = update["p3_m"], update["p2_m"]
    if isinstance(part, Plane) and isinstance(part.placement, ThreePoints):
        update["ends"] = OTHER_ENDS[part.ends]
    if isinstance(part, ModalBody) and part.start_m and isinstance(part.shapes, BeamShapes):
        # its own y is turned round, and so is what bends along it; and twist
        s = part.shapes
        signs = (s.bending_y, -1.0), (s.bending_z, 1.0), (s.twist, -1.0), (s.stretch, 1.0)
        each = [sign for count, sign in signs for _ in range(count)]
        if len(each) == len(part.start_m):
            update["start_m"] = tuple(x * y + 0.0 for x, y in zip(each, part.start_m, strict=True))
    return part.model_copy(update=update)


def _put(project: Project, list_name: str, item: Any) -> Project:
    items = getattr(project, list_name)
    if any(one.id == item.id for one in items):
        items = tuple(item if one.id == item.id else one for one in items)
    else:
        items = (*items, item)
    return project.model_copy(update={list_name: items})


def _with_start(project: Project, out: Project, names: Mapping[str, Mapping[str, str]]) -> Project:
    """Start the twins as mirror images of what they are twins of."""
    return out.model_copy(update={"initial": mirrored_start(project, out, names)})


D = TypeVar("D", bound=DriverBase)


def mirrored_frame_driver(driver: FrameDriver) -> FrameDriver:
    """A driver of the mirror image of a component, whose frames are mirrored by others."""
    return _turned(driver) if driver.component in ("y", "yaw", "roll") else driver


def mirrored_driver(joint: Any, driver: Driver) -> Driver:
    """A driver of the joint's mirror image."""
    return driver if sign_of_axis(joint, driver.axis) > 0.0 else _turned(driver)


def _turned(driver: D) -> D:
    """Give a driver that moves its coordinate the other way."""
    pulse = driver.pulse
    match pulse:
        case History():
            size = "scale"
        case ConstantHistory():
            size = "value"
        case _:
            size = "amplitude"
    turned: dict[str, Any] = {
        "pulse": pulse.model_copy(update={size: 0.0 - getattr(pulse, size)}),
        "start_rate": 0.0 - driver.start_rate,
    }
    if driver.start_value is not None:
        turned["start_value"] = 0.0 - driver.start_value
    return driver.model_copy(update=turned)


_MIRROR = np.diag([1.0, -1.0, 1.0])


def mirrored_start(
    project: Project, out: Project, names: Mapping[str, Mapping[str, str]]
) -> Initial:
    """The start of `out`, in which the twins in `names` stand as mirror images.

    Joints get mirrored coordinates; a segment that had an attitude gets the mirrored one, counted
    from ground; a root is mirrored in the ground's plane of x and z.
    """
    pose, moved, initial = pose_at_start(project), moved_at_start(out), out.initial
    pieces = {old: new for (list_, old), new in _pieces(project, names).items() if list_ == "joints"}  # fmt: skip
    segments, joints = names["segments"], {**pieces, **names["joints"]}
    attitudes = {a.segment: a for a in initial.attitudes}
    roots = {r.segment: r for r in initial.roots}
    starts = {s.joint: s for s in initial.joints}
    carried = {j.child for j in out.joints}
    for name, twin in segments.items():
        if name not in pose:
            continue
        there = Placed(_MIRROR @ pose[name].R_WS @ _MIRROR, _MIRROR @ pose[name].p_W)
        there = moved[twin].back(there) if twin in moved else there
        if name in attitudes or twin in attitudes or twin not in carried:
            attitudes[twin] = AttitudeStart(segment=twin, orientation=upright(there.R_WS))
        if twin not in carried:
            x, y, z = (round(float(v), 9) + 0.0 for v in there.p_W)
            old = roots.get(name, RootStart(segment=name))
            roots[twin] = RootStart(segment=twin, position_m=(x, y, z), moves_with=old.moves_with)
    for joint in expanded(project).joints:
        values = starts[joint.id].values if joint.id in starts else ()
        if joint.id in joints and values:
            twin = joints[joint.id]
            starts[twin] = JointStart(joint=twin, values=mirrored_values(joint, values))
    return initial.model_copy(
        update={
            "attitudes": tuple(attitudes.values()),
            "roots": tuple(roots.values()),
            "joints": tuple(starts.values()),
        }
    )
