"""New contacts, belts, harnesses, airbags, springs, constraints, winds and loads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.editing.naming import free_id
from app.editing.new_bodies import Row
from solver.base.words import msgid, tr
from solver.bodies.body import SURFACE
from solver.bodies.library.occupants import Occupant, occupants
from solver.editing.bench import A_SEGMENT, NEEDS, Bench, CannotMake
from solver.editing.by_hand import by_hand
from solver.engine.maths.rotation import Array, yaw_pitch_roll
from solver.project.geometry import Ellipsoid, upright
from solver.project.joint_table import law_axes
from solver.project.joints import BallJoint
from solver.project.pose import plane_extent, turn
from solver.project.segments import GROUND, Segment
from solver.scene.placing import in_ground, up_of
from solver.scene.webbing import Body, body_of

VOLUME_M3 = 0.0015
"""Of the tank of a new bag: it fills 66 litres to 20 to 80 kPa above the air, as bags in cars do."""
VENTS_M2 = 0.003
"""Of the holes of a new bag: two of 44 mm; the library's driver bag of 60 litres has two of 40 mm."""
FRICTION, SPRING_N_PER_M = 0.3, 20_000.0
"""Of a new bag, as the library's driver bag has them: without friction it slips off its panel under a chest (assumed, 0.2 to 0.5)."""
_PANEL_M, _AHEAD_M = (0.03, 0.3, 0.3), 0.6
"""A panel as wide as the bag, and how far ahead of the chest it stands."""
_NEAR_M, _FAR_M, _AHEAD_COS = 0.3, 1.2, 0.5
"""How far a plane may be from a chest for a bag between both, and the cosine of how far it may lean back (assumed)."""


def ref_to(segment: Segment, surface: Ellipsoid) -> dict[str, str]:
    """Name a surface."""
    return {"segment": segment.id, "surface": surface.id}


def airbag(bench: Bench) -> str:
    """Make a bag that comes out of the vehicle towards who sits there."""
    everybody = (*occupants(bench.project), *by_hand(bench.project))
    people = [who for who in everybody if who.of("upper_torso", SURFACE)]
    parts = {ref.segment for who in people for ref in who.surfaces.values()}
    held = _on_plane(bench, people, parts) or _on_surface(bench, people, parts)
    panels = {ref["segment"] for ref in held.get("panels", ())}
    others = [s for s in bench.project.segments if s.id not in panels]
    # people first, as they are whom it is for
    others.sort(key=lambda s: s.id not in parts)
    touches = [ref_to(s, one) for s in others for one in s.surfaces if type(one) is Ellipsoid]
    return bench.add(
        "airbags",
        "Airbag",
        "airbag",
        **held,
        semi_axes_m=(0.2, 0.28, 0.28),
        fabric_mass_kg=0.4,
        inflator={
            "kind": "tank",
            "volume_m3": VOLUME_M3,
            "pressure_pa": 1.0e7,
            "throat_area_m2": 1.0e-4,
        },
        vents=[{"area_m2": VENTS_M2}],
        panel_stiffness_n_per_m=SPRING_N_PER_M,
        friction=FRICTION,
        touches=touches[:50],
    )


def _on_plane(bench: Bench, people: list[Occupant], parts: set[str]) -> dict[str, Any]:
    """Where a bag stands on a plane of the vehicle that faces a chest from ahead; nothing where there is none."""
    carrier = bench.carrier()
    if not people or carrier == GROUND:
        return {}
    ahead, up = bench.pose[carrier].R_WS[:, 0], up_of(bench.project)
    chest = bench.pose[next(iter(people[0].of("upper_torso", SURFACE).values())).segment].p_W
    for plane in bench.project.planes:
        if plane.segment in parts or plane.segment == GROUND:
            continue
        corner, one, two = plane_extent(plane)
        at = bench.pose[plane.segment].R_WS
        R = at @ np.stack([one / np.linalg.norm(one), two, np.cross(one, two)], axis=1)
        front = R[:, 2] / np.linalg.norm(R[:, 2])
        way = in_ground(bench.pose, plane.segment, corner + 0.5 * (one + two)) - chest
        far = float(-way @ front)
        foot = at.T @ (-far * front - way)
        share = [abs(float(foot @ edge) / float(edge @ edge)) for edge in (one, two)]
        faces = _NEAR_M < far < _FAR_M and -front @ ahead > _AHEAD_COS
        if not faces or (plane.bounded and max(share) > 0.5):
            continue
        x = -at.T @ front
        z = at.T @ up - (at.T @ up @ x) * x
        z /= np.linalg.norm(z)
        axes = np.stack(
            [one / np.linalg.norm(one), np.cross(at.T @ front, one / np.linalg.norm(one))], axis=1
        )
        place = [*(float(c) for c in np.round(foot @ axes, 4)), 0.0]
        turned = upright(np.stack([x, np.cross(z, x), z], axis=1))
        return {
            "planes": [plane.id],
            "deployment_point_m": place,
            "orientation": turned.model_dump(),
        }
    return {}


def _on_surface(bench: Bench, people: list[Occupant], parts: set[str]) -> dict[str, Any]:
    """Where a bag stands on a surface of the vehicle."""
    segment, surface = _panel(bench, people, parts)
    at = (-float(surface.semi_axes_m[0]), 0.0, 0.0)
    return {"panels": [ref_to(segment, surface)], "deployment_point_m": at}


def _panel(bench: Bench, people: list[Occupant], parts: set[str]) -> tuple[Segment, Ellipsoid]:
    """A surface that a bag comes out of: none of a person's, and where there is no other, a new one ahead of the chest.

    The new one is the vehicle's, half as far again from the chest as the bag is thick.
    """
    for segment in bench.segments():
        for surface in segment.surfaces:
            if segment.id not in parts and type(surface) is Ellipsoid:
                return segment, surface
    carrier = bench.carrier()
    if not people or carrier == GROUND:
        raise CannotMake(
            tr("{what} needs {noun}: add a segment with one first.", what=tr("An airbag"), noun=tr("an ellipsoid of the vehicle"))
        )  # fmt: skip
    chest = next(iter(people[0].of("upper_torso", SURFACE).values())).segment
    x, y, z = bench.seen_from(carrier, bench.pose[chest].p_W)
    number = next(n for n, s in enumerate(bench.project.segments) if s.id == carrier)
    segment = bench.project.segments[number]
    panel = Ellipsoid(
        id=free_id("airbag_panel", {s.id for s in segment.surfaces}),
        name=tr("Airbag panel"),
        semi_axes_m=_PANEL_M,
        centre_m=(x + _AHEAD_M, y, z),
    )
    segment = segment.model_copy(update={"surfaces": (*segment.surfaces, panel)})
    segments = tuple(segment if n == number else s for n, s in enumerate(bench.project.segments))
    bench.project = bench.project.model_copy(update={"segments": segments})
    return segment, panel


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
    """The surface in ground axes, and its forward, sideways and upward directions."""
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


def two_points(bench: Bench, what: str) -> tuple[dict[str, Any], dict[str, Any], float]:
    """Two points to join, of the two selected segments or of one and a point above it."""
    segments = bench.segments()
    if not segments:
        raise CannotMake(tr(NEEDS, what=what, noun=tr(A_SEGMENT)))
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
        a, b, _ = two_points(bench, tr("A spring"))
        more = {"force": bench.function("m", "N")} if model == "TabulatedSpring" else {}
        return bench.add("springs", model, "spring", a=a, b=b, **fields, **more)

    return make


def _bushing(bench: Bench) -> str:
    a, b, _ = two_points(bench, tr("A bushing"))
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
    first, second, _ = two_points(bench, tr("A disc"))
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
        a, b, _ = two_points(bench, tr("A force on a distance"))
        at, law = {"kind": "distance", "a": a, "b": b}, {"kind": "linear", "stiffness": 10_000.0}
    name = f"{picked[0]}_force" if picked else "distance_force"
    return bench.add("coordinate_forces", "CoordinateForce", name, coordinate=at, laws=(law,))


def _tension(bench: Bench) -> str:
    a, b, length = two_points(bench, tr("A tension element"))
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
        a, b, _ = two_points(bench, tr("A constraint"))
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


def _tyre(bench: Bench) -> str:
    """Let the selected segment roll on the selected plane, as the wheel of a car."""
    segment = bench.segment(tr("A tyre"))
    plane = bench.one("planes", tr("A tyre"), tr("a plane"))
    return bench.add(
        "tyres",
        "Tyre",
        "tyre",
        wheel=segment.id,
        roads=[plane],
        radius_m=0.31,
        crown_m=0.05,
        stiffness_n_per_m=200_000.0,
        damping_ns_per_m=200.0,
        cornering_n_per_rad=60_000.0,
        slip_stiffness_n=90_000.0,
    )


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
    ("tyres", "", _tyre),
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
