"""Make surfaces, planes, contact laws and allowed contacts into arrays."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from solver.dynamics.tree import Array
from solver.forces.contacts import INSIDE, ON_PLANE, OUTSIDE, PRESENT, SEEN, Contacts
from solver.forces.edges import FADE, NO_EDGES, SHARP
from solver.forces.laws import (
    HUNT_CROSSLEY,
    HYSTERETIC,
    INDENTED,
    LANKARANI,
    MEMORY,
    PANEL,
    RATED,
    Laws,
)
from solver.forces.meeting import WARM
from solver.forces.surfaces import Planes, Surfaces
from solver.forces.touch import make_touch
from solver.maths.curve import NONE, Curve
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered
from solver.model.points import point_on
from solver.model.tree import Trees, turn
from solver.project.contact import (
    ContactLaw,
    DampedLaw,
    HuntCrossleyLaw,
    HystereticLaw,
    IndentationLaw,
    KelvinVoigtLaw,
    LankaraniLaw,
    PanelLaw,
    PlaneContact,
    RateLaw,
    RateWebbingLaw,
    SurfaceLaw,
    WebbingLaw,
)
from solver.project.document import Project
from solver.project.geometry import Hyperellipsoid, SurfaceRef
from solver.project.segments import Plane, ThreePoints

EDGES = {"fade": FADE, "sharp": SHARP, "none": NO_EDGES}
NO_IMPULSE = -3.0


class SurfaceNumbers:
    """Number the surfaces of all segments."""

    def __init__(self, project: Project) -> None:
        pairs = [(s.id, shape) for s in project.segments for shape in s.surfaces]
        self.shapes = pairs
        self._numbers = {(segment, shape.id): k for k, (segment, shape) in enumerate(pairs)}

    def number(self, ref: SurfaceRef) -> int:
        """Give the number of a surface."""
        return self._numbers[ref.segment, ref.surface]


def compile_surfaces(numbers: SurfaceNumbers, trees: Trees) -> Surfaces:
    """Give the surfaces of all segments."""
    shapes = numbers.shapes
    placed = [point_on(trees, segment, shape.centre_m) for segment, shape in shapes]
    power = [s.powers if isinstance(s, Hyperellipsoid) else (2.0, 2.0, 2.0) for _, s in shapes]
    return Surfaces(
        body=wholes(body for body, _ in placed),
        at=reals((at for _, at in placed), 3),
        R=reals((turn(s.orientation).ravel() for _, s in shapes), 9),
        semi=reals((s.semi_axes_m for _, s in shapes), 3),
        power=reals(power, 3),
        is_hyper=wholes(max(p) > 2.0 for p in power),
        reach=reals(_reach(s.semi_axes_m, p) for (_, s), p in zip(shapes, power, strict=True)),
        centre=np.zeros((len(shapes), 3)),
    )


def _reach(semi: Iterable[float], power: Iterable[float]) -> float:
    """Give a distance from the centre that no point of a surface exceeds."""
    semi, power = tuple(semi), tuple(power)
    return max(semi) if max(power) == 2.0 else float(np.linalg.norm(semi))


def edges_of(plane: Plane) -> tuple[Array, Array, Array]:
    """Give a plane's first corner and its two edges, segment axes (section 2.2)."""
    place = plane.placement
    if isinstance(place, ThreePoints):
        p1, p2, p3 = (np.array(p) for p in (place.p1_m, place.p2_m, place.p3_m))
        return p1, p2 - p1, p3 - p1
    R = turn(place.frame.orientation)
    one, two = R[:, 0] * place.length_m, R[:, 1] * place.width_m
    return np.array(place.frame.position_m) - 0.5 * (one + two), one, two


def compile_planes(project: Project, trees: Trees) -> Planes:
    """Give all planes."""
    rows = []
    for plane in project.planes:
        corner, one, two = edges_of(plane)
        body, at = point_on(trees, plane.segment, corner)
        normal = np.cross(one, two)
        area = float(np.linalg.norm(normal))
        normal = normal / area
        duals = np.cross(two, normal) / area, np.cross(normal, one) / area
        rows.append((body, at, normal, (one, two), duals))
    return Planes(
        body=wholes(r[0] for r in rows),
        at=reals((r[1] for r in rows), 3),
        normal=reals((r[2] for r in rows), 3),
        edges=reals((edge for r in rows for edge in r[3]), 3),
        duals=reals((dual for r in rows for dual in r[4]), 3),
        now=np.zeros((len(rows), 6)),
    )


def compile_laws(project: Project, functions: Numbered) -> tuple[Laws, dict[str, int]]:
    """Give all laws of surfaces and webbing, and their numbers by id."""
    rows = project.contact_laws
    made = [_law(law, functions) for law in rows]
    laws = Laws(
        kind=wholes(kind for kind, _, _ in made),
        curve=wholes((curve for _, curve, _ in made), 8),
        number=reals((number for _, _, number in made), 10),
    )
    return laws, {law.id: n for n, law in enumerate(rows)}


def _law(law: ContactLaw, functions: Numbered) -> tuple[int, list[int], list[float]]:
    kind, curve, k, n, loss, dashpot = RATED, [NONE] * 8, 0.0, 0.0, 0.0, 0.0
    start = top = end = 0.0
    if isinstance(law, HystereticLaw | WebbingLaw):
        kind = HYSTERETIC
        start = max(functions[law.base].start[0], 0.0)
        curve[0], curve[1] = functions.number(law.base), functions.number(law.spike)
        if (law.energy_ratio, law.offset_ratio) != (1.0, 0.0) or law.spike is not None:
            curve[2] = functions.number(law.energy_ratio)
            curve[3] = functions.number(law.offset_ratio)
        if law.spike is not None:
            top, end = _summit(functions[law.spike])
    elif isinstance(law, RateLaw | RateWebbingLaw):
        curve[0] = functions.number(law.base)
        curve[5:] = [functions.number(c) for c in (law.factor, law.gate, law.damping)]
    elif isinstance(law, DampedLaw):
        curve[0], dashpot = functions.number(law.base), law.damping_ns_per_m
    elif isinstance(law, KelvinVoigtLaw):
        k, dashpot = law.stiffness_n_per_m, law.damping_ns_per_m
    elif isinstance(law, PanelLaw):
        kind, k, n, loss = PANEL, law.force_n, law.growth_per_m, law.damping_ns_per_m
    else:
        assert isinstance(law, HuntCrossleyLaw | LankaraniLaw | IndentationLaw)
        k, n = law.stiffness_n_per_mn, law.exponent
        if isinstance(law, HuntCrossleyLaw):
            kind, loss = HUNT_CROSSLEY, law.damping_s_per_m
        else:
            kind = LANKARANI if isinstance(law, LankaraniLaw) else INDENTED
            loss = law.loss_restitution
    if not isinstance(law, SurfaceLaw):
        return kind, curve, [1.0, NO_IMPULSE, 0.0, k, n, loss, dashpot, start, top, end]
    curve[4] = NONE if law.friction == 0.0 else functions.number(law.friction)
    impulse = NO_IMPULSE if law.restitution is None else law.restitution
    numbers = [law.friction_ramp_m_per_s, impulse, law.application_ratio, k, n, loss, dashpot]
    return kind, curve, [*numbers, start, top, end]


def _summit(spike: Curve) -> tuple[float, float]:
    """Give the deflection at which a spike is highest, and its end."""
    end = spike.start[-1]
    x = np.linspace(spike.start[0], end, 2001)
    piece = np.clip(np.searchsorted(spike.start, x, side="right") - 1, 0, None)
    y = [np.polynomial.polynomial.polyval(a - spike.start[i], spike.poly[i])
         for a, i in zip(x, piece, strict=True)]  # fmt: skip
    return float(x[int(np.argmax(y))]), end


def compile_contacts(project: Project, numbers: SurfaceNumbers, laws: dict[str, int]) -> Contacts:
    """Give all allowed contacts."""
    planes = {plane.id: k for k, plane in enumerate(project.planes)}
    bounded = {plane.id: plane.bounded for plane in project.planes}
    rows = []
    for c in project.contacts:
        if isinstance(c, PlaneContact):
            edge = EDGES[c.edge] if bounded[c.plane] else NO_EDGES
            pair = ON_PLANE, numbers.number(c.surface), planes[c.plane]
            choices = edge, c.holds_when_behind, False
        else:
            kind = INSIDE if c.inside else OUTSIDE
            pair = kind, numbers.number(c.first), numbers.number(c.second)
            choices = NO_EDGES, False, c.depth == "normal" and not c.inside
        rows.append((*pair, *choices, laws[c.law]))
    n = len(rows)
    return Contacts(
        kind=wholes(r[0] for r in rows),
        a=wholes(r[1] for r in rows),
        b=wholes(r[2] for r in rows),
        law=wholes(r[6] for r in rows),
        edge=wholes(r[3] for r in rows),
        behind=wholes(r[4] for r in rows),
        normal=wholes(r[5] for r in rows),
        mode=np.zeros(n, np.int64),
        present=np.full(n, PRESENT),
        memory=np.zeros((n, MEMORY)),
        warm=np.zeros((n, WARM)),
        seen=np.zeros((n, SEEN)),
        touch=make_touch(),
    )
