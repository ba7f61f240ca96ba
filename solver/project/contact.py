"""Contact laws and allowed contacts (sections 7.1, 7.2, 7.5, 7.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, assert_never

from pydantic import Field

from solver.project.fields import (
    REQUIRED,
    Element,
    Flag,
    Id,
    Number,
    NumberOrFunction,
    choice,
    function,
    number,
    ref,
    value_or_function,
)
from solver.project.geometry import SurfaceRef


@dataclass(frozen=True, slots=True)
class Kernel:
    """Say by which law of the kernels a kind acts (`solver.engine.forces.laws`), and with what.

    Numbers of that law are taken from fields; its curves stand in fields of their own names.
    """

    law: str
    numbers: Mapping[str, str] = field(default_factory=dict)
    """Fields of the kind by the kernel's names of its numbers."""
    rated: tuple[str, ...] = ()
    """Fields by which the force depends on the rate, where they are not zero or none."""


class Law(Element):
    """Be a law of contacts or belts."""

    kernel: ClassVar[Kernel]


class StrapLaw(Law):
    """Be a law of webbing: tension by strain."""


FrictionLaw = Literal["bristle", "printed"]
"""How friction begins."""


def friction_law() -> Any:
    """Declare how friction begins."""
    return choice(
        "printed",
        "Friction law",
        "bristle: elastic up to the coefficient, then it slides; what rests stays where it is. What slides and spins at "
        "once is as exact as the step is short, which no tolerance sees: compare with a finer one. printed: by the sliding "
        "speed alone, as the 1981 program; what leans on it creeps.",
    )


def friction_stiffness() -> Any:
    """Declare how stiff the bristles of friction are."""
    return number(
        0.67,
        "1",
        "Friction stiffness",
        "Stiffness of bristles in parts of the pressing force by its depth: 0.67 for what keeps its volume, as "
        "rubber and flesh do, up to 1 for what can be pressed together (Mindlin).",
        gt=0,
        le=100,
    )


def friction_damping() -> Any:
    """Declare how bristles are damped."""
    return number(
        0.3,
        "1",
        "Friction damping",
        "Damping of bristles in parts of the critical one for the masses of both bodies; assumed, 0.1 to 1.",
        ge=0,
        le=10,
    )


class SurfaceLaw(Law):
    """Hold what all laws between surfaces share: friction, impulse and where the force acts."""

    friction: NumberOrFunction = value_or_function(
        0.0, "1", "m", "Friction", "Coefficient, or a function of the deflection."
    )
    friction_law: FrictionLaw = friction_law()
    friction_ramp_m_per_s: Number = number(
        0.0508, "m/s", "Friction ramp", "As printed: sliding speed at which friction is full.", gt=0
    )
    friction_stiffness_ratio: Number = friction_stiffness()
    friction_damping_ratio: Number = friction_damping()
    static_friction_ratio: Number = number(
        1.0,
        "1",
        "Static friction",
        "With bristles: friction at rest in parts of that of sliding.",
        ge=1,
        le=10,
    )
    static_friction_speed_m_per_s: Number = number(
        0.01,
        "m/s",
        "Speed of static friction",
        "Sliding speed at which what friction at rest has more is down to 37 %.",
        gt=0,
    )
    restitution: Number | None = number(
        None,
        "1",
        "Restitution",
        "Ratio of normal speeds at an impulse on first contact; none for no impulse.",
        ge=-1,
        le=1,
    )
    restitution_law: Literal["newton", "poisson"] = choice(
        "newton",
        "Law of restitution",
        "newton: the ratio is that of normal speeds; poisson: that of normal impulses, what is given back by what has pressed. "
        "They differ where friction slides during an impact off centre.",
    )
    application_ratio: Number = number(
        0.0,
        "1",
        "Point of application",
        "On a plane, 0: at the deepest point; 1: in the centre of the cut; between: on the line of both.",
        ge=0,
        le=1,
    )


AtStart = Literal["turning", "elastic"]
"""How what a law with memory finds pressed at the start got there."""


def pressed_at_start() -> Any:
    """Declare how what is pressed at the start got there."""
    return choice(
        "turning",
        "Pressed at the start",
        "turning: it has been pressed in along its loading curve, once and just so deep; what comes out "
        "gives back along the unloading curve, as in the 1981 program. elastic: what comes out goes back "
        "along the loading curve, until it has been apart or has gone in again.",
    )


UnloadingLaw = Literal["conserving", "printed"]


def unloading_law() -> Any:
    """Declare whether unloading may give back more than it took."""
    return choice(
        "conserving",
        "Unloading",
        "conserving: never more than has been put in, and up to twice the mean slope at the foot. printed: as the old "
        "program does, which gains energy on small loops; for comparison with what it printed.",
    )


class HystereticLaw(SurfaceLaw):
    """Load along base and inertial spike, unload along a quadratic, reload along a cubic (7.5)."""

    kernel = Kernel("HYSTERETIC", {"GIVES_BACK": "at_start", "AS_PRINTED": "unloading_law"})
    kind: Literal["hysteretic"] = choice("hysteretic", "Kind", "Force-deflection with memory.")
    base: Id = function(REQUIRED, "m", "N", "Base", "Loading force by deflection.")
    spike: Id | None = function(
        None, "m", "N", "Inertial spike", "Force added to the base on first loading."
    )
    energy_ratio: NumberOrFunction = value_or_function(
        1.0,
        "1",
        "m",
        "Energy returned (R)",
        "Part of the loading work given back, by deflection.",
    )
    offset_ratio: NumberOrFunction = value_or_function(
        0.0,
        "1",
        "m",
        "Offset kept (G)",
        "Part of the deflection that stays, by deflection.",
    )
    at_start: AtStart = pressed_at_start()
    unloading_law: UnloadingLaw = unloading_law()


class RateLaw(SurfaceLaw):
    """Add rate terms to a base: F1(d) + F2(d) F3(rate) + F4(rate), never below zero."""

    kernel = Kernel("BY_RATE", rated=("factor", "damping"))
    kind: Literal["rate"] = choice("rate", "Kind", "Force by deflection and its rate.")
    base: Id = function(REQUIRED, "m", "N", "Base (F1)", "Force by deflection.")
    factor: Id | None = function(
        None,
        "m",
        "N",
        "Rate factor (F2)",
        "Force by deflection, multiplied by the gate.",
    )
    gate: Id | None = function(
        None, "m/s", "1", "Rate gate (F3)", "Multiplier by rate of deflection."
    )
    damping: Id | None = function(None, "m/s", "N", "Damping (F4)", "Force by rate of deflection.")


class DampedLaw(SurfaceLaw):
    """Add a linear dashpot to a base force."""

    kernel = Kernel("BY_RATE", {"DASHPOT": "damping_ns_per_m"}, rated=("damping_ns_per_m",))
    kind: Literal["damped"] = choice("damped", "Kind", "Base force and linear dashpot.")
    base: Id = function(REQUIRED, "m", "N", "Base", "Force by deflection.")
    damping_ns_per_m: Number = number(
        REQUIRED,
        "N*s/m",
        "Damping",
        "Force for each metre per second of deflection rate.",
        ge=0,
    )


class FormulaLaw(SurfaceLaw):
    """Be a law without a curve: a formula goes on for ever, so the law itself says how deep it is meant."""

    deepest_m: Number | None = number(
        None,
        "m",
        "Meant to",
        "Depth to which the law is meant, such as what a padding was tested to; a run reports what goes deeper. "
        "None: nobody knows, and half of the smallest semi-axis of what touches counts.",
        gt=0,
    )


class HuntCrossleyLaw(FormulaLaw):
    """Follow Hunt and Crossley: F = K d^n (1 + c rate)."""

    kernel = Kernel(
        "HUNT_CROSSLEY",
        {"STIFFNESS": "stiffness_n_per_mn", "EXPONENT": "exponent", "LOSS": "damping_s_per_m"},
        rated=("damping_s_per_m",),
    )
    kind: Literal["hunt_crossley"] = choice("hunt_crossley", "Kind", "Hunt and Crossley.")
    stiffness_n_per_mn: Number = number(
        REQUIRED, "N/m^n", "Stiffness", "K; its unit follows from the exponent.", gt=0
    )
    exponent: Number = number(1.5, "1", "Exponent", "n; 1.5 for spheres.", ge=1, le=5)
    damping_s_per_m: Number = number(REQUIRED, "s/m", "Damping", "c.", ge=0)


class LankaraniLaw(FormulaLaw):
    """Follow Lankarani and Nikravesh: F = K d^n (1 + 3 (1 - e^2) rate / (4 rate at impact)).

    The rate at impact is at least `least_impact_speed_m_per_s`, and the quotient stays between -1 and 1.
    """

    kernel = Kernel(
        "LANKARANI",
        {
            "STIFFNESS": "stiffness_n_per_mn",
            "EXPONENT": "exponent",
            "LOSS": "loss_restitution",
            "LEAST_SPEED": "least_impact_speed_m_per_s",
        },
        rated=("loss_restitution",),
    )
    kind: Literal["lankarani_nikravesh"] = choice(
        "lankarani_nikravesh", "Kind", "Lankarani and Nikravesh."
    )
    stiffness_n_per_mn: Number = number(
        REQUIRED, "N/m^n", "Stiffness", "K; its unit follows from the exponent.", gt=0
    )
    exponent: Number = number(1.5, "1", "Exponent", "n; 1.5 for spheres.", ge=1, le=5)
    loss_restitution: Number = number(
        REQUIRED, "1", "Restitution", "e, ratio of speeds after and before.", gt=0, le=1
    )
    least_impact_speed_m_per_s: Number = number(
        0.01,
        "m/s",
        "Least impact speed",
        "A slower touch counts as one of this speed, and what is pressed faster than it touched is damped as at its "
        "touch; so damping has a bound. 0: as printed, without a bound.",
        ge=0,
    )


class IndentationLaw(FormulaLaw):
    """Load by K d^n and unload to a permanent indentation (Lankarani and Nikravesh)."""

    kernel = Kernel(
        "INDENTED",
        {
            "STIFFNESS": "stiffness_n_per_mn",
            "EXPONENT": "exponent",
            "LOSS": "loss_restitution",
            "GIVES_BACK": "at_start",
        },
    )
    kind: Literal["permanent_indentation"] = choice(
        "permanent_indentation", "Kind", "Indentation that stays."
    )
    stiffness_n_per_mn: Number = number(
        REQUIRED, "N/m^n", "Stiffness", "K; its unit follows from the exponent.", gt=0
    )
    exponent: Number = number(1.5, "1", "Exponent", "n; 1.5 for spheres.", ge=1, le=5)
    loss_restitution: Number = number(
        REQUIRED, "1", "Restitution", "e, ratio of speeds after and before.", gt=0, le=1
    )
    at_start: AtStart = pressed_at_start()


class PanelLaw(FormulaLaw):
    """Stiffen exponentially with damping: F = A (exp(B d) - 1) + C exp(B d) rate."""

    kernel = Kernel(
        "PANEL",
        {"STIFFNESS": "force_n", "EXPONENT": "growth_per_m", "LOSS": "damping_ns_per_m"},
        rated=("damping_ns_per_m",),
    )
    kind: Literal["exponential_panel"] = choice("exponential_panel", "Kind", "Padded panel.")
    force_n: Number = number(REQUIRED, "N", "Force (A)", "Force scale.", gt=0)
    growth_per_m: Number = number(REQUIRED, "1/m", "Growth (B)", "Rate of stiffening.", gt=0)
    damping_ns_per_m: Number = number(
        0.0, "N*s/m", "Damping (C)", "Dashpot at no deflection.", ge=0
    )


class KelvinVoigtLaw(FormulaLaw):
    """Put a spring and a dashpot side by side: F = k d + c rate, never below zero."""

    kernel = Kernel(
        "BY_RATE",
        {"STIFFNESS": "stiffness_n_per_m", "DASHPOT": "damping_ns_per_m"},
        rated=("damping_ns_per_m",),
    )
    kind: Literal["kelvin_voigt"] = choice("kelvin_voigt", "Kind", "Spring and dashpot.")
    stiffness_n_per_m: Number = number(REQUIRED, "N/m", "Stiffness", "k.", gt=0)
    damping_ns_per_m: Number = number(0.0, "N*s/m", "Damping", "c.", ge=0)


class WebbingLaw(StrapLaw):
    """Describe belt webbing: force by strain, with memory (sections 7.3, 7.5)."""

    kernel = Kernel("HYSTERETIC", {"GIVES_BACK": "at_start", "AS_PRINTED": "unloading_law"})
    kind: Literal["webbing"] = choice("webbing", "Kind", "Belt webbing.")
    base: Id = function(REQUIRED, "1", "N", "Base", "Tension by strain.")
    spike: Id | None = function(
        None, "1", "N", "Inertial spike", "Tension added to the base on first loading."
    )
    energy_ratio: NumberOrFunction = value_or_function(
        1.0,
        "1",
        "1",
        "Energy returned (R)",
        "Part of the loading work given back, by strain.",
    )
    offset_ratio: NumberOrFunction = value_or_function(
        0.0, "1", "1", "Offset kept (G)", "Part of the strain that stays, by strain."
    )
    at_start: AtStart = pressed_at_start()
    unloading_law: UnloadingLaw = unloading_law()


class RateWebbingLaw(StrapLaw):
    """Describe webbing by strain and its rate: F1(e) + F2(e) F3(rate) + F4(rate), never below zero."""

    kernel = Kernel("BY_RATE", rated=("factor", "damping"))
    kind: Literal["rate_webbing"] = choice("rate_webbing", "Kind", "Rate-dependent belt webbing.")
    base: Id = function(REQUIRED, "1", "N", "Base (F1)", "Tension by strain.")
    factor: Id | None = function(
        None, "1", "N", "Rate factor (F2)", "Tension by strain, multiplied by the gate."
    )
    gate: Id | None = function(None, "1/s", "1", "Rate gate (F3)", "Multiplier by rate of strain.")
    damping: Id | None = function(None, "1/s", "N", "Damping (F4)", "Tension by rate of strain.")


ContactLaw = Annotated[
    HystereticLaw
    | RateLaw
    | DampedLaw
    | HuntCrossleyLaw
    | LankaraniLaw
    | IndentationLaw
    | PanelLaw
    | KelvinVoigtLaw
    | WebbingLaw
    | RateWebbingLaw,
    Field(discriminator="kind"),
]


class PlaneContact(Element):
    """Allow a surface to press on a plane (section 7.1)."""

    kind: Literal["plane"] = choice("plane", "Kind", "A surface on a plane.")
    plane: Id = ref(REQUIRED, "planes", "Plane", "Plane whose front side pushes.")
    surface: SurfaceRef = choice(REQUIRED, "Surface", "Surface that may touch the plane.")
    law: Id = ref(REQUIRED, "contact_laws", "Law", "Contact law of the pair.")
    edge: Literal["fade", "below", "sharp", "none"] = choice(
        "fade",
        "Edge",
        "fade: force grows smoothly as the surface comes over the edge; below: so it does, and the depth is everywhere the "
        "surface's below the centroid of its cut with the plane's area, as in the later program; sharp: only while the contact "
        "point lies inside; none: the plane has no edges for this pair.",
    )
    holds_when_behind: Flag = choice(
        False,
        "Holds when behind",
        "Whether the force stays once the surface is wholly behind.",
    )


class SurfaceContact(Element):
    """Allow two surfaces to press on each other (section 7.2)."""

    kind: Literal["surfaces"] = choice("surfaces", "Kind", "Two surfaces.")
    first: SurfaceRef = choice(REQUIRED, "First", "One surface; the inner one for contact inside.")
    second: SurfaceRef = choice(REQUIRED, "Second", "The other surface; the outer one inside.")
    law: Id = ref(REQUIRED, "contact_laws", "Law", "Contact law of the pair.")
    inside: Flag = choice(False, "Inside", "Whether the first surface lies inside the second.")
    depth: Literal["normal", "centres"] = choice(
        "normal",
        "Depth measured",
        "normal: along the common normal of both surfaces, so that an elastic pair gives back what it "
        "takes however it turns; centres: along the line of centres, as the 1981 program does, for "
        "laws that were made for it.",
    )


Contact = Annotated[PlaneContact | SurfaceContact, Field(discriminator="kind")]


def surfaces_of(contact: Contact) -> tuple[SurfaceRef, ...]:
    """The surfaces of a contact: one on a plane, or two."""
    match contact:
        case PlaneContact():
            return (contact.surface,)
        case SurfaceContact():
            return contact.first, contact.second
        case _:
            assert_never(contact)
