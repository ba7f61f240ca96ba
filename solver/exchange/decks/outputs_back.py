"""Cards H of a project's outputs: the way back of `outputs`."""

from __future__ import annotations

from typing import Any

from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.order import Row
from solver.exchange.decks.outputs import POINTS, TURNS

SEEN = {"ground": 0}


def give_outputs(giving: Giving) -> list[Row]:
    """Give the cards H."""
    outputs = [one for one in giving.project.outputs if getattr(one, "frame", None) is None]
    kept = set[str]()
    rows = list[Row]()
    felt = list[str]()
    for name, quantity in POINTS.items():
        told = [one for one in outputs if one.kind == "point" and one.quantity == quantity]
        kept |= {one.id for one in told}
        felt += [one.id for one in told] if name == "H.1" else []
        rows += _points(giving, name, told)
    for name, quantity in TURNS.items():
        turns = [one for one in outputs if one.kind == "rotation" and one.quantity == quantity]
        kept |= {one.id for one in turns}
        rows += _pairs(
            name, [(giving.segment(one.relative_to), giving.segment(one.segment)) for one in turns]
        )
    torques = [
        one
        for one in outputs
        if one.kind == "joint" and one.quantity == "torque" and one.joint in giving.joints
    ]
    forces = [
        one
        for one in outputs
        if one.kind == "joint" and one.quantity == "force" and one.joint in giving.joints
    ]
    kept |= {one.id for one in (*torques, *forces)}
    numbers = [giving.joints[one.joint] for one in torques]
    if giving.free:
        rows.append(card("H.7 free", count=min(len(numbers), 11), joints=numbers[:11]))
    else:
        rows += _pairs("H.7", [(0, number) for number in numbers])
    rows += _pairs("H.8", [])
    rows += _pairs("H.9", [(_seen(giving, one), giving.joints[one.joint]) for one in forces])
    sets = [
        one
        for one in outputs
        if one.kind == "body" and len(one.segments) <= 22 and all(map(giving.segment, one.segments))
    ]
    kept |= {one.id for one in sets}
    rows.append(card("H.10.a", sets=len(sets)))
    for one in sets:
        segments = [giving.segment(name) for name in one.segments]
        rows.append(
            card(
                "H.10.b",
                reference=giving.segment(one.relative_to),
                count=len(segments),
                segments=segments,
            )
        )
        rows.append(card("H.10.c"))
    rows += _injuries(giving, outputs, felt, kept)
    for left in giving.project.outputs:
        if left.id not in kept:
            giving.lose(
                f"outputs/{left.id}", "An output of this kind has no card H; it is left out."
            )
    return rows


def _points(giving: Giving, name: str, told: list[Any]) -> list[Row]:
    if not told:
        return [card(name), card(f"{name} end")]
    rows = list[Row]()
    for one in told:
        number = giving.segment(one.segment)
        reference = giving.segment(one.relative_to)
        if one.with_gravity:
            number, reference = -number, 0
        if one.relative_to != "ground" and one.axes != "relative":
            giving.lose(f"outputs/{one.id}", "A card H writes along the axes of the reference.")
        fields = {"reference": reference, "segment": number, "point": giving.lengths(one.point_m)}
        rows.append(card(f"{name}+" if rows else name, count=len(told), **fields))
    for row in rows[1:]:
        row.values.pop("count", None)
    return rows if len(rows) > 1 else [*rows, card(f"{name} end")]


def _pairs(name: str, pairs: list[tuple[int, int]]) -> list[Row]:
    flat = [number for pair in pairs for number in pair]
    rows = [card(name, count=len(pairs), pairs=flat[:22])]
    return rows + [card(f"{name}+", pairs=flat[k : k + 22]) for k in range(22, len(flat), 22)]


def _seen(giving: Giving, one: Any) -> int:
    joint = next(j for j in giving.project.joints if j.id == one.joint)
    return {
        "ground": 0,
        "parent": giving.segment(joint.parent),
        "child": giving.segment(joint.child),
    }[one.in_axes_of]


def _injuries(giving: Giving, outputs: Any, felt: list[str], kept: set[str]) -> list[Row]:
    told = [one for one in outputs if one.kind == "injury"]
    if not told:
        return []
    heads, chests = set[int](), set[int]()
    window = 0.0
    for one in told:
        if one.criterion in ("HIC", "HIC15", "HIC36", "HSI", "CSI") and one.output in felt:
            number = felt.index(one.output) + 1
            (chests if one.criterion == "CSI" else heads).add(number)
            window = 0.015 if one.criterion == "HIC15" else window
            kept.add(one.id)
    count = max(len(heads), len(chests), 1)
    firsts, seconds = sorted(heads), sorted(chests)
    numbers = [
        v
        for k in range(count)
        for v in (k + 1, firsts[k] if k < len(firsts) else 0, seconds[k] if k < len(seconds) else 0)
    ]
    holds = 3 if giving.free else 15
    rows = [card("H.12", sets=count, window=window, numbers=numbers[:holds])]
    return rows + [
        card("H.12+", numbers=numbers[k : k + holds]) for k in range(holds, len(numbers), holds)
    ]
