"""Cards F.1 and F.3: who may touch what, and by which law."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.base.words import Sentence
from solver.exchange.decks.bodies import Planes, surface
from solver.exchange.decks.functions import Functions, GivenFunctions, constant_of, d_of
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

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

EDGES = {0: ("sharp", False), -1: ("none", False), -2: ("none", True)}
"""Edge option of a plane contact: how its edges count, and whether force stays behind it; below -2 sharp and kept."""


class Laws:
    """Make contact laws of the five functions of a contact, each set once."""

    def __init__(self, taking: Taking, functions: Functions) -> None:
        self.taking, self.functions = taking, functions
        self._made: dict[tuple[tuple[int, ...], str], str] = {}

    def of(self, row: Row, kind: str = "contact", on_plane: bool = False) -> str | None:
        """The law of a card's functions; kind is contact or webbing."""
        numbers: tuple[int, ...] = tuple(row["functions"])
        key = (numbers if kind == "contact" else numbers[:4], kind)
        if key not in self._made:
            made = self._make(row, numbers, kind)
            if made is None:
                return None
            self._made[key] = made
        name = self._made[key]
        ratio = d_of(self.taking, numbers[0], 4)
        if on_plane and ratio:
            self.taking.element("contact_laws", name)["application_ratio"] = ratio
        return name

    def _make(self, row: Row, numbers: tuple[int, ...], kind: str) -> str | None:
        taking, functions = self.taking, self.functions
        prefix = "" if kind == "contact" else "webbing_"
        base = functions.of(row, numbers[0], "force" if kind == "contact" else "webbing")
        if base is None:
            return None
        fields: dict[str, Any] = {"base": base}
        rated = any(number < 0 for number in numbers[1:4])
        if rated:
            fields["kind"] = "rate" if kind == "contact" else "rate_webbing"
            for name, number in zip(("factor", "gate", "damping"), numbers[1:4], strict=True):
                fields[name] = functions.of(row, number, prefix + name)
            if min(numbers[1:4]) < 0 < max(numbers[1:4]):
                taking.rule(
                    row, "One function number below zero makes all three terms of the rate."
                )
            taking.rule(row, "Force by rate; the sum is never below zero here.")
        else:
            fields["kind"] = "hysteretic" if kind == "contact" else "webbing"
            fields["spike"] = functions.of(
                row, numbers[1], "force" if kind == "contact" else "webbing"
            )
            fields["energy_ratio"] = functions.value(row, numbers[2], prefix + "ratio")
            fields["offset_ratio"] = functions.value(row, numbers[3], prefix + "ratio")
        if kind == "contact":
            fields |= self._friction(row, numbers[4])
        spelled = "_".join(
            str(number) for number in (numbers if kind == "contact" else numbers[:4])
        )
        name = taking.named("contact_laws", f"{prefix}{spelled}", "law")
        fields = {key: value for key, value in fields.items() if value is not None}
        taking.add("contact_laws", row, id=name, group="Laws", **fields)
        return name

    def _friction(self, row: Row, number: int) -> dict[str, Any]:
        taking = self.taking
        made: dict[str, Any] = {}
        if number:
            made["friction"] = self.functions.value(row, number, "ratio")
        impulse = d_of(taking, number, 3)
        if impulse:
            made["restitution"] = 2.0 * impulse - 1.0
            taking.rule(
                row, "D3 of the friction function is the factor of an impulse at first contact."
            )
        return made


def take_contacts(taking: Taking, functions: Functions, planes: Planes, laws: Laws) -> None:
    """Take contacts with planes and between segments."""
    for row in taking.deck.of("F.1.a", "F.2.a", "F.3.a"):
        taking.took(row)
    for row in taking.deck.of("F.1.b"):
        _on_plane(taking, row, planes, laws)
    for row in taking.deck.of("F.3.b"):
        _between(taking, row, laws)


def _on_plane(taking: Taking, row: Row, planes: Planes, laws: Laws) -> None:
    plane = planes.of(row)
    ref = surface(taking, row, "segment", "ellipsoid")
    if plane is None or ref is None:
        return
    name = f"{ref['segment']}-{plane}"
    if row["functions"][0] == 0:
        _rolls(taking, row, name, plane=plane, surface=ref)
        return
    law = laws.of(row, on_plane=True)
    if law is None:
        return
    option: int = row["option"]
    edge, holds = ("below", False) if option > 0 else EDGES.get(option, ("sharp", True))
    path = taking.add(
        "contacts", row, id=taking.named("contacts", name, "contact"), group="Contacts", kind="plane",
        plane=plane, surface=ref, law=law, edge=edge, holds_when_behind=holds,
    )  # fmt: skip
    taking.took(row, path)


def _between(taking: Taking, row: Row, laws: Laws) -> None:
    first = surface(taking, row, "first", "first_ellipsoid")
    second = surface(taking, row, "second", "second_ellipsoid")
    if first is None or second is None:
        return
    name = f"{first['segment']}-{second['segment']}"
    if row["functions"][0] == 0:
        _rolls(taking, row, name, surface=first, other=second)
        return
    law = laws.of(row)
    if law is None:
        return
    path = taking.add(
        "contacts", row, id=taking.named("contacts", name, "contact"), group="Contacts",
        kind="surfaces", first=first, second=second, law=law, depth="centres",
    )  # fmt: skip
    taking.rule(
        row, "The depth is measured along the line of centres, as the deck's program does.", path
    )


def _rolls(taking: Taking, row: Row, name: str, **between: Any) -> None:
    """Without a base function a pair rolls or slides on each other once it has touched."""
    number = row["functions"][4]
    sliding = constant_of(taking, number) or 0.0
    rolling = d_of(taking, number, 4)
    path = taking.add(
        "constraints", row, id=taking.named("constraints", name, "contact"), group="Contacts",
        kind="roll_slide", static_friction=rolling, sliding_friction=sliding, holds="pressing",
        starts="on_touch", **between,
    )  # fmt: skip
    sentence = Sentence(
        "Without a base function it rolls and slides from the first touch on; D4 of the friction function rolls."
    )
    taking.rule(row, sentence, path)


# Cards F.1 and F.3 of a project's contacts, and the five functions of a law: the way back of `contacts`.

OPTIONS = {
    ("fade", False): 1,
    ("below", False): 1,
    ("sharp", False): 0,
    ("none", False): -1,
    ("none", True): -2,
    ("sharp", True): -3,
}
"""Edge option by how edges count and whether force stays behind."""
RAMP = 0.0508
"""Sliding speed (m/s) at which friction of a deck is full: 2 in/s."""


class GivenLaws:
    """The five functions of contact laws."""

    def __init__(self, giving: Giving, functions: GivenFunctions) -> None:
        self.giving, self.functions = giving, functions
        self.laws: dict[str, Any] = {one.id: one for one in giving.project.contact_laws}

    def of(self, name: str) -> tuple[int, ...] | None:
        """The function numbers of a law; None where a deck cannot say it."""
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
    """The cards F.1.b and F.3.b."""
    planes, pairs = list[Row](), list[Row]()
    for one in giving.project.contacts:
        path = f"contacts/{one.id}"
        numbers = laws.of(one.law)
        if numbers is None:
            giving.lose(path, "Its law has no like in a deck; it is left out.")
            continue
        if one.kind == "plane":
            planes.append(_card_on_plane(giving, one, numbers, path))
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


def _card_on_plane(giving: Giving, one: Any, numbers: tuple[int, ...], path: str) -> Row:
    plane = next(p for p in giving.project.planes if p.id == one.plane)
    edge = one.edge if plane.bounded else "none"
    if edge == "fade":
        giving.lose(
            path, "A deck measures the depth below the centroid of the cut, also far from edges."
        )
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
