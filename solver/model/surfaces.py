"""Make surfaces, planes, contact laws and allowed contacts into arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

import numpy as np

from solver.engine.dynamics.tree import DRIVEN, Array
from solver.engine.forces import laws as kernels
from solver.engine.forces.contacts.arrays import (
    INSIDE,
    ON_PLANE,
    OUTSIDE,
    Clearance,
    ContactModel,
    Contacts,
    make_clearance,
)
from solver.engine.forces.contacts.edges import BELOW, FADE, NO_EDGES, SHARP
from solver.engine.forces.contacts.kernels import make_contacts
from solver.engine.forces.laws import Laws
from solver.engine.forces.surfaces import Planes, Surfaces
from solver.engine.maths.alike import length, to_power
from solver.engine.maths.curve import NONE, Curve
from solver.engine.maths.rotation import cross
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered, least_lost
from solver.model.tree import Places, Trees, point_on, turn
from solver.project.contact import (
    Contact,
    ContactLaw,
    HystereticLaw,
    PlaneContact,
    SurfaceLaw,
    WebbingLaw,
    surfaces_of,
)
from solver.project.document import Project
from solver.project.geometry import SurfaceRef, powers_of
from solver.project.memo import memoised
from solver.project.pose import plane_extent

EDGES = {"fade": FADE, "below": BELOW, "sharp": SHARP, "none": NO_EDGES}
NO_IMPULSE = -3.0
CURVES = {
    "base": kernels.BASE, "spike": kernels.SPIKE, "energy_ratio": kernels.RETURNED,
    "offset_ratio": kernels.KEPT, "factor": kernels.LAW_FACTOR, "gate": kernels.GATE,
    "damping": kernels.LAW_DAMPING, "friction": kernels.LAW_FRICTION,
}  # fmt: skip
"""Curves of the kernels' laws by the fields that hold them."""

AT_START = {"turning": 0.0, "elastic": 1.0}
UNLOADING = {"conserving": 0.0, "printed": kernels.BY_EVENTS}

ROLLS = 0.95
"""Part of the least radius of curvature found that is relied on: points may have missed the least."""


class SurfaceNumbers:
    """Number the surfaces of all segments."""

    def __init__(self, project: Project) -> None:
        pairs = [(s.id, shape) for s in project.segments for shape in s.surfaces]
        self.shapes = pairs
        self._numbers = {(segment, shape.id): k for k, (segment, shape) in enumerate(pairs)}

    def number(self, ref: SurfaceRef) -> int:
        """The number of a surface."""
        return self._numbers[ref.segment, ref.surface]


def compile_surfaces(project: Project, trees: Trees) -> Surfaces:
    """The surfaces of all segments."""
    return Surfaces._make(one.copy() for one in _surfaces(project, trees.body_of, trees.origin))


@memoised
def _surfaces(
    project: Project, body_of: Mapping[str, int], origin: Mapping[str, Array]
) -> Surfaces:
    shapes, trees = SurfaceNumbers(project).shapes, Places(body_of, origin)
    placed = [point_on(trees, segment, shape.centre_m) for segment, shape in shapes]
    power = [powers_of(s) for _, s in shapes]
    return Surfaces(
        body=wholes(body for body, _ in placed),
        at=reals((at for _, at in placed), 3),
        R=reals((turn(s.orientation).ravel() for _, s in shapes), 9),
        semi=reals((s.semi_axes_m for _, s in shapes), 3),
        power=reals(power, 3),
        is_hyper=wholes(max(p) > 2.0 for p in power),
        reach=reals(_reach(s.semi_axes_m, p) for (_, s), p in zip(shapes, power, strict=True)),
        ball=reals(rolling_ball(s.semi_axes_m, p) for (_, s), p in zip(shapes, power, strict=True)),
        centre=np.zeros((len(shapes), 3)),
    )


def _reach(semi: Iterable[float], power: Iterable[float]) -> float:
    """A distance from the centre that no point of a surface exceeds."""
    semi, power = tuple(semi), tuple(power)
    return max(semi) if max(power) == 2.0 else length(np.array(semi))


def rolling_ball(semi: Iterable[float], power: Iterable[float]) -> float:
    """The radius of the largest ball that rolls everywhere inside: the least radius of curvature."""
    return _rolling_ball(tuple(semi), tuple(power))


@lru_cache(1024)
def _rolling_ball(semi: tuple[float, ...], power: tuple[float, ...]) -> float:
    """Find it.

    (Blaschke, Kreis und Kugel, 1916, section 24.) That of an ellipsoid is known; that of a
    hyperellipsoid is looked for at points between its axes, and taken a little smaller.
    """
    a, p = np.array(semi), np.array(power)
    if np.max(p) == 2.0:
        return float(np.min(a) ** 2 / np.max(a))
    at = to_power(_shares(), 1.0 / p)
    g, bend = p * to_power(at, p - 1.0) / a, p * (p - 1.0) * to_power(at, p - 2.0) / a**2
    steep = np.linalg.norm(g, axis=1)
    n = g / steep[:, None]
    # curvatures in the tangent plane: the two roots that the normal leaves, by trace and minors
    total = bend.sum(axis=1) - (n**2 * bend).sum(axis=1)
    others = bend[:, [1, 2, 0]] * bend[:, [2, 0, 1]]
    product = (n**2 * others).sum(axis=1)
    root = np.sqrt(np.maximum(0.25 * total**2 - product, 0.0))
    return float(ROLLS / np.max((0.5 * total + root) / steep))


@cache
def _shares() -> Array:
    """Give shares of three that add up to one, between all of one and a millionth of it."""
    part = np.concatenate([[0.0], to_power(10.0, np.linspace(-6.0, 0.0, 25))])
    mixed = np.stack(np.meshgrid(part, part, part), -1).reshape(-1, 3)
    mixed = mixed[mixed.max(axis=1) == 1.0]
    out: Array = mixed / mixed.sum(axis=1)[:, None]
    return out


def compile_planes(project: Project, trees: Trees) -> Planes:
    """All planes."""
    return Planes._make(one.copy() for one in _planes(project, trees.body_of, trees.origin))


@memoised
def _planes(project: Project, body_of: Mapping[str, int], origin: Mapping[str, Array]) -> Planes:
    rows, trees = [], Places(body_of, origin)
    for plane in project.planes:
        corner, one, two = plane_extent(plane)
        body, at = point_on(trees, plane.segment, corner)
        normal = cross(one, two)
        area = length(normal)
        normal = normal / area
        duals = cross(two, normal) / area, cross(normal, one) / area
        rows.append((body, at, normal, (one, two), duals))
    return Planes(
        body=wholes(r[0] for r in rows),
        at=reals((r[1] for r in rows), 3),
        normal=reals((r[2] for r in rows), 3),
        edges=reals((edge for r in rows for edge in r[3]), 3),
        duals=reals((dual for r in rows for dual in r[4]), 3),
        now=np.zeros((len(rows), 6)),
    )


def compile_laws(
    project: Project, functions: Numbered, as_printed: bool = False
) -> tuple[Laws, dict[str, int]]:
    """All laws of surfaces and webbing, and their numbers by id; all those with memory as the old program has them."""
    rows = project.contact_laws
    made = [_law(law, functions) for law in rows]
    for law, (_, _, number) in zip(rows, made, strict=True):
        if as_printed and isinstance(law, HystereticLaw | WebbingLaw):
            # belts have their own account of steps, and what strikes has an event
            alone = isinstance(law, HystereticLaw) and law.restitution is None
            number[kernels.AS_PRINTED] = kernels.IN_STEPS if alone else kernels.BY_EVENTS
    laws = Laws(
        kind=wholes(kind for kind, _, _ in made),
        curve=wholes((curve for _, curve, _ in made), kernels.LAW_CURVES),
        number=reals((number for _, _, number in made), kernels.LAW_NUMBERS),
    )
    return laws, {law.id: n for n, law in enumerate(rows)}


def _law(law: ContactLaw, functions: Numbered) -> tuple[int, list[int], list[float]]:
    """Give kind, curves and numbers of a law, as its kernel knows them."""
    kind: int = getattr(kernels, law.kernel.law)
    curve, number = [NONE] * kernels.LAW_CURVES, [0.0] * kernels.LAW_NUMBERS
    for name, at in CURVES.items():
        if name in type(law).model_fields and name not in _idle(law):
            curve[at] = functions.number(getattr(law, name))
    number[kernels.FULL_FRICTION], number[kernels.RESTITUTION] = 1.0, NO_IMPULSE
    if isinstance(law, SurfaceLaw):
        number[kernels.FULL_FRICTION] = law.friction_ramp_m_per_s
        number[kernels.APPLIED_AT] = law.application_ratio
        if law.friction_law == "bristle":
            number[kernels.GRIP] = law.friction_stiffness_ratio
            number[kernels.GRIP_DAMPING] = law.friction_damping_ratio
            number[kernels.STATIC_RATIO] = law.static_friction_ratio
            number[kernels.STATIC_SPEED] = law.static_friction_speed_m_per_s
        if law.restitution is not None:
            number[kernels.RESTITUTION] = law.restitution
            number[kernels.GIVES_BY] = float(law.restitution_law == "poisson")
    for name, source in law.kernel.numbers.items():
        value = getattr(law, source)
        number[getattr(kernels, name)] = (AT_START | UNLOADING).get(value, value)
    if isinstance(law, HystereticLaw | WebbingLaw):
        number[kernels.BASE_START] = max(functions[law.base].start[0], 0.0)
        if law.spike is not None:
            top, end = _summit(functions[law.spike])
            number[kernels.SPIKE_TOP], number[kernels.SPIKE_END] = top, end
        if curve[kernels.RETURNED] != NONE:
            for at, spike in ((kernels.LEAST, law.spike), (kernels.LEAST_BARE, None)):
                curve[at] = least_lost(
                    functions, law.base, spike, law.energy_ratio, law.offset_ratio
                )
    return kind, curve, number


def _idle(law: ContactLaw) -> tuple[str, ...]:
    """Name the curves of a law that change nothing."""
    out: tuple[str, ...] = ()
    if isinstance(law, HystereticLaw | WebbingLaw):
        elastic = (law.energy_ratio, law.offset_ratio) == (1.0, 0.0) and law.spike is None
        out += ("energy_ratio", "offset_ratio") if elastic else ()
    if isinstance(law, SurfaceLaw) and law.friction == 0.0:
        out += ("friction",)
    return out


@lru_cache(maxsize=128)
def _summit(spike: Curve) -> tuple[float, float]:
    """The deflection at which a spike is highest, and its end."""
    end = spike.start[-1]
    x = np.linspace(spike.start[0], end, 2001)
    piece = np.clip(np.searchsorted(spike.start, x, side="right") - 1, 0, None)
    y = [np.polynomial.polynomial.polyval(a - spike.start[i], spike.poly[i])
         for a, i in zip(x, piece, strict=True)]  # fmt: skip
    return float(x[int(np.argmax(y))]), end


def compile_contacts(
    project: Project,
    numbers: SurfaceNumbers,
    laws: dict[str, int],
    surfaces: Surfaces,
    trees: Trees,
) -> Contacts:
    """All allowed contacts."""
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
    clear = _clearance(surfaces, [r[:3] for r in rows])
    model = ContactModel(
        kind=wholes(r[0] for r in rows),
        a=wholes(r[1] for r in rows),
        b=wholes(r[2] for r in rows),
        law=wholes(r[6] for r in rows),
        edge=wholes(r[3] for r in rows),
        behind=wholes(r[4] for r in rows),
        normal=wholes(r[5] for r in rows),
        mass=reals(_mass_of(project, trees, c) for c in project.contacts),
    )
    rests = {law.id for law in project.contact_laws if _rests(law)}
    return make_contacts(model, clear, any(c.law in rests for c in project.contacts))


def _rests(law: ContactLaw) -> bool:
    """Whether friction of a law holds by bristles."""
    return isinstance(law, SurfaceLaw) and law.friction != 0.0 and law.friction_law == "bristle"


def _mass_of(project: Project, trees: Trees, contact: Contact) -> float:
    """The mass that both bodies of a pair have against each other; the ground and what is driven count as held."""
    of = {plane.id: plane.segment for plane in project.planes}
    names = [surface.segment for surface in surfaces_of(contact)]
    if isinstance(contact, PlaneContact):
        names.append(of[contact.plane])
    bodies = [trees.body_of.get(name, -1) for name in names]
    a, b = (
        float(trees.tree.mass[i]) if i >= 0 and trees.locked[i] != DRIVEN else 0.0 for i in bodies
    )
    return a * b / (a + b) if a > 0.0 and b > 0.0 else a + b


def _clearance(surfaces: Surfaces, pairs: Sequence[tuple[int, int, int]]) -> Clearance:
    """Say how far the surfaces of each body reach that stands in a pair of surfaces."""
    of = surfaces.body
    sides = [(of[a], of[b]) if kind == OUTSIDE else (-1, -1) for kind, a, b in pairs]
    bodies = sorted({int(i) for pair in sides for i in pair if i >= 0})
    rows = {i: k for k, i in enumerate(bodies)}
    far = np.linalg.norm(surfaces.at, axis=1) + surfaces.reach
    return make_clearance(
        wholes(bodies),
        np.array([np.max(far[of == i]) for i in bodies]),
        # the ground stands last
        wholes(rows.get(int(i), len(bodies)) for i, _ in sides),
        wholes(rows.get(int(i), len(bodies)) for _, i in sides),
    )
