"""Cards B.1, B.2 and D.5: segments with their ellipsoids; D.7: symmetry; D.2: planes; B.7: flexible elements.

Joints whose inner segment is below zero make a chain. For each segment within it three symmetric matrices H say how
it turns: angle i is half of a'H a, where a holds yaw, pitch and roll of the chain's end and a one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.base.words import Sentence
from solver.exchange.decks.giving import Giving, card, short
from solver.exchange.decks.order import Row
from solver.exchange.decks.taking import known
from solver.project.angles import angles_from
from solver.project.geometry import Ellipsoid, Orientation, SurfaceRef, powers_of
from solver.project.inertia import inertia_of
from solver.project.links import Bend, FlexibleElement
from solver.project.pose import plane_corners, turn
from solver.project.segments import Segment, ThreePoints

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

# Cards D.2: planes. A plane belongs to the segment that a contact or a wind names with it.


class Planes:
    """Make planes for their users: one for each segment that carries it."""

    def __init__(self, taking: Taking) -> None:
        self.taking = taking
        self.blocks = {
            block[0]["number"]: block
            for block in taking.deck.blocks("D.2.a", "D.2.b", "D.2.c", "D.2.d")
        }
        self._made: dict[tuple[int, str], str] = {}
        users = [
            (row["plane"], taking.segment(row, "carrier"))
            for row in taking.deck.of("F.1.b", "F.7.b")
        ]
        vehicle = taking.segments[-1]
        for number in self.blocks:
            carriers = [carrier for plane, carrier in users if plane == number] or [vehicle]
            for carrier in dict.fromkeys(carriers):
                self._made[number, carrier] = self._make(number, carrier)
            if not any(plane == number for plane, _ in users):
                taking.rule(
                    self.blocks[number][0], "No contact names it; it is put on the vehicle."
                )

    def of(self, row: Row) -> str | None:
        """The plane that a card means."""
        number, carrier = row["plane"], self.taking.segment(row, "carrier")
        found = self._made.get((number, carrier))
        if found is None:
            why = Sentence(
                "there is no plane {number}; cards D.2 make {known}.",
                number=number,
                known=known(self.blocks),
            )
            self.taking.refuse(row, "plane", why)
        return found

    def _make(self, number: int, carrier: str) -> str:
        block, taking = self.blocks[number], self.taking
        title = block[0]["title"].strip()
        name = taking.named("planes", f"plane_{number}", f"plane_{number}")
        corners = [taking.lengths(one["corner"]) for one in block[1:4]]
        path = taking.add(
            "planes", block[0], id=name, name=title, group="Vehicle", segment=carrier,
            placement={"kind": "points", "p1_m": corners[0], "p2_m": corners[1], "p3_m": corners[2]},
        )  # fmt: skip
        for one in block:
            taking.took(one, path)
        return name


def give_planes(giving: Giving) -> list[Row]:
    """The cards D.2."""
    rows = list[Row]()
    for number, one in enumerate(giving.project.planes, 1):
        giving.planes[one.id] = number
        corner, edge, other = plane_corners(one)
        at = one.placement
        corners: tuple[Iterable[float], ...] = (
            (at.p1_m, at.p2_m, at.p3_m)
            if isinstance(at, ThreePoints)
            else (corner, corner + edge, corner + other)
        )
        if one.bounded and one.ends != "both":
            giving.lose(
                f"planes/{one.id}",
                "A plane of a deck ends on all four sides, or is asked for without edges.",
            )
        rows.append(card("D.2.a", number=number, title=(one.name or one.id)[:20]))
        rows += [
            card(f"D.2.{letter}", corner=giving.lengths(p))
            for letter, p in zip("bcd", corners, strict=True)
        ]
    return rows


# Cards B.1 and B.2: segments with their ellipsoids; D.5: further ellipsoids; D.7: symmetry.

BODY = "body"
"""Id of a segment's own ellipsoid."""


def take_segments(taking: Taking) -> None:
    """Take the segments of the body."""
    deck, units = taking.deck, taking.units
    taking.ellipsoids = {row["number"]: row for row in deck.of("D.5")}
    for number, block in enumerate(deck.blocks("B.2.a", "B.2.b"), 1):
        row = block[0]
        name = taking.named("segments", row["name"], f"segment_{number}")
        taking.segments.append(name)
        axes = taking.turn(block[1], "angles") if len(block) > 1 else None
        own = taking.ellipsoids.get(number)
        shape = _replaced(taking, own) if own else _own(taking, row)
        path = taking.add(
            "segments", row, id=name, name=row["name"].strip(), group="Occupant",
            mass_kg=row["weight"] * units.mass,
            inertia_kgm2=[value * units.inertia for value in row["inertia"]],
            principal_axes=axes, surfaces=[shape] if shape else [],
        )  # fmt: skip
        for one in block:
            taking.took(one, path)
        if row["weight"] == 0.0:
            taking.rule(row, "Without weight: what holds it must make its motion determined.")
        if own:
            taking.took(own, f"{path}/surfaces/{BODY}")


def _own(taking: Taking, row: Row) -> dict[str, Any] | None:
    axes = row["semi_axes"]
    if not any(axes):
        taking.rule(row, "Without semi-axes it has no surface.")
        return None
    if min(axes) <= 0.0:
        why = Sentence("every semi-axis of an ellipsoid is above zero, or none is given.")
        taking.refuse(row, "semi_axes", why)
        return None
    made = {"id": BODY, "name": row["name"].strip(), "kind": "ellipsoid",
            "semi_axes_m": taking.lengths(axes)}  # fmt: skip
    if any(row["centre"]):
        made["centre_m"] = taking.lengths(row["centre"])
    return made


def _replaced(taking: Taking, row: Row) -> dict[str, Any] | None:
    return shape_of(taking, row, BODY)


def shape_of(taking: Taking, row: Row, name: str) -> dict[str, Any] | None:
    """Make a surface of a card D.5."""
    if min(row["semi_axes"]) <= 0.0:
        taking.refuse(row, "semi_axes", Sentence("every semi-axis is above zero."))
        return None
    made: dict[str, Any] = {
        "id": name, "name": f"Ellipsoid {row['number']}", "kind": "ellipsoid",
        "source": f"line {row.line}, card {row.name}",
        "semi_axes_m": taking.lengths(row["semi_axes"]),
        "centre_m": taking.lengths(row["centre"]),
    }  # fmt: skip
    turn = taking.turn(row, "angles")
    if turn:
        made["orientation"] = turn
    powers = [power or row["powers"][0] for power in row["powers"]]
    if any(power > 2.0 for power in powers):
        made["kind"] = "hyperellipsoid"
        made["powers"] = [max(power, 2.0) for power in powers]
        if powers != list(row["powers"]):
            taking.rule(row, "A power left out is the first one.")
    return made


def surface(taking: Taking, row: Row, segment_field: str, field: str) -> dict[str, str] | None:
    """The surface that a segment and an ellipsoid on a card mean; an ellipsoid of D.5 is put there."""
    number: int = row[field]
    segment = taking.segment(row, segment_field)
    if segment == "ground":
        taking.refuse(
            row,
            segment_field,
            Sentence(
                "a surface is on a segment, not on the ground: 1 to {last}.",
                last=len(taking.segments),
            ),
        )
        return None
    there = taking.element("segments", segment)["surfaces"]
    index = taking.segments.index(segment) + 1
    if number == index and any(one["id"] == BODY for one in there):
        return {"segment": segment, "surface": BODY}
    name = f"e{number}"
    if any(one["id"] == name for one in there):
        return {"segment": segment, "surface": name}
    shape = _shape_numbered(taking, number, name)
    if shape is None:
        why = Sentence(
            "segment {segment} has no ellipsoid {number}: its own is {own}, cards D.5 make {known}.",
            segment=segment, number=number, own=index, known=known(taking.ellipsoids),
        )  # fmt: skip
        taking.refuse(row, field, why)
        return None
    there.append(shape)
    card = taking.ellipsoids.get(number)
    if card is not None:
        taking.took(card, f"segments/{segment}/surfaces/{name}")
    return {"segment": segment, "surface": name}


def _shape_numbered(taking: Taking, number: int, name: str) -> dict[str, Any] | None:
    card = taking.ellipsoids.get(number)
    if card is not None:
        return shape_of(taking, card, name)
    bodies = taking.deck.of("B.2.a")
    if 0 < number <= len(bodies) and any(bodies[number - 1]["semi_axes"]):
        made = _own(taking, bodies[number - 1])
        return made and {**made, "id": name}
    return None


def centre_of(taking: Taking, ref: dict[str, str]) -> list[float]:
    """The centre of a surface."""
    there = taking.element("segments", ref["segment"])["surfaces"]
    found = next(one for one in there if one["id"] == ref["surface"])
    return list(found.get("centre_m", (0.0, 0.0, 0.0)))


def take_rest(taking: Taking) -> None:
    """Say what became of ellipsoids without a user, and of symmetry."""
    for row in taking.deck.of("D.5"):
        if not taking.is_told(row):
            taking.note(row, "No contact and no belt uses it, so it belongs to no segment.")
    for row in taking.deck.of("D.7"):
        if any(row["flags"]):
            sentence = "Segments held symmetrical: set it under symmetry; the flags name no plane."
            taking.impossible(row, sentence)
        else:
            taking.took(row)


def give_segments(giving: Giving) -> list[Row]:
    """The cards B.1 and B.2."""
    project, units = giving.project, giving.units
    rows = [
        card(
            "B.1",
            segments=len(giving.order),
            joints=max(len(giving.order) - 1, 0),
            title=project.title[:20],
        )
    ]
    names = set[str]()
    for number, name in enumerate(giving.order, 1):
        one = next(one for one in project.segments if one.id == name)
        own = next((s for s in one.surfaces if _is_plain(s)), None)
        for surface_ in one.surfaces:
            giving.ellipsoids[name, surface_.id] = number if surface_ is own else _next(giving)
        moments, axes = _inertia(giving, one)
        angles = giving.turn(axes)[0] if any(axes.angles_rad) else None
        rows.append(card(
            "B.2.a", name=short(one.name or name, names), weight=giving.number(one.mass_kg, units.mass),
            inertia=giving.numbers(moments, units.inertia),
            semi_axes=giving.lengths(own.semi_axes_m) if own else (),
            centre=giving.lengths(own.centre_m) if own else (), principal=int(angles is not None),
        ))  # fmt: skip
        if angles is not None:
            rows.append(card("B.2.b", angles=angles))
    return rows


def _is_plain(surface: Ellipsoid) -> bool:
    return surface.kind == "ellipsoid" and not any(surface.orientation.angles_rad)


def _next(giving: Giving) -> int:
    others = [n for n in giving.ellipsoids.values() if n > len(giving.order)]
    return max([*others, len(giving.order) + len(giving.vehicles)]) + 1


def _inertia(giving: Giving, one: Segment) -> tuple[tuple[float, ...], Orientation]:
    """Give principal moments and their axes as yaw, pitch and roll."""
    axes = one.principal_axes
    if not any(one.products_kgm2):
        if axes.order == "zyx":
            return one.inertia_kgm2, axes
        return one.inertia_kgm2, Orientation(angles_rad=angles_from(turn(axes), "zyx"))
    moments, R = np.linalg.eigh(inertia_of(one))
    if np.linalg.det(R) < 0.0:
        R[:, 0] = -R[:, 0]
    giving.lose(
        f"segments/{one.id}",
        "Products of inertia became principal moments and their axes: the same body.",
    )
    return tuple(float(m) for m in moments), Orientation(angles_rad=angles_from(R, "zyx"))


def give_ellipsoids(giving: Giving) -> list[Row]:
    """The cards D.5: all surfaces that are not a segment's own."""
    rows = list[Row]()
    for name in giving.vehicles:
        one = next((s for s in giving.project.segments if s.id == name), None)
        for surface_ in one.surfaces if one else ():
            giving.ellipsoids[name, surface_.id] = _next(giving)
    for one in giving.project.segments:
        for surface_ in one.surfaces:
            number = giving.ellipsoids.get((one.id, surface_.id), 0)
            if number <= len(giving.order):
                continue
            turned = surface_.orientation
            if turned.order != "zyx":
                turned = Orientation(angles_rad=angles_from(turn(turned), "zyx"))
            powers = powers_of(surface_)
            rows.append(card(
                "D.5", number=number, semi_axes=giving.lengths(surface_.semi_axes_m),
                centre=giving.lengths(surface_.centre_m), angles=giving.turn(turned)[0],
                powers=powers if max(powers) > 2.0 else (),
            ))  # fmt: skip
    return sorted(rows, key=lambda row: int(row["number"]))


def centre_given(giving: Giving, ref: SurfaceRef) -> tuple[float, float, float]:
    """The centre of a surface of the project."""
    segment = next(one for one in giving.project.segments if one.id == ref.segment)
    return next(one for one in segment.surfaces if one.id == ref.surface).centre_m


# Cards B.7: flexible elements, both ways.

PAIRS = ((1, 2), (2, 0), (0, 1))
"""Which two angles the interaction terms multiply."""
Matrix = list[list[float]]


def take_flexible(taking: Taking) -> None:
    """Make flexible elements of chains of joints with an inner segment below zero."""
    deck = taking.deck
    inner = {n: abs(row["inner"]) for n, row in enumerate(deck.of("B.3.a"), 2) if row["inner"] < 0}
    for head in deck.of("B.7.a"):
        taking.took(head)
        rows = deck.of("B.7.b")
        listed = head["segments"][: head["count"]]
        bends = {n: rows[4 * k : 4 * k + 4] for k, n in enumerate(listed)}
        for chain in _chains(inner):
            _element(taking, head, chain, bends)
        for row in rows:
            if not taking.is_told(row):
                taking.impossible(row, "Its segment lies within no chain of joints below zero.")


def _chains(inner: dict[int, int]) -> list[list[int]]:
    """The chains, each from its first to its last segment."""
    outer = {carrier: n for n, carrier in sorted(inner.items(), reverse=True)}
    chains = list[list[int]]()
    for first in sorted(set(inner.values()) - set(inner)):
        chain = [first]
        while chain[-1] in outer:
            chain.append(outer[chain[-1]])
        chains.append(chain)
    return chains


def _element(taking: Taking, head: Row, chain: list[int], told: dict[int, list[Row]]) -> None:
    if len(chain) < 3 or chain[-1] > len(taking.segments):
        taking.impossible(
            head, "A flexible element has at least three segments, one behind the other."
        )
        return
    bends = list[dict[str, Any]]()
    for number in chain[1:-1]:
        rows = told.get(number)
        if rows is None:
            why = Sentence(
                "segment {number} lies within a flexible element and has no cards B.7.b: name it here, or give the joint that carries it an inner segment above zero.",
                number=number,
            )
            taking.refuse(head, "segments", why)
            return
        if len(rows) < 4:
            return
        H = [[list(one["values"][4 * i : 4 * i + 4]) for one in rows] for i in range(3)]
        if any(one[j][k] != one[k][j] for one in H for j in range(4) for k in range(j)):
            taking.refuse(
                rows[0], "values", Sentence("the three matrices of a segment are symmetric.")
            )
            return
        bends.append(_bend(H))
    names = [taking.segments[number - 1] for number in chain]
    name = taking.named("flexible_elements", f"flexible_{names[0]}", "flexible")
    path = taking.add(
        "flexible_elements", head, id=name, group="Occupant", segments=names, bends=bends
    )
    for number in chain[1:-1]:
        for row in told[number]:
            taking.took(row, path)


def _bend(H: list[Matrix]) -> dict[str, Any]:
    return {
        "bias_rad": [0.5 * one[3][3] for one in H],
        "linear": [[one[j][3] for j in range(3)] for one in H],
        "interaction_per_rad": [[one[j][k] for j, k in PAIRS] for one in H],
        "quadratic_per_rad": [[0.5 * one[j][j] for j in range(3)] for one in H],
    }


def chained(giving: Giving) -> dict[str, str]:
    """The joints' children of all flexible elements that a deck can say, with their element."""
    carried = {one.child: one.parent for one in giving.project.joints}
    found: dict[str, str] = {}
    for one in giving.project.flexible_elements:
        pairs = list(zip(one.segments, one.segments[1:], strict=False))
        if (
            all(carried.get(child) == parent for parent, child in pairs)
            and one.segments[0] not in found
        ):
            found |= {child: one.id for _, child in pairs}
        else:
            giving.lose(
                f"flexible_elements/{one.id}",
                "A chain of a deck goes outwards, from segment to segment that it carries.",
            )
    return found


def give_flexible(giving: Giving) -> list[Row]:
    """The cards B.7."""
    in_chains = set(chained(giving).values())
    within = list[tuple[int, Bend]]()
    elements: list[FlexibleElement] = [
        one for one in giving.project.flexible_elements if one.id in in_chains
    ]
    for one in sorted(elements, key=lambda e: giving.segment(e.segments[1])):
        within += [
            (giving.segment(s), bend) for s, bend in zip(one.segments[1:-1], one.bends, strict=True)
        ]
    if not within:
        return []
    if len(within) > 17:
        for one in elements:
            giving.lose(
                f"flexible_elements/{one.id}",
                "Card B.7.a has room for 17 segments; the rest is left out.",
            )
        within = within[:17]
    rows = [card("B.7.a", count=len(within), segments=[number for number, _ in within])]
    for _, bend in within:
        H = [_matrix(bend, i) for i in range(3)]
        rows += [card("B.7.b", values=[v for one in H for v in one[j]]) for j in range(4)]
    return rows


def _matrix(bend: Bend, i: int) -> Matrix:
    H = [[0.0] * 4 for _ in range(4)]
    H[3][3] = 2.0 * bend.bias_rad[i]
    for j in range(3):
        H[j][3] = H[3][j] = bend.linear[i][j]
        H[j][j] = 2.0 * bend.quadratic_per_rad[i][j]
    for value, (j, k) in zip(bend.interaction_per_rad[i], PAIRS, strict=True):
        H[j][k] = H[k][j] = value
    return H
