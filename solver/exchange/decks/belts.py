"""Cards F.8: harnesses; D.3 and F.2: simple belts; D.4 and F.6: airbags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.base.words import Sentence
from solver.exchange.decks.bodies import centre_given, centre_of, surface
from solver.exchange.decks.contacts import GivenLaws, Laws
from solver.exchange.decks.functions import Functions, GivenFunctions, constant_of, d_of
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.order import Row

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

# Cards F.8: harnesses; D.3 and F.2: simple belts.

TIES = 100
"""A segment's code above it names a junction by its hundreds."""
ENDS_FIXED = Sentence("Both ends of a belt are fixed points of a segment, with both flags set.")


def take_harnesses(taking: Taking, functions: Functions, laws: Laws) -> None:
    """Take the harnesses, their belts and points."""
    deck = taking.deck
    heads = deck.of("F.8.a")
    if not heads:
        return
    head = heads[0]
    rows = iter(deck.of("F.8.b", "F.8.c", "F.8.d1", "F.8.d2"))
    paths = list[str]()
    number = 0
    for belts in head["belts"]:
        if belts:
            number += 1
            paths.append(_harness(taking, functions, laws, rows, belts, number))
    if head["iterations"] or head["tolerance"]:
        taking.rule(head, "Limit and tolerance of the balance are not needed here.", *paths)
    taking.took(head, *paths)


def _harness(
    taking: Taking, functions: Functions, laws: Laws, rows: Iterator[Row], belts: int, number: int
) -> str:
    counts = list[int]()
    cards = list[Row]()
    while len(counts) < belts:
        row = next(rows)
        cards.append(row)
        counts += row["points"]
    straps = [
        _strap(taking, functions, laws, rows, count, k) for k, count in enumerate(counts[:belts], 1)
    ]
    name = taking.named("harnesses", f"harness_{number}", "harness")
    path = taking.add("harnesses", cards[0], id=name, group="Belts", straps=straps)
    for row in cards:
        taking.took(row, path)
    return path


def _strap(
    taking: Taking, functions: Functions, laws: Laws, rows: Iterator[Row], count: int, number: int
) -> dict[str, Any]:
    head = next(rows)
    law = laws.of(head, "webbing")
    points = list[dict[str, Any]]()
    for k in range(count):
        first, second = next(rows), next(rows)
        points.append(_point(taking, functions, laws, first, second, k in (0, count - 1)))
        taking.took(first)
        taking.took(second)
    taking.took(head)
    return {
        "id": f"belt_{number}",
        "law": law or "",
        "slack_m": head["slack"] * taking.units.length,
        "points": points,
    }


def _point(
    taking: Taking, functions: Functions, laws: Laws, row: Row, second: Row, is_end: bool
) -> dict[str, Any]:
    code, tie = row["segment"] % TIES, row["segment"] // TIES
    segment = taking.segment(row, "segment", code)
    place = [r * taking.units.length for r in row["point"]]
    offset = taking.lengths(second["offset"])
    if row["ellipsoid"] == 0:
        there = [a + b for a, b in zip(place, offset, strict=True)]
        return _place(taking, functions, row, second, segment, there, is_end, tie)
    on = Row(row.card, {**row.values, "segment": code}, row.line, row.last)
    ref = surface(taking, on, "segment", "ellipsoid")
    if ref is None:
        return {}
    centre = centre_of(taking, ref)
    if any(offset):
        taking.rule(
            second, "On an ellipsoid the offset is its centre; what stands here is not used."
        )
    position = [a + b for a, b in zip(place, centre, strict=True)]
    if tie:
        friction = (
            functions.value(row, row["functions"][4], "ratio") if row["functions"][4] else 0.0
        )
        return {"kind": "junction", "junction": f"tie_{tie}", "surface": ref, "position_m": position,
                "friction": friction}  # fmt: skip
    made: dict[str, Any] = {
        "kind": "surface", "surface": ref, "position_m": position,
        "follows": "webbing" if row["follows"] else "body",
    }  # fmt: skip
    number = row["functions"][4]
    if number:
        across, along = _pair(taking, functions, row, number)
        made |= {"friction_along": along, "friction_across": across}
    if number < 0:
        made["may_leave"] = False
    if row["functions"][0]:
        made["flesh"] = laws.of(row)
    if row["directed"]:
        made["preferred_direction"] = list(second["direction"])
    return made


def _pair(taking: Taking, functions: Functions, row: Row, number: int) -> tuple[Any, float]:
    """Give friction across and along: D2 and D4 of the function."""
    across = constant_of(taking, number)
    along = d_of(taking, number, 4)
    if across is None:
        taking.rule(row, "Friction by depth holds across the belt; D4 is the one along it.")
        return functions.of(row, number, "ratio"), along
    functions.value(row, number, "ratio")
    return across, along


def _place(
    taking: Taking, functions: Functions, row: Row, second: Row, segment: str,
    position: list[float], is_end: bool, tie: int,
) -> dict[str, Any]:  # fmt: skip
    """Make a point without an ellipsoid: an anchor at an end, a ring between."""
    if is_end:
        if not (row["directed"] and row["follows"]):
            taking.rule(row, ENDS_FIXED)
        if any(second["direction"]):
            taking.note(second, "The direction of an end is not needed: it holds the belt there.")
        if tie:
            taking.impossible(
                row, "A junction in the air: the tie of belts at an anchor is left out."
            )
        return {"kind": "anchor", "segment": segment, "position_m": position}
    number = row["functions"][4]
    friction = _pair(taking, functions, row, number)[1] if number else 0.0
    if row["follows"] or not number:
        taking.impossible(
            row, "A point that holds the webbing between the ends: taken as a ring without a hold."
        )
    return {"kind": "ring", "segment": segment, "position_m": position, "friction": friction}


def take_belts(taking: Taking, laws: Laws) -> None:
    """Take simple belts; the card F.2.b says what each lies on."""
    lying = {row["belt"]: row for row in taking.deck.of("F.2.b")}
    for number, block in enumerate(taking.deck.blocks("D.3.a", "D.3.b", "D.3.c"), 1):
        row = lying.get(number)
        if row is None:
            for one in block:
                taking.impossible(one, "No card F.2.b says on what it lies.")
            continue
        ref, law = surface(taking, row, "segment", "ellipsoid"), laws.of(row, "webbing")
        carrier = taking.segment(row, "carrier")
        if ref is None or law is None:
            taking.impossible(row, "A belt needs an ellipsoid and a function of force by strain.")
            continue
        slack = block[2]["slack"]
        if slack < 0.0:
            taking.impossible(block[2], "Its length is given instead of slack; taken as just taut.")
        a, b = block[1]["anchor_a"], block[1]["anchor_b"]
        path = taking.add(
            "belts", block[0], id=taking.named("belts", f"belt_{number}", "belt"),
            name=block[0]["title"].strip(), group="Belts",
            anchor_a={"segment": carrier, "position_m": taking.lengths(a)},
            anchor_b={"segment": carrier, "position_m": taking.lengths(b)},
            surface=ref, law=law, slack_m=max(slack, 0.0) * taking.units.length,
            fixed_point_m=taking.lengths(block[2]["fixed"]),
            friction="infinite" if row["functions"][4] else "none",
        )  # fmt: skip
        taking.rule(row, "A friction function other than 0 holds the belt on the body.", path)
        for one in block:
            taking.took(one, path)


# Cards F.8 of a project's harnesses, D.3 and F.2 of its belts: the way back of `belts`.

MOST_HARNESSES = 5


def give_harnesses(giving: Giving, functions: GivenFunctions, laws: GivenLaws) -> list[Row]:
    """The cards F.8."""
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
            rows += _strap_back(
                giving, functions, laws, strap, f"harnesses/{one.id}/straps/{strap.id}"
            )
    counts = [len(one.straps) for one in harnesses[:MOST_HARNESSES]]
    return [card("F.8.a", belts=counts), *rows]


def _strap_back(
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
        kind = point.kind
        if kind == "junction" and point.surface is None:
            giving.lose(
                path,
                "A junction in the air has no place on a card; its points are tied to the ground.",
            )
        if kind == "surface" or (kind == "junction" and point.surface is not None):
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
    """The cards D.3 and F.2.b."""
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


# Cards D.4 and F.6: airbags.

RANKINE = 5.0 / 9.0
"""Kelvin in a degree of the scale that the cards use with inches and pounds."""


def name_bags(taking: Taking) -> None:
    """Give bags their numbers between the vehicles and the ground; they are no segments here."""
    for number, _ in enumerate(taking.deck.of("D.4.a"), 1):
        taking.bags.append(f"bag_{number}")


def take_airbags(taking: Taking) -> None:
    """Take the bags with their panels and what they may press on."""
    touches = {row["bag"]: row for row in taking.deck.of("F.6")}
    cards = [f"D.4.{letter}" for letter in "abcdefgh"]
    for number, block in enumerate(taking.deck.blocks(*cards), 1):
        _airbag(taking, block, number, touches.get(number))


def _airbag(taking: Taking, block: list[Row], number: int, on: Row | None) -> None:
    a, b, c, d, e, f = block[:6]
    panels = block[6:]
    units = taking.units
    if not panels:
        taking.impossible(a, "A bag needs a panel that carries it.")
        return
    vehicle = taking.segments[-1]
    refs = [
        _panel(taking, g, h, vehicle, number, k)
        for k, (g, h) in enumerate(zip(panels[::2], panels[1::2], strict=True), 1)
    ]
    name = taking.named("airbags", f"bag_{number}", "bag")
    pressure = units.pressure
    vent: dict[str, Any] | None = None
    if f["vent"] > 0.0:
        vent = {"area_m2": f["vent"] * units.length**2, "discharge": e["vent_coefficient"],
                "opens_at_pa": e["opens"] * pressure, "flow": "incompressible"}  # fmt: skip
    factor = f["factor"]
    if factor == 0.0:
        taking.rule(f, "Without a factor on the mass 1 is taken.")
        factor = 1.0
    path = taking.add(
        "airbags", a, id=name, name=a["title"].strip(), group="Restraints", panels=refs,
        deployment_point_m=taking.lengths(c["point"]), orientation=taking.turn(c, "angles"),
        semi_axes_m=taking.lengths(b["semi_axes"]), centre_offset_m=taking.lengths(b["centre"]),
        fabric_mass_kg=d["weight"] * units.mass, mass_factor=factor,
        trigger={"kind": "time", "time_s": d["time"] * units.time},
        ambient_pressure_pa=d["ambient"] * pressure,
        inflator={"kind": "tank", "volume_m3": d["volume"] * units.length**3,
                  "pressure_pa": (d["supply"] + d["ambient"]) * pressure,
                  "temperature_k": d["temperature"] * RANKINE,
                  "throat_area_m2": e["throat"] * units.length**2, "discharge": e["nozzle"]},
        gas={"heat_ratio": e["ratio"],
             "gas_constant_j_per_kgk": e["gas"] * units.torque / (units.mass * RANKINE)},
        vents=[vent] if vent else [], panel_stiffness_n_per_m=f["spring"] * units.force / units.length,
        friction=f["friction"], touches=_touches(taking, on) if on else [],
    )  # fmt: skip
    for row in (*block, *([on] if on else [])):
        taking.took(row, path)
    taking.rule(d, "Temperatures in degrees Rankine, gas constants by them and by weight.", path)
    if f["unused"]:
        taking.note(
            f, Sentence("The fourth number ({value:g}) is used nowhere.", value=f["unused"])
        )


def _panel(taking: Taking, g: Row, h: Row, vehicle: str, bag: int, number: int) -> dict[str, str]:
    """Put a panel's ellipsoid on the vehicle; its centre counts along the panel's own axes."""
    from solver.engine.maths.rotation import from_angles
    from solver.exchange.decks.numbers import DEGREE

    axes = from_angles([a * DEGREE for a in h["angles"]], "zyx")
    offset = axes @ taking.lengths(g["centre"])
    centre = [p + float(o) for p, o in zip(taking.lengths(h["place"]), offset, strict=True)]
    name = f"panel_{bag}_{number}"
    shape: dict[str, Any] = {
        "id": name, "kind": "ellipsoid", "semi_axes_m": taking.lengths(g["semi_axes"]),
        "centre_m": centre, "source": f"line {g.line}, card {g.name}",
    }  # fmt: skip
    turn = taking.turn(h, "angles")
    if turn:
        shape["orientation"] = turn
    taking.element("segments", vehicle)["surfaces"].append(shape)
    return {"segment": vehicle, "surface": name}


def _touches(taking: Taking, row: Row) -> list[dict[str, str]]:
    found = list[dict[str, str]]()
    for k in range(0, 2 * row["count"], 2):
        on = Row(row.card, {"segment": row["pairs"][k], "ellipsoid": row["pairs"][k + 1]}, row.line)
        ref = surface(taking, on, "segment", "ellipsoid")
        if ref and ref not in found:
            found.append(ref)
    return found
