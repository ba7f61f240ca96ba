"""Models of OpenSim (.osim, versions 3 and 4): bodies, joints, simple shapes; forces stand in `osim_forces`."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.engine.maths.rotation import from_angles
from solver.exchange.trees.bodies import Body, End, Model, ReadNotes, Shape
from solver.exchange.trees.osim_contacts import TOUCHING, read_contacts
from solver.exchange.trees.osim_forces import read_forces
from solver.exchange.trees.osim_joints import IDLE, Reader, inside, join, prescribed
from solver.exchange.trees.osim_paths import read_wraps
from solver.exchange.trees.osim_ties import follow, read_constraints, settle
from solver.exchange.trees.osim_times import read_controls
from solver.exchange.trees.xml import Element, TreeError

MODEL = {
    "assembly_accuracy",
    "defaults",
    "connectors",
    "ground",
    "inertia",
    "ModelVisualPreferences",
    "socket_ground",
    "Ground",
    "AnalysisSet",
}
"""Parts of a model that are not read: they draw it, or solve and write in another program."""
SETS = {
    "ControllerSet": "Controllers",
    "ProbeSet": "Probes", "ComponentSet": "Further components",
}  # fmt: skip


def read_osim(top: Element, read_notes: ReadNotes, markers: tuple[str, Element] | None = None) -> Model:  # fmt: skip
    """Read a model of OpenSim; a set of markers of its own, with the name of its file, comes before the model's."""
    model = top.first("Model")
    if top.tag != "OpenSimDocument" or model is None:
        raise TreeError("Line {line}: <{tag}> is no model of OpenSim.", line=top.line, tag=top.tag)
    for unit, known in (("length_units", ("meters", "m")), ("force_units", ("N", "newtons"))):
        if model.child_text(unit, known[0]) not in known:
            raise model.wrong(
                unit, "only models in metres and newtons are read; scale it in OpenSim"
            )
    _plugged(model)
    reader = Reader(read_notes)
    parts = [one for one in objects(model, "BodySet") if one.given.get("name") != "ground"]
    for one in parts:
        _body(one, reader)
    if not parts:
        raise TreeError("The model has no body.")
    joints = objects(model, "JointSet") + [
        joint for one in parts for held in one.all("Joint") for joint in inside(held, one)
    ]
    closing = join(joints, reader)
    for part in (model, *joints):
        for name, end in reader.offsets(part).items():
            reader.frames.setdefault(name, end)
    controls, others = read_controls(objects(model, "ControllerSet"), read_notes)
    for tag, what in SETS.items():
        if count := others if tag == "ControllerSet" else len(objects(model, tag)):
            read_notes.say("{what} are left out ({count}).", what=what, count=count)
    gravity = np.array(model.values("gravity", 3, (0.0, -9.80665, 0.0)))
    found = Model(reader.bodies, gravity, model.given.get("name", ""))
    ties = read_constraints(
        objects(model, "ConstraintSet"),
        reader.coordinates,
        reader.frame,
        reader.offsets,
        read_notes,
    )
    settle([*reader.coordinates.values(), *(one.second for one in reader.following)])
    prescribed(reader)
    found.ties = closing + ties + follow(reader.following, read_notes)
    forces = _with_defaults(model, objects(model, "ForceSet"))
    found.planes, found.touches = read_contacts(
        objects(model, "ContactGeometrySet"),
        [one for one in forces if one.tag in TOUCHING],
        reader.frame,
        reader.bodies,
        read_notes,
    )
    found.links = read_forces(
        [one for one in forces if one.tag not in TOUCHING],
        reader.coordinates,
        reader.frame,
        reader.offsets,
        read_notes,
        read_wraps(_holders(model), reader.frame, read_notes),
        controls,
    )
    found.markers = [_marker(one, reader) for one in objects(model, "MarkerSet")]
    if markers is not None:
        found.markers = _with_set(found.markers, *markers, reader)
    found.ranges = {q.name: q.ends() for q in reader.coordinates.values() if q.axis is not None and q.range}  # fmt: skip
    found.note = " ".join(f"{model.child_text('credits')}\n{model.child_text('publications')}".split(" "))[:20_000].strip()  # fmt: skip
    read_notes.rest_within(model, MODEL)
    _order(found)
    return found


def _holders(model: Element) -> list[tuple[str, Element]]:
    """All that may hold wrap objects: ground, bodies and the frames in them, each with its name."""
    bodies = objects(model, "BodySet")
    frames = [f for one in (model, *bodies, *objects(model, "JointSet")) for part in one.all("frames", "components") for f in part.all("PhysicalOffsetFrame")]  # fmt: skip
    grounds = [("ground", one) for one in model.all("Ground", "ground")]
    return [*grounds, *((one.given.get("name", ""), one) for one in (*bodies, *frames))]


def _plugged(one: Element) -> None:
    """Give what the files of some versions say by connectors as if it stood there by its name."""
    for child in one.children:
        _plugged(child)
    for plug in [plug for held in one.all("connectors") for plug in held.children]:
        name, text = plug.given.get("name", ""), plug.child_text("connectee_name")
        for tag in (name, f"socket_{name}"):
            one.children.append(Element(tag, {}, plug.line, text=text, seen=True))


def _with_defaults(model: Element, forces: list[Element]) -> list[Element]:
    """Give forces what the file's defaults say of their kind and they do not."""
    usual = {one.tag: one for held in model.all("defaults") for one in held.children}
    for one in forces:
        own = {child.tag for child in one.children}
        given = usual[one.tag].children if one.tag in usual else []
        one.children += [child for child in given if child.tag not in own]
    return forces


def _marker(one: Element, reader: Reader) -> tuple[str, End]:
    at = one.child_text("socket_parent_frame") or one.child_text("body") or "ground"
    body, place, R = reader.frame(at, one)
    return one.given.get("name", ""), (body, place + R @ np.array(one.values("location", 3, (0.0, 0.0, 0.0))), R)  # fmt: skip


def _with_set(there: list[tuple[str, End]], file: str, top: Element, reader: Reader) -> list[tuple[str, End]]:  # fmt: skip
    """Add the markers of a set; those of the same name go where it says."""
    held = top if top.tag == "MarkerSet" else top.first("MarkerSet")
    if held is None:
        raise TreeError("'{file}' is no set of markers of OpenSim: it has no MarkerSet.", file=file)
    _plugged(held)
    try:
        new = dict(_marker(one, reader) for part in held.all("objects") for one in part.children)
    except TreeError as failure:
        raise TreeError("In '{file}': {why}", file=file, why=failure.said) from None
    if not new:
        raise TreeError("'{file}' is a set of markers without a marker.", file=file)
    reader.read_notes.say("{count} markers are those of '{file}'; {kept} more are the model's own.", count=len(new), file=file, kept=sum(name not in new for name, _ in there))  # fmt: skip
    return list({**dict(there), **new}.items())


def objects(model: Element, tag: str) -> list[Element]:
    """The members of a set."""
    return [one for set_ in model.all(tag) for held in set_.all("objects") for one in held.children]


def _body(one: Element, reader: Reader) -> None:
    name = one.given.get("name", "")
    if name in reader.number:
        raise one.wrong("name", "two bodies have it")
    reader.number[name] = len(reader.bodies)
    body = Body(name, -1, is_free=True)
    body.mass = one.values("mass", 1)[0]
    body.centre = np.array(one.values("mass_center", 3, (0.0, 0.0, 0.0)))
    if one.first("inertia") is not None:
        xx, yy, zz, xy, xz, yz = one.values("inertia", 6)
    else:
        xx, yy, zz, xy, xz, yz = (one.values(f"inertia_{k}", 1, (0.0,))[0] for k in ("xx", "yy", "zz", "xy", "xz", "yz"))  # fmt: skip
    body.inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    for held in one.all("attached_geometry"):
        for n, shape in enumerate(held.children, 1):
            _shape(shape, n, body, reader.read_notes)
    if one.first("VisibleObject") is not None:
        reader.read_notes.say("Meshes and other drawn geometry of files are left out.")
    reader.read_notes.rest_within(one, {*IDLE, "Joint"})
    reader.bodies.append(body)


def _shape(one: Element, n: int, body: Body, read_notes: ReadNotes) -> None:
    kind: Any
    size: tuple[float, ...]
    along = np.eye(3)
    match one.tag:
        case "Sphere":
            (r,) = one.values("radius", 1)
            kind, size = "ellipsoid", (r, r, r)
        case "Ellipsoid":
            kind, size = "ellipsoid", one.values("radii", 3)
        case "Brick":
            kind, size = "box", one.values("half_lengths", 3)
        case "Cylinder":
            (r,), (half,) = one.values("radius", 1), one.values("half_height", 1)
            # its axis is y; ours is z
            kind, size, along = "cylinder", (r, 0.0, half), from_angles((-np.pi / 2.0, 0.0, 0.0), "xyz")  # fmt: skip
        case "Mesh":
            read_notes.say("Meshes and other drawn geometry of files are left out.")
            return
        case _:
            read_notes.say("Geometry of kind {kind} is left out.", kind=one.tag)
            return
    if one.child_text("socket_frame", "..") != "..":
        read_notes.say("Geometry in other frames than its body's is left out.")
        return
    scale = one.values("scale_factors", 3, (1.0, 1.0, 1.0))
    if kind == "ellipsoid" or kind == "box":
        size = tuple(s * abs(k) for s, k in zip(size, scale, strict=True))
    elif scale != (1.0, 1.0, 1.0):
        read_notes.say("Scale factors of cylinders are left out.")
    if min(s for s in (size if kind != "cylinder" else (size[0], size[2]))) <= 0.0:
        raise one.wrong("size", "it is not above zero")
    x, y, z = size
    body.shapes.append(Shape(one.given.get("name", f"shape_{n}"), kind, (x, y, z), R=along))


def _order(model: Model) -> None:
    """Put bodies behind what carries them."""
    order, waiting = list[int](), list(range(len(model.bodies)))
    while waiting:
        ready = [n for n in waiting if model.bodies[n].parent in (-1, *order)]
        order += ready
        waiting = [n for n in waiting if n not in ready]
    at = {old: new for new, old in enumerate(order)} | {-1: -1}
    model.bodies = [model.bodies[n] for n in order]
    for body in model.bodies:
        body.parent = at[body.parent]
    model.markers = [(name, (at[n], place, R)) for name, (n, place, R) in model.markers]
    for ends in [one.ends for one in model.links] + [one.ends for one in model.ties]:
        ends[:] = [(at[n], place, R) for n, place, R in ends]
    for over in [over for one in model.links for over in one.line.over]:
        n, place, R = over.end
        over.end = at[n], place, R
    for touch in model.touches:
        touch.body, touch.other = at[touch.body], at[touch.other]
