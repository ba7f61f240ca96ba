"""New contacts, belts, harnesses, airbags, springs, constraints, winds and loads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app import texts
from app.editing.bench import Bench, CannotMake
from app.editing.fresh_bags import airbag, ref_to
from app.editing.fresh_bodies import Row
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array, yaw_pitch_roll
from solver.project.geometry import Ellipsoid
from solver.project.joint_table import law_axes
from solver.project.joints import BallJoint
from solver.project.pose import turn
from solver.project.segments import GROUND, Segment
from solver.scene.placing import in_ground, up_of
from solver.scene.webbing import Body, body_of

_A_PLANE = msgid("a plane")
_ROLLING = msgid("Rolling")

_STEP_M = 0.12
"""How far anchors stand beside the body."""


def _plane_contact(bench: Bench) -> str:
    plane = bench.one("planes", tr("A contact on a plane"), tr(_A_PLANE))
    segment, surface = bench.surface(tr("A contact"))
    return bench.add(
        "contacts",
        "PlaneContact",
        f"{segment.id}_{plane}",
        plane=plane,
        surface=ref_to(segment, surface),
        law=bench.law(webbing=False),
    )


def _surface_contact(bench: Bench) -> str:
    touching = [s for s in bench.segments() if s.surfaces][:2]
    if len(touching) < 2:
        raise CannotMake(tr("A contact of two surfaces needs two segments that have some."))
    first, second = touching
    return bench.add(
        "contacts",
        "SurfaceContact",
        f"{first.id}_{second.id}",
        first=ref_to(first, first.surfaces[0]),
        second=ref_to(second, second.surfaces[0]),
        law=bench.law(webbing=False),
    )


def _wrap(bench: Bench, segment: Segment, surface: Ellipsoid) -> tuple[Body, Array, Array, Array]:
    """Give the surface in ground axes, and its forward, sideways and upward directions."""
    body = body_of(surface, segment.id, bench.pose)
    up = up_of(bench.project)
    ahead = bench.pose[segment.id].R_WS[:, 0]
    ahead = ahead - (ahead @ up) * up
    size = float(np.linalg.norm(ahead))
    ahead = ahead / size if size > 1e-6 else np.cross(up, np.eye(3)[1])
    return body, ahead, np.cross(up, ahead), up


def _anchors(bench: Bench, body: Body, ahead: Array, side: Array, up: Array) -> tuple[Array, Array]:
    """Place two anchors behind and below, left and right of a body."""
    wide = float(np.linalg.norm(body.axes * (body.R_WE.T @ side))) + 0.5 * _STEP_M
    base = body.p_W - _STEP_M * ahead - _STEP_M * up
    return base - wide * side, base + wide * side


def _belt(bench: Bench) -> str:
    segment, surface = bench.surface(tr("A belt"), plain=True)
    body, ahead, side, up = _wrap(bench, segment, surface)
    left, right = _anchors(bench, body, ahead, side, up)
    carrier = bench.carrier()
    fixed = body.onto(body.p_W + 0.5 * ahead * float(max(body.axes)))
    return bench.add(
        "belts",
        "Belt",
        "belt",
        anchor_a={"segment": carrier, "position_m": bench.seen_from(carrier, left)},
        anchor_b={"segment": carrier, "position_m": bench.seen_from(carrier, right)},
        surface=ref_to(segment, surface),
        fixed_point_m=bench.seen_from(segment.id, fixed),
        law=bench.law(webbing=True),
    )


def _harness(bench: Bench) -> str:
    segment, surface = bench.surface(tr("A harness"))
    body, ahead, side, up = _wrap(bench, segment, surface)
    left, right = _anchors(bench, body, ahead, side, up)
    carrier = bench.carrier()
    over = [
        body.onto(body.p_W + float(max(body.axes)) * (0.6 * ahead + share * side))
        for share in (-0.5, 0.0, 0.5)
    ]
    points: list[dict[str, Any]] = [
        {"kind": "anchor", "segment": carrier, "position_m": bench.seen_from(carrier, left)},
        *(
            {
                "kind": "surface",
                "surface": ref_to(segment, surface),
                "position_m": bench.seen_from(segment.id, point),
                "friction_along": 0.25,
            }
            for point in over
        ),
        {"kind": "anchor", "segment": carrier, "position_m": bench.seen_from(carrier, right)},
    ]
    strap = {"id": "strap", "law": bench.law(webbing=True), "points": points}
    return bench.add("harnesses", "Harness", "harness", straps=[strap])


def _points(bench: Bench, what: str) -> tuple[dict[str, Any], dict[str, Any], float]:
    """Give two points to join, of the two selected segments or of one and a point above it."""
    segments = bench.segments()
    if not segments:
        raise CannotMake(tr(texts.making.NEEDS, what=what, noun=tr(texts.making.A_SEGMENT)))
    picked = bench.picked("segments")
    if len(picked) >= 2:
        first, second = segments[0], segments[1]
        a, b = in_ground(bench.pose, first.id, (0.0, 0.0, 0.0)), bench.pose[second.id].p_W
        other = first.id
    else:
        second = segments[0]
        other = bench.carrier()
        if other == second.id:
            other = GROUND
        b = bench.pose[second.id].p_W
        a = b + 0.5 * up_of(bench.project)
    length = max(0.01, round(float(np.linalg.norm(b - a)), 4))
    return (
        {"segment": other, "position_m": bench.seen_from(other, a)},
        {"segment": second.id, "position_m": bench.seen_from(second.id, b)},
        length,
    )


def _spring(model: str, **fields: Any) -> Callable[[Bench], str]:
    def make(bench: Bench) -> str:
        a, b, _ = _points(bench, tr("A spring"))
        more = {"force": bench.function("m", "N")} if model == "TabulatedSpring" else {}
        return bench.add("springs", model, "spring", a=a, b=b, **fields, **more)

    return make


def _bushing(bench: Bench) -> str:
    a, b, _ = _points(bench, tr("A bushing"))
    ends = [{"segment": p["segment"], "frame": {"position_m": p["position_m"]}} for p in (a, b)]
    return bench.add(
        "springs",
        "Bushing",
        "bushing",
        a=ends[0],
        b=ends[1],
        stiffness_n_per_m=(50_000.0,) * 3,
        damping_ns_per_m=(500.0,) * 3,
    )


def _disc(bench: Bench) -> str:
    """Join two segments by a disc as large as one of a neck (assumed), at the second's middle, undeformed."""
    first, second, _ = _points(bench, tr("A disc"))
    height = 0.006
    below, above = bench.pose[first["segment"]], bench.pose[second["segment"]]
    b = above.p_W
    place = bench.seen_from(first["segment"], b - height * below.R_WS[:, 2])
    angles = [float(one) for one in yaw_pitch_roll(above.R_WS.T @ below.R_WS)]
    return bench.add(
        "springs", "Disc", "disc", a={"segment": first["segment"], "frame": {"position_m": place}},
        b={"segment": second["segment"], "frame": {"orientation": {"angles_rad": angles}}},
        height_m=height, area_m2=4e-4, moment_y_m4=1.2e-8, moment_x_m4=2e-8, polar_m4=3.2e-8,
        elastic_pa=3.4e6, shear_pa=1.2e6,
    )  # fmt: skip


def _coordinate(bench: Bench) -> str:
    """Resist the selected joint's axis, else the distance of two segments."""
    joints = {joint.id: joint for joint in bench.project.joints}
    picked = [name for name in bench.picked("joints") if law_axes(joints[name])]
    if picked:
        axis = law_axes(joints[picked[0]])[0]
        at: dict[str, Any] = {"kind": "joint", "joint": picked[0], "axis": axis}
        law = {"kind": "coulomb", "size": 10.0}
    else:
        a, b, _ = _points(bench, tr("A force on a distance"))
        at, law = {"kind": "distance", "a": a, "b": b}, {"kind": "linear", "stiffness": 10_000.0}
    name = f"{picked[0]}_force" if picked else "distance_force"
    return bench.add("coordinate_forces", "CoordinateForce", name, coordinate=at, laws=(law,))


def _tension(bench: Bench) -> str:
    a, b, length = _points(bench, tr("A tension element"))
    return bench.add(
        "tension_elements",
        "TensionElement",
        "string",
        a=a,
        b=b,
        stiffness_n_per_m=10_000.0,
        rest_length_m=length,
    )


def _constraint(model: str, name: str) -> Callable[[Bench], str]:
    def make(bench: Bench) -> str:
        a, b, _ = _points(bench, tr("A constraint"))
        if model == "ZeroDistance":
            # both points in one place: that of the second segment
            where = in_ground(bench.pose, b["segment"], b["position_m"])
            a["position_m"] = bench.seen_from(a["segment"], where)
        return bench.add("constraints", model, name, a=a, b=b)

    return make


def _condyle(bench: Bench) -> str:
    """Let the smaller of two ellipsoids roll and slide in the larger one, or on it where its centre is outside."""
    touching = [
        (segment, surface)
        for segment in bench.segments()
        for surface in segment.surfaces[:1]
        if type(surface) is Ellipsoid
    ][:2]
    if len(touching) < 2:
        raise CannotMake(tr("A ball in a socket needs two segments that have an ellipsoid each."))
    small, large = sorted(touching, key=lambda one: max(one[1].semi_axes_m))
    segment, surface = small
    centre = bench.seen_from(large[0].id, in_ground(bench.pose, segment.id, surface.centre_m))
    off = (np.array(centre) - large[1].centre_m) @ turn(large[1].orientation)
    return bench.add(
        "constraints",
        "RollSlide",
        "condyle",
        surface=ref_to(*small),
        other=ref_to(*large),
        inside=bool(np.linalg.norm(off / large[1].semi_axes_m) < 1.0),
        starts="on_touch",
        holds="pressing",
    )


def rolling_maker(**more: Any) -> Callable[[Bench], str]:
    """Let a surface roll and slide on a plane, once it touches."""

    def make(bench: Bench) -> str:
        plane = bench.one("planes", tr(_ROLLING), tr(_A_PLANE))
        segment, surface = bench.surface(tr(_ROLLING), plain=True)
        return bench.add(
            "constraints", "RollSlide", "rolling", surface=ref_to(segment, surface), plane=plane, starts="on_touch",
            static_friction=0.6, sliding_friction=0.5, **more,
        )  # fmt: skip

    return make


def _flexible(bench: Bench) -> str:
    """Take the selected segments, or the longest chain of ball joints."""
    below: dict[str, str] = {}
    for joint in bench.project.joints:
        if isinstance(joint, BallJoint) and joint.parent != GROUND:
            below.setdefault(joint.parent, joint.child)
    picked = bench.picked("segments")
    chains = []
    for segment in bench.project.segments:
        chain = [segment.id]
        while (ahead := below.get(chain[-1])) is not None and ahead not in chain:
            chain.append(ahead)
        chains.append(chain)
    chain = max(chains, key=len, default=[])
    if len(picked) >= 3:
        chain = [
            one for one in max(chains, key=lambda c: len(set(c) & set(picked))) if one in picked
        ]
    if len(chain) < 3:
        raise CannotMake(
            tr("A flexible element needs three segments joined by ball joints in a row.")
        )
    share = 1.0 / (len(chain) - 1)
    bends = [
        {
            "linear": [
                [share * (i + 1), 0.0, 0.0],
                [0.0, share * (i + 1), 0.0],
                [0.0, 0.0, share * (i + 1)],
            ]
        }
        for i in range(len(chain) - 2)
    ]
    return bench.add("flexible_elements", "FlexibleElement", "spine", segments=chain, bends=bends)


def _wind(bench: Bench) -> str:
    segment, surface = bench.surface(tr("A wind"), plain=True)
    return bench.add(
        "winds",
        "Wind",
        "wind",
        kind="speed",
        air_velocity_m_per_s=(-50.0, 0.0, 0.0),
        targets=[{"surface": ref_to(segment, surface)}],
    )


def _load(kind: str) -> Callable[[Bench], str]:
    def make(bench: Bench) -> str:
        segment = bench.segment(tr("A load"))
        history = bench.function("s", "N" if kind == "force" else "N*m")
        return bench.add("loads", "Load", kind, kind=kind, segment=segment.id, history=history)

    return make


FORCES: tuple[Row, ...] = (
    ("contacts", "plane", _plane_contact),
    ("contacts", "surfaces", _surface_contact),
    ("belts", "", _belt),
    ("harnesses", "", _harness),
    ("airbags", "", airbag),
    ("springs", "linear", _spring("LinearSpring", stiffness_n_per_m=10_000.0, damping_ns_per_m=100.0)),
    ("springs", "tabulated", _spring("TabulatedSpring")),
    ("springs", "bushing", _bushing),
    ("springs", "disc", _disc),
    ("coordinate_forces", "", _coordinate),
    ("tension_elements", "", _tension),
    ("constraints", "zero_distance", _constraint("ZeroDistance", "loop")),
    ("constraints", "fixed_distance", _constraint("FixedDistance", "rod")),
    ("constraints", "roll_slide", rolling_maker()),
    ("constraints", "condyle", _condyle),
    ("flexible_elements", "", _flexible),
    ("winds", "", _wind),
    ("loads", "force", _load("force")),
    ("loads", "torque", _load("torque")),
)  # fmt: skip
