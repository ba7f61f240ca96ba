"""Ranges of what nobody measured: each assumed entry brings them along, and a band shows what they leave open (docs/studies.md).

An entry says its own, with their source. Of all else in it these usual ranges hold, which are assumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from solver.project.airbags import TankInflator
from solver.project.belts import StrapEnd, TimeTrigger
from solver.project.contact import StrapLaw
from solver.project.document import Project
from solver.project.functions import Polynomial
from solver.project.studies import AssumedNumber

STIFFNESS = (0.5, 2.0, "assumed range: half to twice as stiff, as docs/validation.md tries a dash")
FRICTION = (0.5, 1.5, "assumed range")
WEBBING = (
    0.75,
    1.29,
    "assumed range: 7 to 12 % at 10 kN, as the polyester webbings of the library",
)
LOAD_LIMIT = (0.5, 1.5, "assumed range, as the study belt_and_bag of the default sample has it")
PULL = (0.67, 1.33, "assumed range")
FIRES = (0.8, 1.25, "assumed range")
SIZE = (0.87, 1.1, "assumed range: two thirds to four thirds of the volume")
PORTS = (0.5, 2.0, "assumed range")
VENTS = (0.5, 1.5, "assumed range")
CHARGE = (0.8, 1.25, "assumed range")
SLACK = (0.25, 2.0, "assumed range: a quarter to twice as much")
"""Factors from the lowest to the highest, and where they are from."""

Range = tuple[float, float, str]
Straps = Mapping[str, tuple[float, StrapEnd | None]]
"""By their paths: slack (m) and the devices at the end."""


def ranges_of(piece: Project, straps: Straps) -> tuple[AssumedNumber, ...]:
    """The ranges of an assumed piece and of straps that are laid with it: its own, and of all else the usual ones."""
    known = {path for one in piece.assumed for path in (one.path, *one.along)}
    usual = (*_laws(piece), *_bags(piece), *_belts(straps))
    return (*piece.assumed, *(one for one in usual if one.path not in known))


def _factor(id_: str, name: str, path: str, of: Range, along: Sequence[str] = ()) -> AssumedNumber:
    low, high, source = of
    return AssumedNumber(
        id=id_, name=name, group="Assumed", path=path, along=tuple(along), is_factor=True, low=low, high=high, source=source,
    )  # fmt: skip


def _laws(piece: Project) -> Iterator[AssumedNumber]:
    """How stiff each law is, damping along, and how rough all are."""
    rough = []
    for law in piece.contact_laws:
        base, damping = getattr(law, "base", None), getattr(law, "damping_ns_per_m", None)
        form = next((one.form for one in piece.functions if one.id == base), None)
        values = "coefficients" if isinstance(form, Polynomial) else "y"
        along = [f"contact_laws/{law.id}/damping_ns_per_m"] if damping else []
        if isinstance(base, str):
            of = WEBBING if isinstance(law, StrapLaw) else STIFFNESS
            yield _factor(
                f"{law.id}_stiffness",
                f"{law.name}: stiffness",
                f"functions/{base}/form/{values}",
                of,
                along,
            )
        friction = getattr(law, "friction", None)
        if isinstance(friction, float) and friction:
            rough.append(f"contact_laws/{law.id}/friction")
    if rough:
        of_what = piece.contact_laws[0].name if len(rough) == 1 else "Seat and trim"
        yield _factor(
            f"{rough[0].split('/')[1]}_friction",
            f"{of_what}: friction",
            rough[0],
            FRICTION,
            rough[1:],
        )


def _bags(piece: Project) -> Iterator[AssumedNumber]:
    for bag in piece.airbags:
        path, name = f"airbags/{bag.id}", bag.name.partition(",")[0]
        yield _factor(f"{bag.id}_size", f"{name}: size", f"{path}/semi_axes_m", SIZE)
        yield _factor(f"{bag.id}_friction", f"{name}: friction", f"{path}/friction", FRICTION)
        if isinstance(bag.trigger, TimeTrigger):
            yield _factor(
                f"{bag.id}_fires", f"{name}: when it fires", f"{path}/trigger/time_s", FIRES
            )
        if isinstance(bag.inflator, TankInflator):
            yield _factor(
                f"{bag.id}_ports", f"{name}: ports", f"{path}/inflator/throat_area_m2", PORTS
            )
            yield _factor(
                f"{bag.id}_charge", f"{name}: charge", f"{path}/inflator/pressure_pa", CHARGE
            )
        vents = [f"{path}/vents/{n}/area_m2" for n in range(len(bag.vents))]
        if vents:
            yield _factor(f"{bag.id}_vents", f"{name}: vents", vents[0], VENTS, vents[1:])


def _belts(straps: Straps) -> Iterator[AssumedNumber]:
    """The devices at the ends of straps, and their slack."""
    for path, (slack, device) in straps.items():
        strap = path.rpartition("/")[2]
        if slack > 0.0:
            yield _factor(f"{strap}_slack", "Belt: slack", f"{path}/slack_m", SLACK)
        if device is None:
            continue
        pulls, limits, behind = device.pretensioner, device.load_limiter, f"{path}/end_device"
        if pulls is not None and isinstance(pulls.trigger, TimeTrigger):
            where = f"{behind}/pretensioner/trigger/time_s"
            yield _factor(f"{strap}_fires", "Pretensioner: when it fires", where, FIRES)
        if pulls is not None and pulls.force_limit_n is not None:
            where = f"{behind}/pretensioner/force_limit_n"
            yield _factor(f"{strap}_pull", "Pretensioner: pull", where, PULL)
        if limits is not None:
            where = f"functions/{limits.force}/form/y"
            yield _factor(f"{strap}_limit", "Load limiter: load", where, LOAD_LIMIT)
