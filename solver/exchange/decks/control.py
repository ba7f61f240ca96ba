"""Cards A and B.6: title, units, gravity, steps; convergence tests of the old integrator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.base.words import Sentence
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.joints import EULER_AXES
from solver.exchange.decks.numbers import (
    DEGREE,
    FORCES,
    JOINT_ANGLES,
    LENGTHS,
    ROLL_FIRST,
    TIMES,
    NoTurn,
    Units,
    matrix,
    orientation_of,
    projected,
    taken_turn,
    unit_named,
)
from solver.exchange.decks.order import Row, deformables
from solver.project.angles import angles_from
from solver.project.geometry import Orientation
from solver.project.pose import turn
from solver.project.runs import VectorExponential

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

VECTORS = {
    "angular_velocity": "angular_velocity",
    "linear_velocity": "linear_velocity",
    "angular_acceleration": "angular_acceleration",
    "linear_acceleration": "linear_acceleration",
}


AS_THE_DECK = "as_the_deck"
"""The run that does as the old program does."""


def take_title_and_units(taking: Taking) -> None:
    """Take the title and the units, by which all else is measured."""
    deck = taking.deck
    texts = [row["text"].strip() for row in deck.of("A.2")]
    for row in deck.of("A.2"):
        taking.took(row)
    for row in deck.of("A.1"):
        if row["restart_in"] or row["restart_out"]:
            taking.impossible(row, "Restarts of older versions are not taken over.")
        taking.note(row, Sentence("The deck's date is {date}.", date=row["date"] or "-"))
    body = deck.of("B.1")[0]
    texts = [text for text in texts if text] or [_name(body)]
    taking.data["title"] = texts[0]
    notes = texts[1:] + [f"Line {line}: {text}" for line, text in deck.comments]
    notes += [f"Date of the deck: {row['date']}." for row in deck.of("A.1") if row["date"]]
    taking.data["note"] = "\n".join(notes)
    taking.took(body)
    for row in deck.of("A.3"):
        _units(taking, row)


def _name(body: Row) -> str:
    more = "" if deformables(body) or body["deformable"].strip() == "0" else body["deformable"]
    return f"{body['title'].ljust(20)}{more}".strip()


def _units(taking: Taking, row: Row) -> None:
    tables = {"length": LENGTHS, "force": FORCES, "time": TIMES}
    known: dict[str, float] = {}
    for name, table in tables.items():
        found = unit_named(row[name], table)
        if found is None:
            if row[name].strip():
                why = Sentence(
                    "'{text}' is no unit known here; {known} are.",
                    text=row[name].strip(), known=", ".join(table),
                )  # fmt: skip
                taking.refuse(row, name, why)
            else:
                taking.rule(row, "A unit is left out; inch, pound and second are taken.")
            found = getattr(Units(), name)
        known[name] = found
    size = row["size"] or sum(g * g for g in row["gravity"]) ** 0.5
    if size <= 0.0:
        why = Sentence("no masses follow from weights without gravity; give its size.")
        taking.refuse(row, "size", why)
        size = Units().g
    taking.units = Units(**known, g=size)
    unit = taking.units.acceleration
    taking.data["gravity_m_per_s2"] = [g * unit for g in row["gravity"]]
    taking.took(row, "gravity_m_per_s2")


def take_runs(taking: Taking) -> None:
    """Take the run: as we solve it, and as the deck's own program steps."""
    deck, units = taking.deck, taking.units
    tests = [test for row, name in zip(deck.of("B.6"), taking.segments, strict=False)
             for test in _tests(taking, row, name)]  # fmt: skip
    for row in deck.of("A.5"):
        _flags(taking, row)
    for row in deck.of("A.6"):
        taking.note(row, "Windows of time for printing; all of a run is kept here.")
    if not deck.whole:
        for row in deck.of("B.6"):
            taking.note(row, "Tests of the old integrator; a body alone has no run.")
        row = deck.of("B.1")[0]
        path = taking.add("runs", row, id="run", name="To look at it", duration_s=0.1)
        taking.rule(row, "A body alone has no run; one of 100 ms lets it be looked at.", path)
        return
    row = deck.of("A.4")[0]
    duration = row["steps"] * row["interval"] * units.time
    if duration <= 0.0:
        taking.refuse(
            row,
            "steps",
            Sentence("outputs and the time between them make no duration: both are above zero."),
        )
        return
    interval = row["interval"] * units.time
    usual = taking.add("runs", row, id="run", name="As it is solved here",
                       duration_s=duration, frame_interval_s=interval)  # fmt: skip
    old: dict[str, Any] = {"kind": "vei", "as_program": True, "tests": tests}
    for field, name in (
        ("first", "first_step_s"),
        ("largest", "largest_step_s"),
        ("smallest", "smallest_step_s"),
    ):
        if row[field] > 0.0:
            old[name] = row[field] * units.time
    if row["iterations"] > 0:
        old["iterations"] = row["iterations"]
    same = taking.add("runs", row, id=AS_THE_DECK, name="As the deck's program does",
                      duration_s=duration, frame_interval_s=interval, integrator=old)  # fmt: skip
    taking.took(row, usual, same)
    for row in deck.of("B.6"):
        taking.took(row, same)


def _tests(taking: Taking, row: Row, segment: str) -> list[dict[str, Any]]:
    found = list[dict[str, Any]]()
    units = taking.units
    scale = {"angular_velocity": 1 / units.time, "linear_velocity": units.speed,
             "angular_acceleration": 1 / units.time**2, "linear_acceleration": units.acceleration}  # fmt: skip
    for vector, unit in scale.items():
        magnitude, absolute, relative = row[vector]
        if magnitude > 0.0:
            found.append({"segment": segment, "vector": vector, "magnitude": magnitude * unit,
                          "absolute": absolute * unit, "relative": relative})  # fmt: skip
    return found


def _flags(taking: Taking, row: Row) -> None:
    lines = [(n + 1, value) for n, value in enumerate(row["flags"]) if value]
    text = ", ".join(f"{n}: {value}" for n, value in lines)
    taking.note(row, Sentence("Flags of printing ({flags}); here all is kept.", flags=text or "-"))


def give_control(giving: Giving) -> list[Row]:
    """The cards A."""
    project, units = giving.project, giving.units
    lines = [project.title, *project.note.splitlines()]
    texts = [line for line in lines if line.strip()][:2]
    if len([line for line in lines if line.strip()]) > 2 or any(len(line) > 80 for line in texts):
        giving.lose(
            "note", "A deck has two lines of 80 letters for title and note; the rest is left out."
        )
    texts = [line[:80] for line in texts]
    texts += [""] * (2 - len(texts))
    run = project.runs[0] if project.runs else None
    old = next(
        (one.integrator for one in project.runs if isinstance(one.integrator, VectorExponential)),
        None,
    )
    steps, interval = _steps(run.duration_s, run.frame_interval_s) if run else (10, 0.001)
    if run is None:
        giving.lose("runs", "The project has no run; the deck's lasts 10 ms.")
    elif abs(steps * interval - run.duration_s) > 1e-12 * run.duration_s:
        giving.lose(f"runs/{run.id}", "The duration is no multiple of the time between outputs.")
    method = old or VectorExponential()
    flags = [0] * 36
    flags[3] = int(any(one.kind == "injury" for one in project.outputs))
    gravity = giving.numbers(project.gravity_m_per_s2, units.acceleration)
    return [
        card("A.1"), *(card("A.2", text=text) for text in texts),
        card("A.3", length="IN.", force="LB.", time="SEC.", gravity=gravity, size=units.g),
        card("A.4", iterations=method.iterations, steps=steps, interval=interval, first=method.first_step_s,
             largest=method.largest_step_s, smallest=method.smallest_step_s),
        card("A.5", flags=flags),
    ]  # fmt: skip


def _steps(duration: float, interval: float) -> tuple[int, float]:
    steps = max(round(duration / interval), 1)
    while steps > 9999:
        steps, interval = -(-steps // 10), interval * 10.0
    return steps, interval


def give_tests(giving: Giving) -> list[Row]:
    """The cards B.6: tests of the old integrator, where a run has any."""
    units = giving.units
    scale = {"angular_velocity": 1.0, "linear_velocity": units.speed,
             "angular_acceleration": 1.0, "linear_acceleration": units.acceleration}  # fmt: skip
    by_segment: dict[str, dict[str, tuple[float, ...]]] = {}
    for run in giving.project.runs:
        if isinstance(run.integrator, VectorExponential):
            for one in run.integrator.tests:
                unit = scale[one.vector]
                numbers = (*giving.numbers((one.magnitude, one.absolute), unit), one.relative)
                by_segment.setdefault(one.segment, {})[one.vector] = numbers
            break
    return [card("B.6", **by_segment.get(name, {})) for name in giving.order]


# Cards G: where everything is and how it moves at time zero; equilibrium.

EQUILIBRIUM = 15


def take_start(taking: Taking) -> None:
    """Take the start pose and velocities."""
    deck = taking.deck
    head = deck.of("G.1")[0]
    kept = head["velocities"]
    if kept not in (0, 1, 2):
        why = Sentence(
            "{value} says no way in which bodies begin to move; 0, 1 and 2 do.", value=kept
        )
        taking.refuse(head, "velocities", why)
    taking.took(head, "initial")
    vehicle = taking.segments[-1]
    start = taking.data.setdefault("initial", {"roots": [], "attitudes": []})
    roots = [n for n, name in enumerate(taking.segments[: len(deck.of("B.2.a"))])
             if n == 0 or n > len(taking.joints) or not taking.joints[n - 1]]  # fmt: skip
    moved = {one["segment"] for one in start["roots"]}
    shared: dict[str, str | None] = {}
    for number, row in zip(roots, deck.of("G.2"), strict=False):
        name = taking.segments[number]
        if name in moved:
            taking.note(row, "The segment moves as prescribed by cards C.")
            continue
        own = kept == 1 or (kept == 2 and not row["moves_with"])
        with_ = None if own else taking.segment(row, "moves_with") if row["moves_with"] else vehicle
        shared[name] = with_
        root: dict[str, Any] = {"segment": name, "position_m": taking.lengths(row["position"])}
        reference = taking.segment(row, "reference")
        if reference != "ground":
            root["relative_to"] = reference
        if with_:
            root["moves_with"] = with_
            if any(row["velocity"]):
                taking.rule(
                    row, "Its velocity is not used: by G.1 the body moves with the vehicle."
                )
        elif any(row["velocity"]):
            root["velocity_m_per_s"] = [v * taking.units.speed for v in row["velocity"]]
        start["roots"].append(root)
        taking.took(row, "initial")
    for number, block in enumerate(deck.blocks("G.3", "G.3.b")):
        _attitude(taking, block, number, kept)
    _equilibrium(taking, head)


def _attitude(taking: Taking, block: list[Row], number: int, kept: int) -> None:
    row, name = block[0], taking.segments[number]
    if any(one["segment"] == name for one in taking.data["initial"]["attitudes"]):
        for one in block:
            taking.note(one, "The segment moves as prescribed by cards C.")
        return
    made: dict[str, Any] = {"segment": name}
    joint = _joint_of(taking, row, number) if row["reference"] < 0 else None
    if row["reference"] < 0 and joint is None:
        return
    reference = joint["parent"] if joint else taking.segment(row, "reference")
    angles, rule = row["angles"], False
    if joint and joint["kind"] == "euler" and tuple(map(abs, row["orders"])) == JOINT_ANGLES:
        # in the fields' order: precession, spin, nutation
        p, n, s = (joint[axis].get("centre_rad", 0.0) / DEGREE for axis in EULER_AXES)
        angles = tuple(a + b for a, b in zip(angles, (p, s, n), strict=True))
    try:
        if row["orders"][0] < 0:
            turn = orientation_of(projected(block[1]))
            taking.took(block[1], f"segments/{name}")
            rule = True
        else:
            turn = taken_turn(angles, row["orders"], ROLL_FIRST) or {}
    except NoTurn as failure:
        which = (block[1], "numbers") if len(block) > 1 else (row, "orders")
        taking.refuse(*which, failure.sentence)
        return
    if rule and any(row["angles"]):
        taking.rule(row, "Its angles are not used: cards G.3.b tell the attitude.")
    if not row["orders"][0] and sum(1 for angle in angles if angle) > 1:
        taking.rule(row, "No order of axes: turned about 1, 2, 3, roll first.")
    if joint:
        inner, outer = (joint[f"{side}_frame"].get("orientation") for side in ("parent", "child"))
        turn = orientation_of(matrix(inner) @ matrix(turn) @ matrix(outer).T)
        taking.rule(row, "A segment of reference below zero: turned about the axes of its joint.")
    made["orientation"] = turn
    if reference != "ground":
        made["relative_to"] = reference
    if any(row["rate"]):
        if kept == 1:
            made["angular_velocity_rad_per_s"] = [
                w * (DEGREE / taking.units.time) for w in row["rate"]
            ]
        else:
            taking.rule(
                row, "Its angular velocity is not used: by G.1 the body moves with the vehicle."
            )
    taking.data["initial"]["attitudes"].append(made)
    taking.took(row, f"segments/{name}")


def _joint_of(taking: Taking, row: Row, number: int) -> dict[str, Any] | None:
    """The joint that carries a segment, where a card names its inner segment with a minus."""
    name = taking.joints[number - 1] if 0 < number <= len(taking.joints) else ""
    joint = taking.element("joints", name) if name else None
    if joint is None or joint["parent"] not in taking.segments[-1 - row["reference"] :][:1]:
        why = Sentence(
            "{value} is not the segment that carries this one: {right} is, or 0 for the ground.",
            value=row["reference"], right=_carrier(taking, joint),
        )  # fmt: skip
        taking.refuse(row, "reference", why)
        return None
    return joint


def _carrier(taking: Taking, joint: dict[str, Any] | None) -> str:
    return "none" if joint is None else str(-1 - taking.segments.index(joint["parent"]))


def _equilibrium(taking: Taking, head: Row) -> None:
    if head["equilibrium"] == EQUILIBRIUM:
        sentence = "It asks for an equilibrium; settle the model to find it. No position is changed before."
        taking.rule(head, sentence)
    elif head["equilibrium"]:
        other = Sentence(
            "The first number is {value}; only 15 asks for anything.", value=head["equilibrium"]
        )
        taking.note(head, other)
    for row in taking.deck.of("G.4", "G.5", "G.6"):
        taking.note(
            row,
            "What it lets move is free in settling; forces of single contacts follow from the equilibrium.",
        )


def give_start(giving: Giving) -> list[Row]:
    """The cards G."""
    project = giving.project
    primary = giving.vehicles[-1]
    roots = {one.segment: one for one in project.initial.roots}
    attitudes = {one.segment: one for one in project.initial.attitudes}
    carried = set(giving.joints)
    free = [name for name in giving.order if not _is_carried(giving, name, carried)]
    resting = all(
        (root := roots.get(name)) is not None and root.moves_with == primary and not any(root.velocity_m_per_s)
        for name in free
    ) and not any(any(one.angular_velocity_rad_per_s) for one in attitudes.values()) and not any(
        any(one.rates) for one in project.initial.joints
    )  # fmt: skip
    speeds = {} if resting else _speeds(giving, free)
    rows = [card("G.1", velocities=0 if resting else 1)]
    for name in free:
        root = roots.get(name)
        plain = root is not None and (
            root.relative_to == "ground" or giving.is_at_origin(root.relative_to)
        )
        place = (
            root.position_m
            if root is not None and plain and name not in giving.moved
            else giving.pose[name].p_W
        )
        speed = speeds[name][0] if speeds else ()
        rows.append(
            card(
                "G.2",
                position=giving.lengths(place),
                velocity=giving.numbers(speed, giving.units.speed),
            )
        )
    for name in giving.order:
        one = attitudes.get(name)
        if (
            one is not None
            and name not in giving.moved
            and (one.relative_to == "ground" or giving.is_at_origin(one.relative_to))
        ):
            angles, orders = giving.turn(one.orientation)
        else:
            angles, orders = giving.turn(
                Orientation(angles_rad=angles_from(giving.pose[name].R_WS, "zyx"))
            )
        rate = giving.numbers(speeds[name][1], DEGREE) if speeds else ()
        rows.append(card("G.3", angles=angles, rate=rate, orders=orders))
    return rows


def _is_carried(giving: Giving, name: str, carried: set[str]) -> bool:
    return any(one.child == name and one.id in carried for one in giving.project.joints)


def _speeds(giving: Giving, free: Sequence[str]) -> dict[str, tuple[Any, Any]]:
    """Give velocities of roots along the ground's axes, and angular velocities along each segment's own."""
    project = giving.project
    if any(any(one.rates) for one in project.initial.joints):
        giving.lose(
            "initial/joints",
            "Rates of joints at the start are not written; give angular velocities of segments.",
        )
    moving = {}
    for motion in project.motions:
        for one in motion.components:
            if one.component in "xyz":
                moving[motion.segment] = (
                    turn(motion.axes)[:, "xyz".index(one.component)] * one.start_rate
                )
    roots = {one.segment: one for one in project.initial.roots}
    spins = {
        one.segment: np.array(one.angular_velocity_rad_per_s) for one in project.initial.attitudes
    }
    found: dict[str, tuple[Any, Any]] = {
        name: (np.zeros(3), spins.get(name, np.zeros(3))) for name in giving.order
    }
    for name in free:
        root = roots.get(name)
        if root is not None:
            own = giving.pose[root.relative_to].R_WS @ np.array(root.velocity_m_per_s)
            found[name] = (own + moving.get(root.moves_with, np.zeros(3)), found[name][1])
    return found
