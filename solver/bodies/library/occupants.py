"""Who sits there: the segments of an occupant by the part of the body that each one is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from solver.project.document import Project
from solver.project.geometry import Ellipsoid, SurfaceRef

ROLES: tuple[str, ...] = (
    "lower_torso", "centre_torso", "upper_torso", "neck", "head",
    "right_upper_leg", "right_lower_leg", "right_foot",
    "left_upper_leg", "left_lower_leg", "left_foot",
    "right_upper_arm", "right_forearm", "left_upper_arm", "left_forearm",
)  # fmt: skip
"""Parts of a body of 15 segments; further ones, such as hands, go by their own name."""

FINER: Mapping[str, tuple[str, ...]] = {
    "upper_torso": ("sternum", "right_shoulder", "left_shoulder", "lower_ribs"),
    "centre_torso": ("lumbar_1", "lumbar_2"),
    "neck": ("neck_1", "neck_2", "neck_3", "neck_4"),
    "right_upper_leg": ("right_knee_block",),
    "left_upper_leg": ("left_knee_block",),
    "right_lower_leg": ("right_ankle_block",),
    "left_lower_leg": ("left_ankle_block",),
    "right_upper_arm": ("right_elbow_block",),
    "right_forearm": ("right_wrist_block", "right_hand"),
    "left_upper_arm": ("left_elbow_block",),
    "left_forearm": ("left_wrist_block", "left_hand"),
}
"""What stands for a part as well, where a body is divided further: whatever touches the part touches these."""

MAIN: Mapping[str, str] = {finer: role for role, parts in FINER.items() for finer in parts}
"""Which part each of those stands for."""

OUTER: Mapping[str, str] = {"upper_torso": "jacket"}
"""The surface that what is around touches, where a part has it; else its first one."""

SIDE, CORE = "side", "core"
"""Surface that an entry names of a part when it meets its side: the part's core, where it has one, and what gives way beside it."""
BESIDE: Mapping[str, tuple[str, ...]] = {
    "upper_torso": tuple(
        f"{side}_{part}"
        for side in ("right", "left")
        for part in ("ribs", "rib_1", "rib_2", "rib_3", "belly_rib_1", "belly_rib_2")
    ),
    "centre_torso": ("right_abdomen_pad", "left_abdomen_pad"),
    "lower_torso": (
        "right_ilium",
        "left_ilium",
        "right_hip_pad",
        "left_hip_pad",
        "right_iliac_pad",
        "left_iliac_pad",
    ),
}

STRAPS: Mapping[str, tuple[str, ...]] = {
    "upper_torso": (
        "sternum.body",
        "right_shoulder.body",
        "left_shoulder.body",
        "lower_ribs.body",
        "upper_torso.right_ribs",
        "upper_torso.left_ribs",
        "centre_torso.body",
    ),
    "lower_torso": ("lower_torso.iliac",),
}
"""What a strap over a part lies on, where a body has the first of them: it goes over the front of that one."""

THIGHS: tuple[str, ...] = ("right_upper_leg", "left_upper_leg")
"""What a lap strap lies on beside the crests: in the crease between them. Of bodies with an `insert`, dummies: their thighs are as high as those of a seated one,
people's are as thick all round as their mass asks for."""

INSERT = "centre_torso.insert"
BELLY: tuple[str, ...] = ("lumbar_1", "centre_torso", "lumbar_2")
"""Parts that straps sink into."""

BESIDE_STRAP: tuple[str, ...] = (INSERT, "lumbar_1.body")
"""What a lap strap that passes near by may come to lie on: the first that a body has."""

RIBS: tuple[str, ...] = ("upper_torso",)
"""Part whose ribs give way under straps beside the breastbone."""

FLESH, BELLY_FLESH, RIBS_GIVE = "belt_flesh", "belt_abdomen", "belt_ribs"
"""Laws of a body's own, by which straps sink into its pelvis, its belly and its ribs. Those of belly and ribs are a whole belt's, of however many points."""

BAGS: Mapping[str, tuple[str, ...]] = {"upper_torso": ("upper_torso.jacket",)}
"""What a bag presses on in the place of a part, where a body has it."""


def is_thigh(ref: SurfaceRef) -> bool:
    """Whether a surface is that of a thigh."""
    return ref.segment.endswith(THIGHS)


def is_insert(ref: SurfaceRef) -> bool:
    """Whether a surface is the front of a dummy's belly, before which a lap strap lies."""
    part, _, shape = INSERT.partition(".")
    return ref.segment.endswith(part) and ref.surface == shape


@dataclass(frozen=True, slots=True)
class Occupant:
    """The prefix of an occupant, the outer surface of each of its parts, and what lies under straps and bags."""

    prefix: str
    surfaces: Mapping[str, SurfaceRef]
    pressed: Mapping[str, SurfaceRef]
    """By part and surface, such as 'sternum.body'."""
    flesh: str | None = None
    """Law by which a strap sinks into the pelvis."""
    belly_flesh: str | None = None
    """Law by which a strap sinks into the belly, one point of it."""
    ribs_give: str | None = None
    """Law by which ribs give way under a strap beside the breastbone, one point of it on either side."""
    cores: Mapping[str, SurfaceRef] = field(default_factory=dict)
    """By part, what its sides leave when they give way."""

    def of(self, role: str, surface: str = "") -> Mapping[str, SurfaceRef]:
        """What stands for a part of the body, or for its side, by its own name: one surface, more or none."""
        parts = (role, *FINER.get(role, ()))
        found = {part: self.surfaces[part] for part in parts if part in self.surfaces}
        if surface != SIDE:
            return found
        beside = {one: self.surfaces[one] for one in BESIDE.get(role, ()) if one in self.surfaces}
        return {part: self.cores.get(part, ref) for part, ref in found.items()} | beside

    def under_strap(self, role: str) -> tuple[SurfaceRef, ...]:
        """What a strap over a part lies on."""
        thighs = self.thighs() if role == "lower_torso" else ()
        return (*self._pressed(STRAPS, role), *thighs)

    def thighs(self) -> tuple[SurfaceRef, ...]:
        """The thighs that a lap strap lies on beside the crests."""
        return tuple(
            self.surfaces[one] for one in THIGHS if INSERT in self.pressed and one in self.surfaces
        )

    def beside_strap(self, role: str) -> SurfaceRef | None:
        """What a strap over a part may come to lie on when it slips, or when the trunk bends over it."""
        if role != "lower_torso" or self.front(role) is None or self.belly_flesh is None:
            return None
        return next((self.pressed[name] for name in BESIDE_STRAP if name in self.pressed), None)

    def whole(self, segment: str) -> str | None:
        """The law of a whole belt by which straps sink into a segment, a belly or ribs; none where it has no such law."""
        for law, parts in ((self.belly_flesh, BELLY), (self.ribs_give, RIBS)):
            if law is not None and segment in {ahead_of(self.prefix) + part for part in parts}:
                return law
        return None

    def flesh_of(self, segment: str) -> str | None:
        """The law by which straps sink into a segment; none where they lie on it as on bone."""
        if law := self.whole(segment):
            return law
        thighs = {ref.segment for ref in self.thighs()}
        return self.flesh if segment in {f"{ahead_of(self.prefix)}lower_torso", *thighs} else None

    def under_bag(self, role: str) -> tuple[SurfaceRef, ...]:
        """What a bag before a part presses on."""
        return self._pressed(BAGS, role)

    def front(self, role: str) -> SurfaceRef | None:
        """The bone over whose front a strap goes; none where the body has no such bone."""
        return self.pressed.get(next(iter(STRAPS.get(role, ())), ""))

    def _pressed(self, known: Mapping[str, tuple[str, ...]], role: str) -> tuple[SurfaceRef, ...]:
        names = known.get(role, ())
        if not names or names[0] not in self.pressed:
            return tuple(self.of(role).values())
        return tuple(self.pressed[name] for name in names if name in self.pressed)


def ahead_of(prefix: str) -> str:
    """What stands before the plain ids of an occupant."""
    return f"{prefix}_" if prefix else ""


def bearing(project: Project, prefix: str) -> Callable[[str], bool]:
    """Tell which ids bear an occupant's prefix: 'max_m_head' is Max M's, not Max's."""
    ahead = ahead_of(prefix)
    roots = (s.id.removesuffix("lower_torso") for s in project.segments)
    longer = tuple(r for r in roots if r != ahead and r.startswith(ahead) and r.endswith("_"))
    return lambda id_: id_.startswith(ahead) and not (longer and id_.startswith(longer))


def occupant(project: Project, prefix: str = "") -> Occupant | None:
    """Find the occupant whose segments are named `prefix_part`; None where there is none."""
    ahead = ahead_of(prefix)
    found = {
        (part := segment.id[len(ahead) :]): SurfaceRef(
            segment=segment.id, surface=_outer(part, [shape.id for shape in segment.surfaces])
        )
        for segment in project.segments
        if segment.id.startswith(ahead) and segment.surfaces
    }
    names = {name for known in (STRAPS, BAGS) for under in known.values() for name in under}
    names |= {*BESIDE_STRAP}
    pressed = {
        name: SurfaceRef(segment=segment.id, surface=shape.id)
        for segment in project.segments
        if segment.id.startswith(ahead)
        for shape in segment.surfaces
        if (name := f"{segment.id[len(ahead) :]}.{shape.id}") in names
    }
    laws = {law.id for law in project.contact_laws}
    flesh, belly, ribs = (
        ahead + law if ahead + law in laws else None for law in (FLESH, BELLY_FLESH, RIBS_GIVE)
    )
    cores = {
        part: SurfaceRef(segment=ref.segment, surface=CORE)
        for segment in project.segments
        for part, ref in found.items()
        if ref.segment == segment.id and any(shape.id == CORE for shape in segment.surfaces)
    }
    if not any(role in found for role in ROLES):
        return None
    return Occupant(prefix, found, pressed, flesh, belly, ribs, cores)


def _outer(part: str, shapes: Sequence[str]) -> str:
    outer = OUTER.get(part, "")
    return outer if outer in shapes else shapes[0]


def occupants(project: Project) -> tuple[Occupant, ...]:
    """Find every occupant of a project."""
    prefixes = dict.fromkeys(
        segment.id[: -len("lower_torso")].rstrip("_")
        for segment in project.segments
        if segment.id.endswith("lower_torso")
    )
    return tuple(who for prefix in prefixes if (who := occupant(project, prefix)))


def surfaces_that_hold(project: Project) -> list[SurfaceRef]:
    """The ellipsoids that may hold an airbag: those of what moves as prescribed first, those of people last."""
    driven = {motion.segment for motion in project.motions}
    people = {ref.segment for who in occupants(project) for ref in who.surfaces.values()}
    segments = sorted(project.segments, key=lambda s: (s.id in people, s.id not in driven))
    return [
        SurfaceRef(segment=segment.id, surface=one.id)
        for segment in segments
        for one in segment.surfaces
        if type(one) is Ellipsoid
    ]
