"""Cards H: what is followed, and injury figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.base.words import Sentence
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.order import Row
from solver.project.criteria import HIC

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

POINTS = {"H.1": "acceleration", "H.2": "velocity", "H.3": "position"}
TURNS = {"H.4": "acceleration", "H.5": "velocity", "H.6": "angle"}
JOINTS = {"H.7": "torque", "H.9": "force"}
WINDOWS = {0.0: "HIC36", 0.036: "HIC36", 0.015: "HIC15"}


def take_outputs(taking: Taking) -> None:
    """Take the outputs."""
    felt = list[str]()
    for name, quantity in POINTS.items():
        for row in _with_entries(taking, name):
            made = _point(taking, row, quantity)
            if name == "H.1":
                felt.append(made)
    for name, quantity in TURNS.items():
        for row, reference, number in _pairs(taking, name):
            _turn(taking, row, reference, number, quantity)
    for row in taking.deck.of("H.7 free"):
        taking.took(row)
        for number in row["joints"][: row["count"]]:
            _joint(taking, row, 0, number, JOINTS["H.7"])
    for name, quantity in JOINTS.items():
        for row, reference, number in _pairs(taking, name):
            _joint(taking, row, reference, number, quantity)
    for row, _, number in _pairs(taking, "H.8"):
        _wind(taking, row, number)
    _bodies(taking)
    for row in taking.deck.of("H.1 end", "H.2 end", "H.3 end"):
        taking.note(
            row, "A card that the old program reads behind one point or none; it says nothing."
        )
    for row in taking.deck.of("H.11"):
        taking.note(row, "Loads of actuators are kept with their coordinate forces.")
    for row in taking.deck.of("H.12", "H.12+"):
        _injury(taking, row, felt)


def _wind(taking: Taking, row: Row, number: int) -> None:
    """The force of wind on a segment: the winds that cards F.7 have made for it."""
    name = taking.segment(row, "pairs", number)
    winds = [one["id"] for one in taking.data.get("winds", ()) if one["targets"][0]["surface"]["segment"] == name]  # fmt: skip
    if not winds:
        taking.impossible(row, Sentence("Segment {number} stands in no wind (cards F.7).", number=number))  # fmt: skip
    for one in winds:
        _add(taking, row, one, kind="element", of="winds", element=one)


def _with_entries(taking: Taking, name: str) -> list[Row]:
    rows = taking.deck.of(name, f"{name}+")
    for row in rows[:1]:
        taking.took(row)
        if row["count"] == 0:
            return []
    return rows


def _pairs(taking: Taking, name: str) -> list[tuple[Row, int, int]]:
    rows = taking.deck.of(name, f"{name}+")
    if not rows:
        return []
    count = rows[0]["count"]
    for row in rows:
        taking.took(row)
    found = [
        (row, row["pairs"][k], row["pairs"][k + 1])
        for row in rows
        for k in range(0, len(row["pairs"]), 2)
    ]
    return found[:count]


def _add(taking: Taking, row: Row, name: str, /, **fields: Any) -> str:
    made = taking.named("outputs", name, "output")
    taking.took(row, taking.add("outputs", row, id=made, group="Outputs", **fields))
    return made


def _point(taking: Taking, row: Row, quantity: str) -> str:
    number, reference = row["segment"], row["reference"]
    segment = taking.segment(row, "segment", abs(number))
    fields: dict[str, Any] = {"kind": "point", "segment": segment, "quantity": quantity}
    if any(row["point"]):
        fields["point_m"] = taking.lengths(row["point"])
    seen = _seen_from(taking, row, "reference", reference)
    if number < 0:
        fields["with_gravity"] = True
        taking.rule(row, "A segment number below zero: as an accelerometer shows it, with gravity.")
    elif quantity != "acceleration" or reference not in (0, number):
        fields |= {"relative_to": seen, "axes": "relative"}
    return _add(taking, row, f"{segment}_{quantity}", **fields)


def _seen_from(taking: Taking, row: Row, field: str, reference: int) -> str:
    """From where the old program sees a motion: without a reference from the last vehicle."""
    return taking.segments[-1] if reference == 0 else taking.segment(row, field, reference)


def _turn(taking: Taking, row: Row, reference: int, number: int, quantity: str) -> None:
    segment = taking.segment(row, "pairs", number)
    is_total = quantity == "acceleration" and reference == 0
    seen = "ground" if is_total else _seen_from(taking, row, "pairs", reference)
    if seen == segment:
        taking.rule(
            row,
            Sentence(
                "Segment {number} seen from itself does not turn; it is seen from the ground.",
                number=number,
            ),
        )
        seen = "ground"
    shown = {"acceleration": "angular_acceleration", "velocity": "angular_velocity"}.get(
        quantity, quantity
    )
    _add(
        taking,
        row,
        f"{segment}_{shown}",
        kind="rotation",
        segment=segment,
        quantity=quantity,
        relative_to=seen,
    )


def _joint(taking: Taking, row: Row, reference: int, number: int, quantity: str) -> None:
    joint = taking.joint(row, "pairs", number)
    if joint is None:
        return
    made = taking.element("joints", joint)
    seen = taking.segment(row, "pairs", reference)
    axes = "parent" if seen == made["parent"] else "child" if seen == made["child"] else "ground"
    if seen not in (made["parent"], made["child"], "ground"):
        taking.rule(
            row,
            "Seen from a segment that the joint does not join: written along the ground's axes.",
        )
    if quantity == "torque":
        axes = "parent"
    _add(
        taking,
        row,
        f"{joint}_{quantity}",
        kind="joint",
        joint=joint,
        quantity=quantity,
        in_axes_of=axes,
    )


def _bodies(taking: Taking) -> None:
    for row in taking.deck.of("H.10.a"):
        taking.took(row)
    for block in taking.deck.blocks("H.10.b", "H.10+", "H.10.c"):
        head, last = block[0], block[-1]
        numbers = [value for one in block[:-1] for value in one["segments"]][: head["count"]]
        segments = [taking.segment(head, "segments", number) for number in numbers]
        seen = taking.segment(head, "reference")
        _add(
            taking,
            head,
            "whole_body",
            kind="body",
            segments=list(dict.fromkeys(segments)),
            relative_to=seen,
        )
        for one in block:
            taking.took(one)
        if any(last["origin"]) or any(last["angles"]):
            taking.impossible(
                last, "Its own origin and axes: figures are given along those of its reference."
            )


def _injury(taking: Taking, row: Row, felt: list[str]) -> None:
    window = row.values.get("window", 0.0) * taking.units.time
    criterion = WINDOWS.get(round(window, 6))
    if criterion is None:
        taking.rule(
            row, Sentence("A window of {window:g} ms: HIC is given for 36 ms.", window=window * 1e3)
        )
        criterion = "HIC36"
    count = row.values.get("sets", 5)
    for k in range(0, 3 * min(count, 5), 3):
        _, head, chest = row["numbers"][k : k + 3]
        for number, criteria in ((head, (criterion, "HSI")), (chest, ("CSI",))):
            if not number:
                continue
            if not 0 < number <= len(felt):
                why = Sentence(
                    "{number} is none of the {count} histories of H.1; 0 means none.",
                    number=number,
                    count=len(felt),
                )
                taking.refuse(row, "numbers", why)
                continue
            for one in criteria:
                _add(taking, row, one, kind="injury", criterion=one, output=felt[number - 1])
    taking.took(row)
    taking.rule(
        row,
        "Unfiltered in the old program; here filtered by the criterion's class unless the output says otherwise.",
    )


# Cards H of a project's outputs: the way back of `outputs`.

SEEN = {"ground": 0}


def give_outputs(giving: Giving) -> list[Row]:
    """The cards H."""
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
        rows += _pair_cards(
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
        rows += _pair_cards("H.7", [(0, number) for number in numbers])
    rows += _pair_cards("H.8", [])
    rows += _pair_cards("H.9", [(_seen(giving, one), giving.joints[one.joint]) for one in forces])
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


def _pair_cards(name: str, pairs: list[tuple[int, int]]) -> list[Row]:
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
        if one.criterion in (*HIC, "HSI", "CSI") and one.output in felt:
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
