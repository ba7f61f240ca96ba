"""The table of joints: of each kind how it slides and turns, what acts there, and what that is called.

A joint is a chain from its parent's frame to its child's: it slides along axes of the parent's frame,
then turns about one axis after the other; some turns may lead, so that the slide goes along with them. Posing, checks, stops, arrays, outputs, mirror images, forms
and the scene read the table; besides it a kind has its schema alone (`solver.project.joints`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from solver.base.words import Sentence, msgid
from solver.project.azimuths import FlexureTable, GlobographicStop
from solver.project.joints import (
    Axis,
    BallJoint,
    Breakage,
    EulerJoint,
    ExtensionalJoint,
    FreeJoint,
    Friction,
    Joint,
    JointBase,
    Lock,
    LockedJoint,
    PinJoint,
    SixJoint,
    Slide,
    SlipJoint,
    Spring,
    UniversalJoint,
)

T = TypeVar("T")
S = TypeVar("S")

LABELS = {
    "first": msgid("the first axis"),
    "second": msgid("the second axis"),
    "third": msgid("the third axis"),
    "at_parent": msgid("the turn at its parent"),
    "at_child": msgid("the turn at its child"),
    "angle": msgid("its angle"),
}
"""Turns whose label in a sentence is not their name."""

Acts = Literal["nothing", "axes", "ball", "euler"]
"""What acts in a joint that turns.

axes: a spring, friction and a lock about each axis; ball: flexure and torsion of all turns together;
euler: three axes, each free or held, which are a ball while all are free (section 6.3).
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """Hold one turn: its axis, the name of its angle, and the joint's field for what acts about it.

    The field holds an `Axis`, or a `Spring` beside the joint's own friction and lock. A turn of a ball
    has none.
    """

    axis: Literal["x", "y", "z"]
    name: str
    field: str = ""

    @property
    def label(self) -> Sentence:
        """The name as it stands in a sentence."""
        return Sentence(LABELS.get(self.name, self.name))

    @property
    def mirrored(self) -> float:
        """The sign of the angle in the mirror of x and z: only turns about y keep theirs."""
        return 1.0 if self.axis == "y" else -1.0


@dataclass(frozen=True, slots=True)
class Sliding:
    """Hold one slide: its axis in the parent's frame, the name of its way, and the joint's field for its laws.

    A slide of a free joint has none.
    """

    axis: Literal["x", "y", "z"]
    name: str
    field: str = ""

    @property
    def said(self) -> str:
        """The name as it stands in a sentence."""
        return self.name

    @property
    def mirrored(self) -> float:
        """The sign of the way in the mirror of x and z: only ways along y change theirs."""
        return -1.0 if self.axis == "y" else 1.0


@dataclass(frozen=True, slots=True)
class Row:
    """Describe a kind of joint, or one choice of its rotation."""

    model: type[JointBase]
    acts: Acts
    turns: tuple[Turn, ...] = ()
    slides: tuple[Sliding, ...] = ()
    """Axes of the parent's frame along which the child goes first."""
    rotation: str = ""
    leading: int = 0
    """Turns that stand before the slides."""

    @property
    def coordinates(self) -> int:
        """Count the coordinates."""
        return len(self.freedoms)

    @property
    def freedoms(self) -> tuple[Sliding | Turn, ...]:
        """Give slides and turns in the order of the chain."""
        return self.chained(self.slides, self.turns)

    def chained(self, slid: Sequence[S], turned: Sequence[T]) -> tuple[S | T, ...]:
        """What belongs to slides and to turns in the order of the chain."""
        return (*turned[: self.leading], *slid, *turned[self.leading :])

    def slid(self, chain: Sequence[T]) -> tuple[T, ...]:
        """Give of a chain what belongs to slides."""
        return tuple(chain[self.leading : self.leading + len(self.slides)])

    def turned(self, chain: Sequence[T]) -> tuple[T, ...]:
        """Give of a chain what belongs to turns."""
        return (*chain[: self.leading], *chain[self.leading + len(self.slides) :])

    @property
    def order(self) -> str:
        """Name the axes of the successive turns."""
        return "".join(turn.axis for turn in self.turns)


YAW_PITCH_ROLL = (Turn("z", "yaw"), Turn("y", "pitch"), Turn("x", "roll"))
STRUT_TURNS = (Turn("y", "at_parent", "at_parent"), Turn("y", "at_child", "at_child"))
STRUT = (Sliding("z", "length", "length"),)
ALONG_Z = (Sliding("z", "slide", "slide"),)

JOINTS: tuple[Row, ...] = (
    Row(BallJoint, "ball", YAW_PITCH_ROLL),
    Row(PinJoint, "axes", (Turn("y", "angle", "spring"),)),
    Row(UniversalJoint, "axes", (Turn("x", "first", "first"), Turn("y", "second", "second"))),
    Row(
        EulerJoint,
        "euler",
        (
            Turn("z", "precession", "precession"),
            Turn("x", "nutation", "nutation"),
            Turn("z", "spin", "spin"),
        ),
    ),
    Row(SlipJoint, "nothing", slides=ALONG_Z, rotation="none"),
    Row(SlipJoint, "axes", (Turn("y", "angle", "flexure"),), slides=ALONG_Z, rotation="pin_y"),
    Row(SlipJoint, "axes", (Turn("z", "angle", "torsion"),), slides=ALONG_Z, rotation="pin_z"),
    Row(SlipJoint, "ball", YAW_PITCH_ROLL, slides=ALONG_Z, rotation="ball"),
    Row(
        SixJoint,
        "axes",
        (Turn("z", "yaw", "yaw"), Turn("y", "pitch", "pitch"), Turn("x", "roll", "roll")),
        slides=(Sliding("x", "x", "x"), Sliding("y", "y", "y"), Sliding("z", "z", "z")),
    ),
    Row(ExtensionalJoint, "axes", STRUT_TURNS, slides=STRUT, rotation="both", leading=1),
    Row(ExtensionalJoint, "axes", STRUT_TURNS[:1], slides=STRUT, rotation="parent", leading=1),
    Row(ExtensionalJoint, "axes", STRUT_TURNS[1:], slides=STRUT, rotation="child"),
    Row(ExtensionalJoint, "nothing", slides=STRUT, rotation="none"),
    Row(LockedJoint, "nothing"),
    Row(
        FreeJoint,
        "nothing",
        YAW_PITCH_ROLL,
        slides=(Sliding("x", "x"), Sliding("y", "y"), Sliding("z", "z")),
    ),
)
"""All kinds of joints, in the order in which the window offers them."""

MODELS: tuple[type[JointBase], ...] = tuple(dict.fromkeys(row.model for row in JOINTS))

_ROWS = {(row.model, row.rotation): row for row in JOINTS}


def row_of(joint: JointBase) -> Row:
    """The row of a joint."""
    # few joints have it; to ask a part for a field that it lacks takes long
    return _ROWS[type(joint), vars(joint).get("rotation", "")]


def driven_axes(joint: JointBase) -> tuple[str, ...]:
    """Name the axes of a joint that a driver can move, in the order of its chain.

    Those of an Euler joint have coordinates of their own only while one of them is moved or held.
    """
    return _axes(joint, ("axes", "euler"))


def _axes(joint: JointBase, acts: tuple[str, ...]) -> tuple[str, ...]:
    row = row_of(joint)
    turns = tuple(turn.name for turn in row.turns) if row.acts in acts else ()
    return row.chained(tuple(slide.name for slide in row.slides if slide.field), turns)


TURNS_OF_BALLS = ("turn_x", "turn_y", "turn_z")
"""Names of the components of the turn of a ball, as a rotation vector."""


def law_axes(joint: JointBase) -> tuple[str, ...]:
    """Name the axes of a joint on which laws act one by one."""
    row = row_of(joint)
    if is_free(joint):
        return (*(slide.name for slide in row.slides), *TURNS_OF_BALLS)
    return (*driven_axes(joint), *(TURNS_OF_BALLS if row.acts == "ball" else ()))


def slides_along(joint: JointBase, axis: str) -> bool:
    """Whether a joint slides along the axis of this name."""
    return any(slide.name == axis for slide in row_of(joint).slides)


def is_free(joint: JointBase) -> bool:
    """Whether a joint holds nothing and only says from where its child's start is counted."""
    return isinstance(joint, FreeJoint)


def is_sliding(joint: JointBase) -> bool:
    """Whether a joint slides along one axis alone."""
    return len(row_of(joint).slides) == 1


def way_of(joint: JointBase) -> str:
    """Name the way along which a joint slides, where it is one alone; else nothing."""
    slides = row_of(joint).slides
    return slides[0].name if len(slides) == 1 else ""


def is_rigid(joint: JointBase) -> bool:
    """Whether a joint holds its child altogether."""
    return row_of(joint).coordinates == 0


def is_held(joint: JointBase) -> bool:
    """Whether a joint slides once a load lets it go and moves in no other way, as a steering column."""
    return isinstance(joint, SlipJoint) and joint.rotation == "none" and joint.slide.locked


@dataclass(frozen=True, slots=True)
class Acting:
    """Hold what acts about one turn of a joint."""

    turn: Turn
    part: str
    """Field of an axis of its own; empty where spring, friction and lock are the joint's."""
    centre_rad: float
    spring: Spring
    friction: Friction
    lock: Lock
    drive: float
    """Inertia of its drive (kg m2)."""


def axes_of(joint: JointBase) -> tuple[Acting, ...]:
    """What acts about each turn of a joint; nothing for one that turns as a ball, or not at all."""
    return tuple(_acting(joint, turn) for turn in row_of(joint).turns if turn.field)


def _acting(joint: JointBase, turn: Turn) -> Acting:
    held: Axis | Spring = getattr(joint, turn.field)
    if isinstance(held, Axis):
        return Acting(
            turn, turn.field, held.centre_rad, held.spring, held.friction, held.lock, held.drive_inertia_kgm2
        )  # fmt: skip
    own: PinJoint | SlipJoint = joint  # type: ignore[assignment]
    return Acting(turn, "", 0.0, held, own.friction, own.lock, own.drive_inertia_kgm2)


class Bending(Protocol):
    """Be what acts in a joint that turns as a ball."""

    @property
    def flexure(self) -> Spring:
        """Resist bending."""

    @property
    def torsion(self) -> Spring:
        """Resist twisting."""

    @property
    def friction(self) -> Friction:
        """Resist the rate."""

    @property
    def lock(self) -> Lock:
        """Hold all turns."""

    @property
    def by_azimuth(self) -> FlexureTable | None:
        """Resist bending by its azimuth."""

    @property
    def breakage(self) -> Breakage | None:
        """Say at which loads it breaks, and whether its parts stay together."""

    @property
    def torque_law(self) -> str:
        """Say how torsion acts."""


def ball_of(joint: JointBase) -> Bending | None:
    """What acts in a joint that turns as a ball; None for all others."""
    return bending_of(joint) if row_of(joint).acts == "ball" else None


def bending_of(joint: JointBase) -> Bending:
    """What acts in a joint that is known to turn as a ball."""
    bending: Bending = joint  # type: ignore[assignment]
    return bending


def slides_of(joint: JointBase) -> tuple[tuple[Sliding, Slide], ...]:
    """What acts along each axis on which a joint slides; nothing for a free one."""
    if isinstance(joint, ExtensionalJoint) and joint.rigid:
        return ((STRUT[0], Slide(locked=True)),)
    return tuple(
        (slide, getattr(joint, slide.field)) for slide in row_of(joint).slides if slide.field
    )


def contour_of(joint: JointBase) -> GlobographicStop | None:
    """The stop contour of a joint; None where it has none, or can have none."""
    return getattr(joint, "globographic", None)


def is_printed(joint: JointBase) -> bool:
    """Whether torsion and stop contour of a joint act as the seed prints them."""
    return getattr(joint, "torque_law", "conserving") == "printed"


def locks_of(joint: JointBase) -> tuple[Lock, ...]:
    """All locks of a joint's turns."""
    ball = ball_of(joint)
    return tuple(axis.lock for axis in axes_of(joint)) if ball is None else (ball.lock,)


def carrying(joints: tuple[Joint, ...]) -> tuple[Joint, ...]:
    """The joints that hold something, in their order."""
    return tuple(joint for joint in joints if not is_free(joint))


_WITHOUT_LAWS = {*JointBase.model_fields, "kind", "lock", "friction", "breakage"}
"""Fields of a joint that say nothing of how it moves."""


def is_cut(joint: Joint) -> bool:
    """Whether a joint is a rigid cut: held, and once it is not, nothing but friction acts in it, no stop and no spring."""
    if joint.kind not in ("ball", "locked"):
        return False
    fields = type(joint).model_fields.items()
    return all(
        name in _WITHOUT_LAWS
        or getattr(joint, name) == field.get_default(call_default_factory=True)
        for name, field in fields
    )
