"""Contact laws and allowed contacts (sections 7.1, 7.2, 7.5, 7.6).

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias

from manikin.schema.fields import Element

if TYPE_CHECKING:
    import solver.project.contact as _contact
    import solver.project.geometry as _geometry
    from manikin.schema.geometry import SurfaceRef


class Law(Element, total=False):
    """Be a law of contacts or belts."""


class StrapLaw(Law, total=False):
    """Be a law of webbing: tension by strain."""


class SurfaceLaw(Law, total=False):
    """Hold what all laws between surfaces share: friction, impulse and where the force acts."""

    friction: float | str
    """Friction (id in functions, 1, 0.0): Coefficient, or a function of the deflection."""
    friction_law: FrictionLaw
    """Friction law ("printed"): bristle: elastic up to the coefficient, then it slides; what rests stays where it is. What slides and spins at once is as exact as the step is short, which no tolerance sees: compare with a finer one. printed: by the sliding speed alone, as the 1981 program; what leans on it creeps."""
    friction_ramp_m_per_s: float
    """Friction ramp (m/s, > 0, 0.0508): As printed: sliding speed at which friction is full."""
    friction_stiffness_ratio: float
    """Friction stiffness (1, > 0, ≤ 100, 0.67): Stiffness of bristles in parts of the pressing force by its depth: 0.67 for what keeps its volume, as rubber and flesh do, up to 1 for what can be pressed together (Mindlin)."""
    friction_damping_ratio: float
    """Friction damping (1, ≥ 0, ≤ 10, 0.3): Damping of bristles in parts of the critical one for the masses of both bodies; assumed, 0.1 to 1."""
    static_friction_ratio: float
    """Static friction (1, ≥ 1, ≤ 10, 1.0): With bristles: friction at rest in parts of that of sliding."""
    static_friction_speed_m_per_s: float
    """Speed of static friction (m/s, > 0, 0.01): Sliding speed at which what friction at rest has more is down to 37 %."""
    restitution: float | None
    """Restitution (1, ≥ -1, ≤ 1, none): Ratio of normal speeds at an impulse on first contact; none for no impulse."""
    restitution_law: Literal["newton", "poisson"]
    """Law of restitution ("newton"): newton: the ratio is that of normal speeds; poisson: that of normal impulses, what is given back by what has pressed. They differ where friction slides during an impact off centre."""
    application_ratio: float
    """Point of application (1, ≥ 0, ≤ 1, 0.0): On a plane, 0: at the deepest point; 1: in the centre of the cut; between: on the line of both."""


class HystereticLaw(SurfaceLaw, total=False):
    """Load along base and inertial spike, unload along a quadratic, reload along a cubic (7.5)."""

    kind: Required[Literal["hysteretic"]]
    """Kind ("hysteretic"): Force-deflection with memory."""
    base: Required[str]
    """Base (id in functions, required): Loading force by deflection."""
    spike: str | None
    """Inertial spike (id in functions, none): Force added to the base on first loading."""
    energy_ratio: float | str
    """Energy returned (R) (id in functions, 1, 1.0): Part of the loading work given back, by deflection."""
    offset_ratio: float | str
    """Offset kept (G) (id in functions, 1, 0.0): Part of the deflection that stays, by deflection."""
    at_start: AtStart
    """Pressed at the start ("turning"): turning: it has been pressed in along its loading curve, once and just so deep; what comes out gives back along the unloading curve, as in the 1981 program. elastic: what comes out goes back along the loading curve, until it has been apart or has gone in again."""
    unloading_law: UnloadingLaw
    """Unloading ("conserving"): conserving: never more than has been put in, and up to twice the mean slope at the foot. printed: as the old program does, which gains energy on small loops; for comparison with what it printed."""


class RateLaw(SurfaceLaw, total=False):
    """Add rate terms to a base: F1(d) + F2(d) F3(rate) + F4(rate), never below zero."""

    kind: Required[Literal["rate"]]
    """Kind ("rate"): Force by deflection and its rate."""
    base: Required[str]
    """Base (F1) (id in functions, required): Force by deflection."""
    factor: str | None
    """Rate factor (F2) (id in functions, none): Force by deflection, multiplied by the gate."""
    gate: str | None
    """Rate gate (F3) (id in functions, none): Multiplier by rate of deflection."""
    damping: str | None
    """Damping (F4) (id in functions, none): Force by rate of deflection."""


class DampedLaw(SurfaceLaw, total=False):
    """Add a linear dashpot to a base force."""

    kind: Required[Literal["damped"]]
    """Kind ("damped"): Base force and linear dashpot."""
    base: Required[str]
    """Base (id in functions, required): Force by deflection."""
    damping_ns_per_m: Required[float]
    """Damping (N*s/m, ≥ 0, required): Force for each metre per second of deflection rate."""


class FormulaLaw(SurfaceLaw, total=False):
    """Be a law without a curve: a formula goes on for ever, so the law itself says how deep it is meant."""

    deepest_m: float | None
    """Meant to (m, > 0, none): Depth to which the law is meant, such as what a padding was tested to; a run reports what goes deeper. None: nobody knows, and half of the smallest semi-axis of what touches counts."""


class HuntCrossleyLaw(FormulaLaw, total=False):
    """Follow Hunt and Crossley: F = K d^n (1 + c rate)."""

    kind: Required[Literal["hunt_crossley"]]
    """Kind ("hunt_crossley"): Hunt and Crossley."""
    stiffness_n_per_mn: Required[float]
    """Stiffness (N/m^n, > 0, required): K; its unit follows from the exponent."""
    exponent: float
    """Exponent (1, ≥ 1, ≤ 5, 1.5): n; 1.5 for spheres."""
    damping_s_per_m: Required[float]
    """Damping (s/m, ≥ 0, required): c."""


class LankaraniLaw(FormulaLaw, total=False):
    """Follow Lankarani and Nikravesh: F = K d^n (1 + 3 (1 - e^2) rate / (4 rate at impact)).

    The rate at impact is at least `least_impact_speed_m_per_s`, and the quotient stays between -1 and 1.
    """

    kind: Required[Literal["lankarani_nikravesh"]]
    """Kind ("lankarani_nikravesh"): Lankarani and Nikravesh."""
    stiffness_n_per_mn: Required[float]
    """Stiffness (N/m^n, > 0, required): K; its unit follows from the exponent."""
    exponent: float
    """Exponent (1, ≥ 1, ≤ 5, 1.5): n; 1.5 for spheres."""
    loss_restitution: Required[float]
    """Restitution (1, > 0, ≤ 1, required): e, ratio of speeds after and before."""
    least_impact_speed_m_per_s: float
    """Least impact speed (m/s, ≥ 0, 0.01): A slower touch counts as one of this speed, and what is pressed faster than it touched is damped as at its touch; so damping has a bound. 0: as printed, without a bound."""


class IndentationLaw(FormulaLaw, total=False):
    """Load by K d^n and unload to a permanent indentation (Lankarani and Nikravesh)."""

    kind: Required[Literal["permanent_indentation"]]
    """Kind ("permanent_indentation"): Indentation that stays."""
    stiffness_n_per_mn: Required[float]
    """Stiffness (N/m^n, > 0, required): K; its unit follows from the exponent."""
    exponent: float
    """Exponent (1, ≥ 1, ≤ 5, 1.5): n; 1.5 for spheres."""
    loss_restitution: Required[float]
    """Restitution (1, > 0, ≤ 1, required): e, ratio of speeds after and before."""
    at_start: AtStart
    """Pressed at the start ("turning"): turning: it has been pressed in along its loading curve, once and just so deep; what comes out gives back along the unloading curve, as in the 1981 program. elastic: what comes out goes back along the loading curve, until it has been apart or has gone in again."""


class PanelLaw(FormulaLaw, total=False):
    """Stiffen exponentially with damping: F = A (exp(B d) - 1) + C exp(B d) rate."""

    kind: Required[Literal["exponential_panel"]]
    """Kind ("exponential_panel"): Padded panel."""
    force_n: Required[float]
    """Force (A) (N, > 0, required): Force scale."""
    growth_per_m: Required[float]
    """Growth (B) (1/m, > 0, required): Rate of stiffening."""
    damping_ns_per_m: float
    """Damping (C) (N*s/m, ≥ 0, 0.0): Dashpot at no deflection."""


class KelvinVoigtLaw(FormulaLaw, total=False):
    """Put a spring and a dashpot side by side: F = k d + c rate, never below zero."""

    kind: Required[Literal["kelvin_voigt"]]
    """Kind ("kelvin_voigt"): Spring and dashpot."""
    stiffness_n_per_m: Required[float]
    """Stiffness (N/m, > 0, required): k."""
    damping_ns_per_m: float
    """Damping (N*s/m, ≥ 0, 0.0): c."""


class WebbingLaw(StrapLaw, total=False):
    """Describe belt webbing: force by strain, with memory (sections 7.3, 7.5)."""

    kind: Required[Literal["webbing"]]
    """Kind ("webbing"): Belt webbing."""
    base: Required[str]
    """Base (id in functions, required): Tension by strain."""
    spike: str | None
    """Inertial spike (id in functions, none): Tension added to the base on first loading."""
    energy_ratio: float | str
    """Energy returned (R) (id in functions, 1, 1.0): Part of the loading work given back, by strain."""
    offset_ratio: float | str
    """Offset kept (G) (id in functions, 1, 0.0): Part of the strain that stays, by strain."""
    at_start: AtStart
    """Pressed at the start ("turning"): turning: it has been pressed in along its loading curve, once and just so deep; what comes out gives back along the unloading curve, as in the 1981 program. elastic: what comes out goes back along the loading curve, until it has been apart or has gone in again."""
    unloading_law: UnloadingLaw
    """Unloading ("conserving"): conserving: never more than has been put in, and up to twice the mean slope at the foot. printed: as the old program does, which gains energy on small loops; for comparison with what it printed."""


class RateWebbingLaw(StrapLaw, total=False):
    """Describe webbing by strain and its rate: F1(e) + F2(e) F3(rate) + F4(rate), never below zero."""

    kind: Required[Literal["rate_webbing"]]
    """Kind ("rate_webbing"): Rate-dependent belt webbing."""
    base: Required[str]
    """Base (F1) (id in functions, required): Tension by strain."""
    factor: str | None
    """Rate factor (F2) (id in functions, none): Tension by strain, multiplied by the gate."""
    gate: str | None
    """Rate gate (F3) (id in functions, none): Multiplier by rate of strain."""
    damping: str | None
    """Damping (F4) (id in functions, none): Tension by rate of strain."""


class PlaneContact(Element, total=False):
    """Allow a surface to press on a plane (section 7.1)."""

    kind: Required[Literal["plane"]]
    """Kind ("plane"): A surface on a plane."""
    plane: Required[str]
    """Plane (id in planes, required): Plane whose front side pushes."""
    surface: Required[SurfaceRef | _geometry.SurfaceRef]
    """Surface (required): Surface that may touch the plane."""
    law: Required[str]
    """Law (id in contact_laws, required): Contact law of the pair."""
    edge: Literal["fade", "below", "sharp", "none"]
    """Edge ("fade"): fade: force grows smoothly as the surface comes over the edge; below: so it does, and the depth is everywhere the surface's below the centroid of its cut with the plane's area, as in the later program; sharp: only while the contact point lies inside; none: the plane has no edges for this pair."""
    holds_when_behind: bool
    """Holds when behind (false): Whether the force stays once the surface is wholly behind."""


class SurfaceContact(Element, total=False):
    """Allow two surfaces to press on each other (section 7.2)."""

    kind: Required[Literal["surfaces"]]
    """Kind ("surfaces"): Two surfaces."""
    first: Required[SurfaceRef | _geometry.SurfaceRef]
    """First (required): One surface; the inner one for contact inside."""
    second: Required[SurfaceRef | _geometry.SurfaceRef]
    """Second (required): The other surface; the outer one inside."""
    law: Required[str]
    """Law (id in contact_laws, required): Contact law of the pair."""
    inside: bool
    """Inside (false): Whether the first surface lies inside the second."""
    depth: Literal["normal", "centres"]
    """Depth measured ("normal"): normal: along the common normal of both surfaces, so that an elastic pair gives back what it takes however it turns; centres: along the line of centres, as the 1981 program does, for laws that were made for it."""


FrictionLaw: TypeAlias = Literal["bristle", "printed"]


AtStart: TypeAlias = Literal["turning", "elastic"]


UnloadingLaw: TypeAlias = Literal["conserving", "printed"]


Contact: TypeAlias = (
    "PlaneContact | _contact.PlaneContact | SurfaceContact | _contact.SurfaceContact"
)


ContactLaw: TypeAlias = "HystereticLaw | _contact.HystereticLaw | RateLaw | _contact.RateLaw | DampedLaw | _contact.DampedLaw | HuntCrossleyLaw | _contact.HuntCrossleyLaw | LankaraniLaw | _contact.LankaraniLaw | IndentationLaw | _contact.IndentationLaw | PanelLaw | _contact.PanelLaw | KelvinVoigtLaw | _contact.KelvinVoigtLaw | WebbingLaw | _contact.WebbingLaw | RateWebbingLaw | _contact.RateWebbingLaw"
