"""Check modal bodies: what holds at their nodes, and the matrices that are given for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from solver.base.words import Sentence
from solver.project.bending.shapes import data_of, is_whole
from solver.project.checks.bodies import is_moved as is_driven_joint
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.geometry import Frame
from solver.project.joint_table import is_rigid, row_of
from solver.project.joints import Joint, JointBase
from solver.project.modal import BESIDE, MOST_MODES, BeamShapes, GivenShapes, ModalBody, modes_of
from solver.project.modal_motion import motion_at, moves
from solver.project.motions import Load
from solver.project.outputs import PointOutput
from solver.project.pose import turn
from solver.project.problems import Problem
from solver.project.sections import is_sound
from solver.project.segments import GROUND, ThreePoints
from solver.project.tyres import Tyre

NEAR = 1e-6
"""By what part of a beam's length, or how far (m) from a given node, a joint may be off."""

LEAST = 1e-12
"""Part of the largest modal mass below which one counts as none."""

MOST_CLAMPED = 3
"""So many clamped shapes along one axis are enough for small motions of a segment that moves itself."""

ATTACHED = (
    "joints/", "springs/", "tyres/", "tension_elements/", "constraints/", "coordinates/", "contacts/", "belts/",
    "harnesses/", "airbags/", "winds/", "loads/", "beams/", "crash_frames/", "frame_drivers/", "outputs/",
)  # fmt: skip
"""Lists of what pushes, holds and follows."""

TURNED = ("springs/", "beams/", "crash_frames/", "frame_drivers/")
"""Those whose frames are turned against, too."""

THIN = 0.1
"""Part of its largest size below which a body's smallest makes it a rod or a plate, which a pull stiffens (*assumed*)."""

TURNS = ("yaw", "pitch", "roll")
"""Components of a motion that turn."""

FITS = 2.0
"""Times by which a modal mass and that of the nodes may differ: sums of rows of a mass matrix are not the whole matrix (*assumed*)."""

ROUNDING = 1e-4
"""By what part a moment of inertia may be larger than the two others together."""


@finds(
    TOPOLOGY,
    error={
        "modal-twice": "A segment is the frame of two modal bodies.",
        "modal-on-node": "A segment that is held at a node of a modal body bends itself.",
        "modal-node-joint": "What holds at a node of a modal body is no locked joint of its segment.",
        "modal-node-twice": "A joint is a node of two modal bodies, or twice one of the same.",
        "modal-node-breaks": "A joint at a node of a modal body may break.",
        "modal-modes": "A modal body has no modes, too many, or too few for static shapes.",
        "modal-section": "Walls of the section of a modal body do not fit.",
        "modal-sizes": "Shapes, turns, matrices or the start of a modal body are not of as many modes.",
        "modal-faces": "A face of a modal body has a corner that is none of its nodes.",
        "modal-damping": "A mode of a modal body is damped by less than nothing.",
    },
    warning={"modal-damping-unused": "A modal body has more dampings than modes."},
)
def modal_bodies(index: Index) -> Iterator[Problem]:
    """Find modal bodies whose parts do not fit together."""
    frames: dict[str, str] = {}
    nodes: set[str] = set()
    joints = {joint.id: joint for joint in index.project.joints}
    node_of = {name: body.id for body, _ in index.elements("modal_bodies") for name in body.nodes}
    for body, path in index.elements("modal_bodies"):
        if body.segment in frames:
            sentence = Sentence("'{segment}' bends by '{other}' already.", segment=body.segment, other=frames[body.segment])  # fmt: skip
            hint = "Give all modes of a segment in one modal body."
            yield problem("modal-twice", f"{path}/segment", sentence, hint)
        frames[body.segment] = body.id
        own = index.joint_of.get(body.segment)
        if own is not None and own.id in node_of and node_of[own.id] != body.id:
            sentence = Sentence(
                "'{segment}' is held at a node of '{other}' by '{joint}', and bends itself.",
                segment=body.segment,
                other=node_of[own.id],
                joint=own.id,
            )
            hint = "Put a massless segment between: the node holds that, and another joint goes on from it."
            yield problem("modal-on-node", f"{path}/segment", sentence, hint)
        for n, name in enumerate(body.nodes):
            joint, at = joints.get(name), f"{path}/nodes/{n}"
            if joint is None:
                continue
            if not is_rigid(joint) or joint.parent != body.segment:
                sentence = Sentence("'{joint}' is no locked joint whose parent is '{segment}'.", joint=name, segment=body.segment)  # fmt: skip
                hint = "Hold a segment at the node by a locked joint; other joints go from that segment on."
                yield problem("modal-node-joint", at, sentence, hint)
            elif joint.breakage is not None:
                sentence = Sentence("'{joint}' may break.", joint=name)
                hint = "Let the joint behind it break."
                yield problem("modal-node-breaks", at, sentence, hint)
            if name in nodes:
                sentence = Sentence("'{joint}' is a node already.", joint=name)
                yield problem("modal-node-twice", at, sentence, "Name each joint once.")
            nodes.add(name)
        count = modes_of(body)
        yield from _dampings(body, path, count)
        if not 0 < count <= MOST_MODES:
            sentence = Sentence(
                "It has {count} modes; there must be 1 to {most}.", count=count, most=MOST_MODES
            )
            hint = "Say how many modes move along y, along z, twist or stretch."
            yield problem("modal-modes", f"{path}/shapes", sentence, hint)
        elif isinstance(body.shapes, BeamShapes):
            s = body.shapes
            bending = max(s.bending_y, s.bending_z)
            if max(bending, s.twist, s.stretch) > s.pieces:
                sentence = Sentence("There are more modes of one sort than pieces.")
                yield problem("modal-modes", f"{path}/shapes", sentence, "Take more pieces.")
            elif bending > s.most_bending:
                sentence = Sentence(
                    "Between pins {pieces} pieces show fewer than {count} modes: at the last all their ends are at rest.",
                    count=bending, pieces=s.pieces,
                )  # fmt: skip
                yield problem("modal-modes", f"{path}/shapes", sentence, "Take more pieces.")
            elif s.lacks_static:
                sentence = Sentence(
                    "With static shapes bending along an axis has two modes or more."
                )
                hint = "Take two modes, by a force and by a moment at the end, or leave static shapes out."
                yield problem("modal-modes", f"{path}/shapes", sentence, hint)
            if not is_sound(s.section):
                sentence = Sentence("Its walls leave no room inside, or do not fit.")
                hint = "Make walls thinner."
                yield problem("modal-section", f"{path}/shapes/section", sentence, hint)
        else:
            yield from _sizes(body.shapes, f"{path}/shapes", count)
        if len(body.start_m) not in (0, count):
            sentence = Sentence(
                "There are {given} amplitudes at the start and {count} modes.", given=len(body.start_m), count=count
            )  # fmt: skip
            hint = "Give one for each mode, or none, and settle."
            yield problem("modal-sizes", f"{path}/start_m", sentence, hint)


def _dampings(body: ModalBody, path: str, count: int) -> Iterator[Problem]:
    for n, one in enumerate(body.damping):
        if one < 0.0:
            sentence = Sentence("A damping of {one:g} would drive the mode.", one=one)
            yield problem("modal-damping", f"{path}/damping/{n}", sentence, "Give zero or more.")
    if len(body.damping) > max(count, 1):
        sentence = Sentence("There are {given} dampings for {count} modes; the last ones are not used.", given=len(body.damping), count=count)  # fmt: skip
        yield problem("modal-damping-unused", f"{path}/damping", sentence, "Leave them out.")


def _sizes(shapes: GivenShapes, path: str, count: int) -> Iterator[Problem]:
    hint = "Give one row, shape and turn for each mode."
    for name in ("modal_mass_kg", "modal_stiffness_n_per_m"):
        rows = getattr(shapes, name)
        if len(rows) != count or any(len(row) != count for row in rows):
            sentence = Sentence("The matrix is not of {count} rows and columns.", count=count)
            yield problem("modal-sizes", f"{path}/{name}", sentence, hint)
    for n, node in enumerate(shapes.nodes):
        if len(node.shapes_m) != count or len(node.turns_rad) not in (0, count):
            sentence = Sentence("The node does not move by {count} modes.", count=count)
            yield problem("modal-sizes", f"{path}/nodes/{n}", sentence, hint)
        elif len(node.pairs_m) not in (0, count * (count + 1) // 2):
            sentence = Sentence(
                "The node does not move by all pairs of {count} modes.", count=count
            )
            pairs = Sentence("Give one displacement for each of {pairs} pairs, or none.", pairs=count * (count + 1) // 2)  # fmt: skip
            yield problem("modal-sizes", f"{path}/nodes/{n}/pairs_m", sentence, pairs)
    for n, face in enumerate(shapes.faces):
        if any(corner not in range(len(shapes.nodes)) for corner in face):
            sentence = Sentence("A corner is none of the {count} nodes.", count=len(shapes.nodes))
            more = Sentence("Give numbers of nodes; the first has the number 0.")
            yield problem("modal-faces", f"{path}/faces/{n}", sentence, more)


@finds(
    PHYSICS,
    error={
        "modal-node-off": "A joint at a node of a modal body stands where there is none.",
        "modal-mass": "A matrix of modal masses is not symmetric, or has directions without mass.",
        "modal-stiffness": "A matrix of modal stiffness is not symmetric, or pushes apart.",
        "modal-massless": "A modal body has no mass.",
        "modal-node-inertia": "A node of given shapes has an inertia that no body can have, or that its mass cannot.",
    },
    warning={"modal-mass-nodes": "Modal masses are not those of the nodes with their shapes."},
)
def modal_matrices(index: Index) -> Iterator[Problem]:
    """Find modal bodies that cannot move as they are given."""
    joints = {joint.id: joint for joint in index.project.joints}
    for body, path in index.elements("modal_bodies"):
        for n, name in enumerate(body.nodes):
            if not _is_on(body, np.array(joints[name].parent_frame.position_m)):
                sentence = Sentence("'{joint}' holds at a point beside the body.", joint=name)
                hint = (
                    "Put the joint's point between the ends of the beam."
                    if isinstance(body.shapes, BeamShapes)
                    else "Put the joint's point on one of the nodes, or near some."
                )
                yield problem("modal-node-off", f"{path}/nodes/{n}", sentence, hint)
        if isinstance(body.shapes, GivenShapes):
            found = list(_matrices(body.shapes, f"{path}/shapes"))
            yield from found or _unlike_nodes(body.shapes, f"{path}/shapes")


def _unlike_nodes(shapes: GivenShapes, path: str) -> Iterator[Problem]:
    """Find modal masses that nodes and their shapes do not have: those of another scale, or of another model."""
    made = np.zeros(len(shapes.modal_mass_kg))
    for node in shapes.nodes:
        made += node.mass_kg * (np.array(node.shapes_m) ** 2).sum(axis=1)
        if node.turns_rad:
            made += np.array(node.turns_rad) ** 2 @ np.array(node.inertia_kgm2)
    given = np.diag(np.array(shapes.modal_mass_kg))
    off = np.maximum(made / given, given / np.maximum(made, LEAST * given))
    worst = int(np.argmax(off))
    if off[worst] > FITS:
        sentence = Sentence(
            "Mode {mode} is given {given:.3g} kg; nodes and shapes make {made:.3g} kg of it.",
            mode=worst + 1,
            given=float(given[worst]),
            made=float(made[worst]),
        )
        hint = "Give masses, shapes and matrix of one model and one scale."
        yield problem("modal-mass-nodes", f"{path}/modal_mass_kg", sentence, hint)


def _is_on(body: ModalBody, point: np.ndarray) -> bool:
    shapes = body.shapes
    if isinstance(shapes, BeamShapes):
        away = point - np.array(shapes.frame.position_m)
        along = float((turn(shapes.frame.orientation).T @ away)[0])
        return -NEAR * shapes.length_m <= along <= (1.0 + NEAR) * shapes.length_m
    return _nearest(shapes, point)[2]


def _nearest(shapes: GivenShapes, point: np.ndarray) -> tuple[int, float, bool]:
    """Give the node nearest to a point, how far (m) it is, and whether nodes tell how the body moves there."""
    places = np.array([node.position_m for node in shapes.nodes])
    away = np.sqrt(((places - point) ** 2).sum(axis=1))
    n = int(np.argmin(away))
    reach = max(BESIDE * float(np.sqrt((np.ptp(places, axis=0) ** 2).sum())), NEAR)
    return n, float(away[n]), bool(away[n] <= reach)


def _matrices(shapes: GivenShapes, path: str) -> Iterator[Problem]:
    if not any(node.mass_kg for node in shapes.nodes):
        sentence = Sentence("All of its nodes are massless.")
        yield problem("modal-massless", f"{path}/nodes", sentence, "Give nodes their masses.")
    for n, node in enumerate(shapes.nodes):
        small, middle, large = sorted(node.inertia_kgm2)
        if large > 0.0 and node.mass_kg == 0.0:
            sentence = Sentence("The node has inertia, but no mass.")
            hint = Sentence("Give it a mass: its inertia is that of masses around it.")
            yield problem("modal-node-inertia", f"{path}/nodes/{n}/mass_kg", sentence, hint)
        elif large > (1.0 + ROUNDING) * (small + middle):
            sentence = Sentence(
                "{large:g} kg*m2 is more than the two others together, {middle:g}; no body is like that.",
                large=large,
                middle=small + middle,
            )
            most = Sentence("The largest can be {middle:g} at most.", middle=small + middle)
            yield problem("modal-node-inertia", f"{path}/nodes/{n}/inertia_kgm2", sentence, most)
    for name, code, least in (
        ("modal_mass_kg", "modal-mass", LEAST),
        ("modal_stiffness_n_per_m", "modal-stiffness", -1e-9),
    ):
        matrix = np.array(getattr(shapes, name))
        top = float(np.abs(matrix).max()) or 1.0
        if np.abs(matrix - matrix.T).max() > 1e-9 * top:
            sentence = Sentence("The matrix is not symmetric.")
            yield problem(code, f"{path}/{name}", sentence, "Give it as it was found.")
        elif np.linalg.eigvalsh(matrix)[0] <= least * top:
            sentence = Sentence("The matrix has an eigenvalue that is too small.")
            hint = Sentence("Leave out the modes of a rigid body, and those that are others' sums.")
            yield problem(code, f"{path}/{name}", sentence, hint)


@finds(
    PHYSICS,
    error={
        "modal-far-from-nodes": "A load or a followed point of a modal body is far from all of its nodes."
    },
    warning={
        "modal-beside-nodes": "Something is attached to a modal body where its shapes move, but not at a node.",
        "modal-held-where-it-bends": "The joint that carries a modal body holds it where its shapes move or turn.",
        "modal-not-stiffened": "A slender body that turns has nodes that no pair of modes moves.",
        "modal-clamped-moves": "A segment that moves bends by many clamped shapes, or one that nothing holds by any.",
    },
)
def modal_attachments(index: Index) -> Iterator[Problem]:
    """Find what takes a modal body to be rigid where it bends, and shapes that do not suit how it is held."""
    bodies = {body.segment: body for body, _ in index.elements("modal_bodies")}
    if not bodies:
        return
    nodes = {name for body in bodies.values() for name in body.nodes}
    for body, path in index.elements("modal_bodies"):
        joint = index.joint_of.get(body.segment)
        if joint is not None and _holds(index, joint, joint.child_frame, body):
            sentence = Sentence(
                "'{joint}' holds '{segment}' at a place where its shapes move or turn, as if it were rigid there.",
                joint=joint.id,
                segment=body.segment,
            )
            hint = "Put the joint where the shapes stand still: clamped shapes do at the beginning."
            yield problem("modal-held-where-it-bends", f"{path}/shapes", sentence, hint)
        yield from _far(index, body)
        s = body.shapes
        if isinstance(s, GivenShapes) and _is_slender(s) and _can_turn(index, body.segment):
            sentence = Sentence(
                "'{segment}' turns, and its nodes have no shapes by pairs of modes: turning and pulling do not make it stiff, and it does not buckle.",
                segment=body.segment,
            )
            hint = "Read it from a file that has lines or a geometric stiffness, or leave it so where it turns slowly against its lowest frequency."
            yield problem("modal-not-stiffened", f"{path}/shapes", sentence, hint)
        if (
            not isinstance(s, BeamShapes)
            or s.ends != "clamped"
            or not max(s.bending_y, s.bending_z)
        ):
            continue
        if joint is None and body.segment not in index.motion_of and is_whole(body):
            yield from _unheld(body, path)
            continue
        if max(s.bending_y, s.bending_z) > MOST_CLAMPED and _can_move(index, body.segment, nodes):
            sentence = Sentence(
                "'{segment}' moves and bends by more than {most} clamped shapes; at small amplitudes their masses are not those of a body.",
                segment=body.segment,
                most=MOST_CLAMPED,
            )
            hint = (
                "Use free ends."
                if joint is None
                else "Take fewer, or use free ends and hold the body at nodes by constraints."
            )
            yield problem("modal-clamped-moves", f"{path}/shapes", sentence, hint)
    told: set[str] = set()
    for segment, path, is_moved in _attached(index, bodies, nodes):
        element = "/".join(path.split("/")[:2])
        if element not in told and is_moved:
            told.add(element)
            sentence = Sentence(
                "'{element}' is attached to '{segment}' where its shapes move, but at none of its nodes: it is as if that were rigid there.",
                element=element.split("/")[1],
                segment=segment,
            )
            hint = "Lock a segment, which may be massless, to this place, name the joint in the nodes, and attach to that."
            yield problem("modal-beside-nodes", path, sentence, hint)


def _can_move(index: Index, name: str, nodes: set[str]) -> bool:
    """Whether a segment moves other than as prescribed."""
    while name != GROUND:
        joint = index.joint_of.get(name)
        if joint is None:
            return name not in index.motion_of
        fixed = is_rigid(joint) and joint.breakage is None and joint.id not in nodes
        if not fixed and not is_driven_joint(index, joint):
            return True
        name = joint.parent
    return False


def _unheld(body: ModalBody, path: str) -> Iterator[Problem]:
    """Find how far clamped shapes may bend a body that nothing holds: then their masses are those of no body."""
    s, data = body.shapes, data_of(body)
    assert isinstance(s, BeamShapes)
    found = [
        (most, n) for n in range(s.bending_y + s.bending_z) if (most := data.most(n, s.length_m))
    ]
    if found:
        most, n = min(found)
        sentence = Sentence(
            "Nothing holds '{segment}', which bends by clamped shapes: where mode {mode} comes to {most:.2g} m a run ends, as their masses are those of no body.",
            segment=body.segment,
            mode=n + 1,
            most=most,
        )
        hint = "Use free ends; or fewer modes, and stay well below."
        yield problem("modal-clamped-moves", f"{path}/shapes", sentence, hint)


def _far(index: Index, body: ModalBody) -> Iterator[Problem]:
    """Find loads and followed points that no node of given shapes is near."""
    if not isinstance(body.shapes, GivenShapes):
        return
    for name in ("loads", "outputs"):
        for one, path in index.elements(name):
            point = getattr(one, "point_m", None)
            if point is None or one.segment != body.segment:
                continue
            node, away, is_near = _nearest(body.shapes, np.array(point))
            if not is_near:
                sentence = Sentence(
                    "Nothing tells how '{segment}' moves there: its nearest node has the number {node}, {away:.3g} m away.",
                    segment=body.segment,
                    node=node,
                    away=away,
                )
                yield problem("modal-far-from-nodes", f"{path}/point_m", sentence, "Take a place at a node, or near some.")  # fmt: skip


def _is_slender(shapes: GivenShapes) -> bool:
    """Whether a body without shapes by pairs is a rod or a plate."""
    if any(node.pairs_m for node in shapes.nodes):
        return False
    places = np.array([node.position_m for node in shapes.nodes])
    sizes = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
    least = float(sizes[2]) if len(sizes) > 2 else 0.0
    return len(places) > 1 and least < THIN * float(sizes[0])


def _can_turn(index: Index, name: str) -> bool:
    """Whether a segment turns, by itself or as prescribed."""
    while name != GROUND:
        joint = index.joint_of.get(name)
        if joint is None:
            motion = index.motion_of.get(name)
            return motion is None or any(c.component in TURNS for c in motion.components)
        if row_of(joint).turns and not (is_rigid(joint) and joint.breakage is None):
            return True
        name = joint.parent
    return False


def _holds(index: Index, joint: Joint, frame: Frame, body: ModalBody) -> bool:
    """Whether a joint's frame in a body moves or turns by shapes in a way that the joint does not leave free."""
    R, row = index.turn(frame.orientation), row_of(joint)
    slid = {one.axis for one in row.slides}
    turned = {one.axis for one in row.turns} if len(row.turns) < 3 else set("xyz")
    shift, turns = motion_at(body, np.array(frame.position_m))
    held, unturned = ([k for k in range(3) if "xyz"[k] not in free] for free in (slid, turned))
    return moves(shift, R.T[held]) or moves(turns, R.T[unturned])


def _attached(
    index: Index, bodies: Mapping[str, ModalBody], nodes: set[str]
) -> Iterator[tuple[str, str, bool]]:
    """All that is attached to modal bodies: segment, path, and whether shapes move it there."""
    for ref in index.refs:
        body = bodies.get(ref.value)
        if body is None or ref.field.to != "segments" or not ref.path.startswith(ATTACHED):
            continue
        one: Any = ref.holder
        if isinstance(one, JointBase):
            is_moved = (
                ref.field.name == "parent"
                and one.id not in nodes
                and _holds(index, one, one.parent_frame, body)  # type: ignore[arg-type]
            )
        elif isinstance(one, Load):
            is_moved = (
                ref.field.name == "segment" and one.kind == "force" and _is_off(body, one.point_m)
            )
        elif isinstance(one, PointOutput):
            is_moved = ref.field.name == "segment" and _is_off(body, one.point_m)
        elif isinstance(one, Tyre):
            is_moved = ref.field.name == "wheel" and _is_off(body, one.centre_m)
        elif hasattr(one, "frame"):
            turns = motion_at(body, np.array(one.frame.position_m)).turn
            also = ref.path.startswith(TURNED) and moves(turns)
            is_moved = _is_off(body, one.frame.position_m) or also
        else:
            is_moved = hasattr(one, "position_m") and _is_off(body, one.position_m)
        yield ref.value, ref.path, is_moved
    for named, path in index.surface_refs:
        surface = index.surfaces.get((named.segment, named.surface))
        if named.segment in bodies and surface is not None and path.startswith(ATTACHED):
            R = index.turn(surface.orientation)
            reach = np.diag(surface.semi_axes_m) @ R.T
            places = np.array(surface.centre_m) + np.concatenate([np.zeros((1, 3)), reach, -reach])
            is_moved = any(_is_off(bodies[named.segment], place) for place in places)
            yield named.segment, path, is_moved
    for plane, path in index.elements("planes"):
        if plane.segment in bodies:
            at = plane.placement
            corners = (
                (at.p1_m, at.p2_m, at.p3_m)
                if isinstance(at, ThreePoints)
                else (at.frame.position_m,)
            )
            is_moved = any(_is_off(bodies[plane.segment], place) for place in corners)
            yield plane.segment, f"{path}/segment", is_moved


def _is_off(body: ModalBody, place: Any) -> bool:
    return moves(motion_at(body, np.array(place)).shift)
