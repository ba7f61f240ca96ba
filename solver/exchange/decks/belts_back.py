"""Cards F.8 of a project's harnesses, D.3 and F.2 of its belts: the way back of `belts`."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.exchange.decks.bodies import centre_given
from solver.exchange.decks.contacts_back import GivenLaws
from solver.exchange.decks.functions_back import GivenFunctions
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.order import Row

MOST_HARNESSES = 5


def give_harnesses(giving: Giving, functions: GivenFunctions, laws: GivenLaws) -> list[Row]:
    """Give the cards F.8."""
    harnesses = giving.project.harnesses
    for one in harnesses[MOST_HARNESSES:]:
        giving.lose(f"harnesses/{one.id}", "A deck has at most five harnesses; it is left out.")
    if not harnesses:
        return []
    rows = list[Row]()
    for one in harnesses[:MOST_HARNESSES]:
        points = [len(strap.points) for strap in one.straps]
        rows += [card("F.8.b", points=points[k : k + 18]) for k in range(0, len(points), 18)]
        for strap in one.straps:
            rows += _strap(giving, functions, laws, strap, f"harnesses/{one.id}/straps/{strap.id}")
    counts = [len(one.straps) for one in harnesses[:MOST_HARNESSES]]
    return [card("F.8.a", belts=counts), *rows]


def _strap(
    giving: Giving, functions: GivenFunctions, laws: GivenLaws, strap: Any, path: str
) -> list[Row]:
    if strap.start_device or strap.end_device:
        giving.lose(
            path, "Retractors, pretensioners and load limiters have no cards; the ends are fixed."
        )
    numbers = laws.of(strap.law) or (0,) * 5
    rows = [
        card("F.8.c", functions=numbers, slack=giving.number(strap.slack_m, giving.units.length))
    ]
    ties: dict[str, int] = {}
    for k, point in enumerate(strap.points):
        told = point.kind
        if told == "junction" and point.surface is None:
            giving.lose(
                path,
                "A junction in the air has no place on a card; its points are tied to the ground.",
            )
        if told == "surface" or (told == "junction" and point.surface is not None):
            rows += _on_surface(giving, functions, laws, point, ties)
            continue
        near = strap.points[k + 1] if k == 0 else strap.points[k - 1]
        rows += _fixed(giving, functions, point, near, is_end=k in (0, len(strap.points) - 1))
    return rows


def _on_surface(
    giving: Giving, functions: GivenFunctions, laws: GivenLaws, point: Any, ties: dict[str, int]
) -> list[Row]:
    number = giving.segment(point.surface.segment)
    centre = centre_given(giving, point.surface)
    place = [giving.beyond(p, c) for p, c in zip(point.position_m, centre, strict=True)]
    flesh = (laws.of(point.flesh) or (0,) * 5)[:4] if point.flesh else (0,) * 4
    if point.kind == "junction":
        tie = ties.setdefault(point.junction, len(ties) + 1)
        friction = functions.of(point.friction, "ratio", d4=_number(giving, point.friction))
        head = {"segment": 100 * tie + number, "follows": 1}
        direction: Any = None
    else:
        friction = 0
        if point.friction_across is not None:
            friction = functions.of(
                point.friction_across, "ratio", d4=_number(giving, point.friction_along)
            )
        if not point.may_leave:
            friction = -(
                friction or functions.of(100.0, "ratio", d4=_number(giving, point.friction_along))
            )
        direction = point.preferred_direction
        head = {
            "segment": number,
            "follows": int(point.follows == "webbing"),
            "directed": int(direction is not None),
        }
    return [
        card(
            "F.8.d1",
            **head,
            ellipsoid=giving.ellipsoid(point.surface),
            functions=(*flesh, friction),
            point=place,
        ),
        card("F.8.d2", direction=direction or ()),
    ]


def _number(giving: Giving, value: Any) -> float:
    if isinstance(value, str):
        giving.lose(
            f"functions/{value}", "Friction along a belt is a number in a deck; 0 is written."
        )
        return 0.0
    return value or 0.0


def _fixed(
    giving: Giving, functions: GivenFunctions, point: Any, near: Any, is_end: bool
) -> list[Row]:
    segment = getattr(point, "segment", "ground")
    friction = getattr(point, "friction", 0.0) or 0.0
    number = 0 if is_end else functions.of(friction, "ratio", d4=friction)
    direction = (0.0, 0.0, 0.0)
    if is_end:
        there = getattr(near, "segment", None) or near.surface.segment
        way = giving.pose[there].of(near.position_m) - giving.pose[segment].of(point.position_m)
        local = giving.pose[segment].R_WS.T @ way
        size = max(float(np.linalg.norm(local)), 1e-9)
        direction = (
            round(local[0] / size, 6),
            round(local[1] / size, 6),
            round(local[2] / size, 6),
        )
    return [
        card("F.8.d1", segment=giving.segment(segment), directed=int(is_end), follows=int(is_end),
             functions=(0, 0, 0, 0, number), point=giving.lengths(point.position_m)),
        card("F.8.d2", direction=direction),
    ]  # fmt: skip


def give_belts(
    giving: Giving, laws: GivenLaws, functions: GivenFunctions
) -> tuple[list[Row], list[Row]]:
    """Give the cards D.3 and F.2.b."""
    shapes, lying = list[Row](), list[Row]()
    for one in giving.project.belts:
        number = len(lying) + 1
        if one.anchor_a.segment != one.anchor_b.segment:
            giving.lose(
                f"belts/{one.id}",
                "Both anchors of a deck's belt are on one segment; it is left out.",
            )
            continue
        if one.slack_m < 0.0:
            giving.lose(
                f"belts/{one.id}",
                "Pretension of a simple belt has no place on a card; it is just taut.",
            )
        shapes += [
            card("D.3.a", title=(one.name or one.id)[:20]),
            card("D.3.b", anchor_a=giving.lengths(one.anchor_a.position_m), anchor_b=giving.lengths(one.anchor_b.position_m)),
            card("D.3.c", fixed=giving.lengths(one.fixed_point_m), slack=giving.number(max(one.slack_m, 0.0), giving.units.length)),
        ]  # fmt: skip
        numbers = laws.of(one.law) or (0,) * 5
        held = functions.of(1.0, "ratio") if one.friction == "infinite" else 0
        lying.append(card(
            "F.2.b", belt=number, carrier=giving.segment(one.anchor_a.segment), functions=(*numbers[:4], held),
            segment=giving.segment(one.surface.segment), ellipsoid=giving.ellipsoid(one.surface),
        ))  # fmt: skip
    return shapes, lying
