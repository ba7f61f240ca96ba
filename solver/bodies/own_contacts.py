"""Contacts between a body's own parts: flesh on flesh, for those that can meet."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from solver.base.places import resources
from solver.bodies.body import LEFT, RIGHT, SURFACE, Body
from solver.project.checks.shapes import Solid, gaps
from solver.project.contact import ContactLaw, HystereticLaw, RateLaw
from solver.project.document import Project
from solver.project.fields import Vec3
from solver.project.functions import Function, Table
from solver.project.geometry import Surface, powers_of
from solver.project.pose import Placed, turn

LAW = "limb_on_body"
"""Entry of the library of contact laws: flesh on flesh, of the public sled deck."""

UP = ("head", "upper_arm", "elbow_block", "forearm", "wrist_block")
"""What feet meet of who is so short in the leg that they come up to the head (`_feet_reach_head`): a child thrown about its lap belt."""
APART = {
    "foot": ("lower_torso", "centre_torso", "upper_torso", *UP),
    "neck": ("lower_torso", "centre_torso", "upper_leg", "lower_leg", "foot"),
    "sternum": ("lower_torso", "shoulder", "lower_leg", "foot"),
    "knee_block": ("lower_torso", "foot"),
}
"""Parts that a person does not bring together, or that others keep apart."""

JACKET, UNDER_JACKET = "upper_torso.jacket", ("upper_torso", "sternum")
"""The jacket meets what its ribs and sternum would, where a body has one and it is clear of that at the start."""

CHIN = (("upper_torso.collar", "head.chin"), ("upper_torso.collar", "head"))
"""Shapes that meet, where a body has them, when the head bends far forward."""

COVERED = (
    "neck_1",
    "neck_2",
    "neck_3",
    "neck_4",
    "shoulder",
    "lumbar_1",
    "lumbar_2",
    "lower_ribs",
    "ribs",
    "ilium",
    "rib_1",
    "rib_2",
    "rib_3",
    "belly_rib_1",
    "belly_rib_2",
    "abdomen_pad",
    "hip_pad",
    "iliac_pad",
)
"""Parts of dummies and people that others cover: head, trunk and upper arms are met first."""

BLOCKS = ("knee_block", "ankle_block", "elbow_block", "wrist_block")
"""Parts that are cut off others where loads are measured."""

ARM = (
    *("upper_arm", "elbow_block", "flesh_5", "flesh_6"), *("forearm", "wrist_block", "flesh_7", "flesh_8"), "hand",
)  # fmt: skip
LEANS = {
    "neck_1": ("shoulder",),
    "neck_2": ("shoulder",),
    "shoulder": ("shoulder", "hand"),
    "lumbar_1": (*ARM, "upper_leg"),
    "lumbar_2": (*ARM, "upper_leg"),
    "rib_3": ("abdomen_pad", "centre_torso"),
    "abdomen_pad": ("upper_arm", "lower_torso"),
}
"""Of those, what lies on each other where a neck or a side-impact dummy's waist bends far to the side, a door presses an arm to the body, a hand is thrown up, or a trunk folds over the thighs."""

SIDE_RIBS, BELLY_RIBS = (
    tuple(f"{side}{part}_{number}" for side in (RIGHT, LEFT) for number in numbers)
    for part, numbers in (("rib", (1, 2, 3)), ("belly_rib", (1, 2)))
)
FLANKS = (
    ("lower_torso", ("lower_torso.core", f"{RIGHT}ilium", f"{LEFT}ilium")),
    ("lower_torso", ("lower_torso.core", f"{RIGHT}hip_pad", f"{LEFT}hip_pad")),
    ("upper_torso", ("upper_torso.core", f"{RIGHT}ribs", f"{LEFT}ribs")),
    ("upper_torso", ("upper_torso.core", *SIDE_RIBS)),
    ("upper_torso", ("upper_torso.core", *SIDE_RIBS, *BELLY_RIBS)),
    ("lower_ribs", ("lower_ribs.core",)),
)
"""What arms meet of a person's or a side-impact dummy's trunk, as doors do: sides that give, and cores behind them. What is clear at the start stands in the
place of the whole where all of it is."""

OWN = {
    ("centre_torso", "lower_ribs.core"): "ribs_on_belly",
    (f"{RIGHT}ribs", f"{LEFT}ribs"): "ribs_together",
}
"""Pairs with a law of the body's own: the belly and the ribs above it where a trunk bends far forward, ribs of both sides that are
pressed in."""

ARM_ON_RIBS = "arm_on_ribs"
"""Law by which a side-impact dummy's arm meets the ribs beside it."""


def own_law(pair: tuple[str, str]) -> str:
    """Name the body's own law of a pair; empty where flesh meets flesh, or bone bone."""
    if any(_plain(one) == "upper_arm" for one in pair) and set(pair) & {*SIDE_RIBS, *BELLY_RIBS}:
        return ARM_ON_RIBS
    return OWN.get(pair, "")


BONY = ("lower_leg", "foot", "knee_block", "ankle_block")
"""Parts in which bone lies not far below the skin: where they meet, it ends the way into the flesh."""
BONE_SHARE, FLESH_GIVES, BONE_STIFFER, BONE_WAY_M = 0.5, 0.5, 10.0, 0.04
"""Bone takes half of a limb's thickness, flesh gives way by half of its own, and then bone is ten times as stiff as flesh begins
(*assumed*); how far its curve is given."""
LYING_STEP_M, LYING_PART, LYING_RATE_M_PER_S = 0.01, 0.1, 0.1
"""Where parts lie in each other as they are posed flesh presses from there on, in steps of so much (m), a part of one away at least; it gives back as little as its law
says where it comes out faster than that (*assumed*)."""
BONE_RETURNS, BONE_KEEPS = 0.5, 0.6
"""Work that is given back, and depth that stays, in parts (*assumed*): a parabola can give back that much from the soft part and from the end."""


def flesh() -> tuple[Function, ContactLaw]:
    """Give the law of flesh on flesh and its curve, each with its source."""
    file = resources() / "library" / "contact_laws.json"
    entries = json.loads(file.read_text(encoding="utf-8"))
    entry = next(one for one in entries if one["id"] == LAW)
    piece, source = Project.model_validate(entry["fragment"]), {"source": entry["source"]}
    # where the force acts is a question of planes alone
    law = piece.contact_laws[0].model_copy(update={**source, "application_ratio": 0.0})
    return piece.functions[0].model_copy(update=source), law


def bones(body: Body) -> tuple[Function, ContactLaw]:
    """The law of legs on legs: flesh on flesh until bone meets bone."""
    curve, law = flesh()
    legs = [s for s in body.segments if _plain(s.id) in BONY and s.surfaces]
    thin = min(min(s.surfaces[0].semi_axes_m) for s in legs)
    ends = 2.0 * FLESH_GIVES * (1.0 - BONE_SHARE) * thin
    assert isinstance(curve.form, Table)
    x, y = (np.array(one) for one in (curve.form.x, curve.form.y))
    at, stiff = float(np.interp(ends, x, y)), BONE_STIFFER * y[1] / x[1]
    soft = x < ends
    table = curve.form.model_copy(update={
        "x": (*x[soft].tolist(), round(ends, 4), round(ends + BONE_WAY_M, 4)),
        "y": (*y[soft].tolist(), round(at, 1), round(at + stiff * BONE_WAY_M, 1)),
    })  # fmt: skip
    source = f"{curve.source}; where bone meets bone: assumed"
    update = {"id": "legs_together_force", "name": "Leg on leg", "source": source, "form": table}
    return (
        curve.model_copy(update=update),
        law.model_copy(
            update={
                "id": "legs_together",
                "name": "Leg on leg",
                "base": "legs_together_force",
                "source": source,
                "energy_ratio": BONE_RETURNS,
                "offset_ratio": BONE_KEEPS,
            }
        ),
    )


def begun(law: tuple[Function, ContactLaw], from_m: float) -> tuple[list[Function], ContactLaw]:
    """Give a law of flesh that does nothing up to a depth (m), and its curves: what lies there as it is posed presses no harder than it did."""
    curve, whole = law
    if not from_m:
        return [curve], whole
    assert isinstance(curve.form, Table)
    assert isinstance(whole, HystereticLaw)
    assert isinstance(whole.energy_ratio, float)
    mm = f"{1e3 * from_m:.0f}"
    base = curve.model_copy(update={
        "id": f"{whole.id}_from_{mm}", "name": f"{curve.name}, from {mm} mm on",
        "form": Table(x=(0.0, *(round(from_m + x, 6) for x in curve.form.x)), y=(0.0, *curve.form.y)),
    })  # fmt: skip
    gate = Function(
        id=f"{whole.id}_gate", name=f"{whole.name}: less on the way back", x_unit="m/s", y_unit="1", source=f"{whole.source}; rate assumed",
        form=Table(x=(-LYING_RATE_M_PER_S, 0.0), y=(whole.energy_ratio - 1.0, 0.0)),
    )  # fmt: skip
    pressed = RateLaw(
        id=f"{whole.id}_from_{mm}", name=f"{whole.name}, from {mm} mm on", source=whole.source, friction=whole.friction,
        base=base.id, factor=base.id, gate=gate.id,
    )  # fmt: skip
    return [base, gate], pressed


def is_bony(pair: tuple[str, str]) -> bool:
    """Whether bone meets bone where two parts press on each other."""
    return all(_plain(name) in BONY for name in pair)


def own_pairs(body: Body, placed: Mapping[str, Placed]) -> Iterator[tuple[str, str]]:
    """The pairs that may touch, as SEGMENT or SEGMENT.SURFACE of plain ids, in the order of the body.

    Neighbours at a joint overlap by their making, and so do others in some poses: a contact there would
    push from the start.
    """
    solids = solids_of(body, placed)
    pairs = _offered(body, list(solids))
    over = [_over(pair) for pair in pairs if "upper_torso" in pair and JACKET in solids]
    more = [pair for pair in (*CHIN, *OWN) if set(pair) <= solids.keys()]
    flanks = _beside(list(solids))
    sides = [one for parts in flanks.values() for one in parts]
    found = _apart([*pairs, *over, *sides, *more], solids)
    beside = {pair for pair, parts in flanks.items() if set(parts) <= found}
    instead = {*beside, *(_over(pair) for pair in beside)}
    return (
        p
        for p in [*pairs, *over, *sides, *more]
        if p in found and p not in instead and not (p in pairs and _over(p) in found)
    )


def lying_pairs(body: Body, placed: Mapping[str, Placed]) -> dict[tuple[str, str], float]:
    """The pairs that lie in each other as they are posed, and not by their making, with the depth (m) from which they press."""
    solids = solids_of(body, placed)
    made = _made_together(body)
    pairs = [pair for pair in _offered(body, list(solids)) if frozenset(pair) not in made]
    clear = gaps([solids[a] for a, _ in pairs], [solids[b] for _, b in pairs], [False] * len(pairs))
    return {
        pair: LYING_STEP_M * math.ceil(-gap / LYING_STEP_M + LYING_PART)
        for pair, gap in zip(pairs, clear.tolist(), strict=True)
        if gap <= 0.0
    }


def _made_together(body: Body) -> set[frozenset[str]]:
    """The pairs of parts between which there are joints and what others cover alone, such as shoulders or discs, or what has no shape."""
    beside: dict[str, set[str]] = {}
    for joint in body.joints:
        for one, other in ((joint.parent, joint.child), (joint.child, joint.parent)):
            beside.setdefault(one, set()).add(other)
    between = {s.id for s in body.segments if _plain(s.id) in (*COVERED, *BLOCKS) or not s.surfaces}

    def reached(start: str) -> set[str]:
        found, left = set[str](), [start]
        while left:
            new = beside[left.pop()] - found
            found |= new
            left += new & between
        return found

    return {frozenset((a, b)) for a in beside for b in reached(a)}


def arm_pairs(body: Body, side: str) -> list[tuple[str, str]]:
    """What parts of an arm may meet of trunk, head and legs, each arm's part first; of a trunk with shapes for it, these."""
    names = list(_named(body))
    flanks, found = _beside(names), []
    for pair in _offered(body, names):
        arms = [name for name in pair if _plain(name) in ARM]
        if len(arms) == 1 and arms[0].startswith(side):
            over = _over(pair)
            jacket = JACKET in over and JACKET in names and not flanks
            for met in flanks.get(pair, [over if jacket else pair]):
                found.append((arms[0], met[1] if met[0] == arms[0] else met[0]))
    return found


def solids_of(body: Body, placed: Mapping[str, Placed]) -> dict[str, Solid]:
    """Place the body's surfaces, by SEGMENT or SEGMENT.SURFACE."""
    return {name: _solid(shape, placed[id_]) for name, (id_, shape) in _named(body).items()}


def _named(body: Body) -> dict[str, tuple[str, Surface]]:
    return {
        segment.id if shape.id == SURFACE else f"{segment.id}.{shape.id}": (segment.id, shape)
        for segment in body.segments
        for shape in segment.surfaces
    }


def _offered(body: Body, names: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of whole segments that a person can bring together."""
    joined = {frozenset((joint.parent, joint.child)) for joint in body.joints}
    short = _feet_reach_head(body)
    return [
        (a, b)
        for a, b in combinations((name for name in names if "." not in name), 2)
        if frozenset((a, b)) not in joined
        and (not {_plain(a), _plain(b)} & set(COVERED) or _leans(a, b) or _leans(b, a))
        and not (_never(a, b, short) or _never(b, a, short))
    ]


def _beside(names: Sequence[str]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """The pairs that stand for one of a trunk's slice and an arm, where the body has its sides."""
    return {
        (whole, arm): [(part, arm) for part in parts]
        for whole, parts in FLANKS
        for arm in names
        if set(parts) <= set(names) and _plain(arm) in ARM
    }


def _leans(a: str, b: str) -> bool:
    return _plain(b) in LEANS.get(_plain(a), ())


def _over(pair: tuple[str, str]) -> tuple[str, str]:
    """The pair with the jacket in the place of what it covers."""
    a, b = (JACKET if name in UNDER_JACKET else name for name in pair)
    return (a, b) if JACKET in (a, b) else ("", "")


def _apart(pairs: Sequence[tuple[str, str]], solids: Mapping[str, Solid]) -> set[tuple[str, str]]:
    clear = gaps([solids[a] for a, _ in pairs], [solids[b] for _, b in pairs], [False] * len(pairs))
    return {pair for pair, gap in zip(pairs, clear, strict=True) if gap > 0.0}


def _plain(segment: str) -> str:
    return segment.removeprefix(RIGHT).removeprefix(LEFT)


def _never(a: str, b: str, short: bool) -> bool:
    if short and _plain(a) == "foot" and _plain(b) in UP:
        return False
    return _plain(b) in APART.get(_plain(a), ())


def _feet_reach_head(body: Body) -> bool:
    """Whether straight legs end no farther from the hips than the middle of the head is, along the spine."""
    joints = {joint.id: joint for joint in body.joints}
    hip, ankle = (joints.get(f"{RIGHT}{name}") for name in ("hip", "ankle"))
    head = next((s for s in body.segments if s.id == "head" and s.surfaces), None)
    if hip is None or ankle is None or head is None:
        return False
    leg, hinge = _along(body, ankle.parent, ankle.parent_frame.position_m, hip.parent)
    spine, foot = _along(body, head.id, head.surfaces[0].centre_m, hip.parent)
    # hips lie to the sides of the spine
    return leg <= spine + math.hypot(foot[0] - hinge[0], foot[2] - hinge[2])


def _along(body: Body, segment: str, point: Vec3, root: str) -> tuple[float, Vec3]:
    """How far it is from a point of a segment over its joints down to another, and where one comes to that."""
    above, way = {joint.child: joint for joint in body.joints}, 0.0
    while segment != root and segment in above:
        joint = above[segment]
        way += math.dist(point, joint.child_frame.position_m)
        segment, point = joint.parent, joint.parent_frame.position_m
    return way, point


def _solid(shape: Surface, placed: Placed) -> Solid:
    semi = np.array(shape.semi_axes_m)
    return Solid(
        placed.p_W + placed.R_WS @ np.array(shape.centre_m),
        placed.R_WS @ turn(shape.orientation),
        semi,
        np.array(powers_of(shape)),
        float(np.linalg.norm(semi)),
    )
