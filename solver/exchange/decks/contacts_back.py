"""Cards F.1 and F.3 of a project's contacts, and the five functions of a law: the way back of `contacts`."""

from __future__ import annotations

from typing import Any

from solver.exchange.decks.functions_back import GivenFunctions
from solver.exchange.decks.giving import Giving, card, many
from solver.exchange.decks.order import Row
from solver.project.contact import (
    DampedLaw,
    HystereticLaw,
    KelvinVoigtLaw,
    RateLaw,
    RateWebbingLaw,
    WebbingLaw,
)

OPTIONS = {
    ("fade", False): 1,
    ("sharp", False): 0,
    ("none", False): -1,
    ("none", True): -2,
    ("sharp", True): -3,
}
"""Edge option by how edges count and whether force stays behind."""
RAMP = 0.0508
"""Sliding speed (m/s) at which friction of a deck is full: 2 in/s."""


class GivenLaws:
    """Give the five functions of contact laws."""

    def __init__(self, giving: Giving, functions: GivenFunctions) -> None:
        self.giving, self.functions = giving, functions
        self.laws: dict[str, Any] = {one.id: one for one in giving.project.contact_laws}

    def of(self, name: str) -> tuple[int, ...] | None:
        """Give the function numbers of a law; None where a deck cannot say it."""
        law, of = self.laws[name], self.functions.of
        path = f"contact_laws/{name}"
        ratio = getattr(law, "application_ratio", 0.0)
        match law:
            case HystereticLaw():
                first = (of(law.base, "force", d4=ratio), of(law.spike, "force"),
                         self._part(law.energy_ratio, 1.0, "ratio"), self._part(law.offset_ratio, 0.0, "ratio"))  # fmt: skip
            case RateLaw():
                first = (of(law.base, "force", d4=ratio), -of(law.factor, "factor"), -of(law.gate, "gate"),
                         -of(law.damping, "damping"))  # fmt: skip
            case DampedLaw():
                first = (
                    of(law.base, "force", d4=ratio),
                    0,
                    0,
                    -self.functions.line(law.damping_ns_per_m, "damping"),
                )
            case KelvinVoigtLaw():
                first = (self.functions.line(law.stiffness_n_per_m, "force"), 0, 0,
                         -self.functions.line(law.damping_ns_per_m, "damping"))  # fmt: skip
            case WebbingLaw():
                return (of(law.base, "webbing"), of(law.spike, "webbing"),
                        self._part(law.energy_ratio, 1.0, "webbing_ratio"),
                        self._part(law.offset_ratio, 0.0, "webbing_ratio"), 0)  # fmt: skip
            case RateWebbingLaw():
                return (of(law.base, "webbing"), -of(law.factor, "webbing_factor"),
                        -of(law.gate, "webbing_gate"), -of(law.damping, "webbing_damping"), 0)  # fmt: skip
            case _:
                self.giving.lose(
                    path,
                    "A contact law of this kind has no like in a deck; its contacts are left out.",
                )
                return None
        if law.friction and law.friction_ramp_m_per_s != RAMP:
            self.giving.lose(path, "Friction of a deck is full at 2 in/s.")
        impulse = 0.0 if law.restitution is None else (1.0 + law.restitution) / 2.0
        friction = of(law.friction, "ratio", d3=impulse)
        return (*first, friction)

    def _part(self, value: float | str, usual: float, role: str) -> int:
        return 0 if value == usual else self.functions.of(value, role)


def give_contacts(giving: Giving, laws: GivenLaws) -> tuple[list[Row], list[Row]]:
    """Give the cards F.1.b and F.3.b."""
    planes, pairs = list[Row](), list[Row]()
    for one in giving.project.contacts:
        path = f"contacts/{one.id}"
        numbers = laws.of(one.law)
        if numbers is None:
            giving.lose(path, "Its law has no like in a deck; it is left out.")
            continue
        if one.kind == "plane":
            planes.append(_on_plane(giving, one, numbers, path))
            continue
        if one.inside:
            giving.lose(path, "Contact inside a surface is left out.")
            continue
        if one.depth == "normal":
            giving.lose(
                path, "A deck measures the depth along the line of centres, not along the normal."
            )
        first, second = one.first, one.second
        if giving.segment(first.segment) > len(giving.order):
            first, second = second, first
        pairs.append(card(
            "F.3.b", first=giving.segment(first.segment), first_ellipsoid=giving.ellipsoid(first),
            second=giving.segment(second.segment), second_ellipsoid=giving.ellipsoid(second), functions=numbers,
        ))  # fmt: skip
    return planes, pairs


def _on_plane(giving: Giving, one: Any, numbers: tuple[int, ...], path: str) -> Row:
    plane = next(p for p in giving.project.planes if p.id == one.plane)
    edge = one.edge if plane.bounded else "none"
    option = OPTIONS.get((edge, one.holds_when_behind))
    if option is None:
        giving.lose(
            path,
            "A force that fades over the edge and stays behind the plane is written as one that is sharp.",
        )
        option = -3
    return card(
        "F.1.b", plane=giving.planes[one.plane], carrier=giving.segment(plane.segment),
        segment=giving.segment(one.surface.segment), ellipsoid=giving.ellipsoid(one.surface),
        functions=numbers, option=option,
    )  # fmt: skip


def counted(name: str, field: str, by: str, rows: list[Row], total: int) -> list[Row]:
    """Give cards of contacts behind the card that counts them for each plane, belt or segment."""
    if not total:
        return []
    each = [sum(1 for one in rows if one[by] == k) for k in range(1, total + 1)]
    return [*many(name, field, each), *sorted(rows, key=lambda one: int(one[by]))]
