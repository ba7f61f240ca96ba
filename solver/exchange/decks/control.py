"""Cards A and B.6: title, units, gravity, steps; convergence tests of the old integrator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.base.words import Sentence
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.numbers import FORCES, LENGTHS, TIMES, Units, unit_named
from solver.exchange.decks.order import Row, deformables
from solver.project.runs import VectorExponential

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

FLAG_SET = Sentence("Flag {number} is {value}: {meaning}.")
MEANINGS = {
    1: "a file for an old viewer",
    3: "full print at each such output",
    4: "histories and injury figures",
}
VECTORS = {
    "angular_velocity": "angular_velocity",
    "linear_velocity": "linear_velocity",
    "angular_acceleration": "angular_acceleration",
    "linear_acceleration": "linear_acceleration",
}


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
        taking.refuse(row, "steps", Sentence("outputs and the time between them make no duration."))
        return
    interval = row["interval"] * units.time
    usual = taking.add("runs", row, id="run", name="As it is solved here",
                       duration_s=duration, frame_interval_s=interval)  # fmt: skip
    old: dict[str, Any] = {"kind": "vei", "tests": tests}
    for field, name in (
        ("first", "first_step_s"),
        ("largest", "largest_step_s"),
        ("smallest", "smallest_step_s"),
    ):
        if row[field] > 0.0:
            old[name] = row[field] * units.time
    if row["iterations"] > 0:
        old["iterations"] = row["iterations"]
    same = taking.add("runs", row, id="as_the_deck", name="As the deck's program steps",
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
    told = [(n + 1, value) for n, value in enumerate(row["flags"]) if value]
    said = ", ".join(f"{n}: {value}" for n, value in told)
    taking.note(row, Sentence("Flags of printing ({flags}); here all is kept.", flags=said or "-"))


def give_control(giving: Giving) -> list[Row]:
    """Give the cards A."""
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
    told = old or VectorExponential()
    flags = [0] * 36
    flags[3] = int(any(one.kind == "injury" for one in project.outputs))
    gravity = giving.numbers(project.gravity_m_per_s2, units.acceleration)
    return [
        card("A.1"), *(card("A.2", text=text) for text in texts),
        card("A.3", length="IN.", force="LB.", time="SEC.", gravity=gravity, size=units.g),
        card("A.4", iterations=told.iterations, steps=steps, interval=interval, first=told.first_step_s,
             largest=told.largest_step_s, smallest=told.smallest_step_s),
        card("A.5", flags=flags),
    ]  # fmt: skip


def _steps(duration: float, interval: float) -> tuple[int, float]:
    steps = max(round(duration / interval), 1)
    while steps > 9999:
        steps, interval = -(-steps // 10), interval * 10.0
    return steps, interval


def give_tests(giving: Giving) -> list[Row]:
    """Give the cards B.6: tests of the old integrator, where a run has any."""
    units = giving.units
    scale = {"angular_velocity": 1.0, "linear_velocity": units.speed,
             "angular_acceleration": 1.0, "linear_acceleration": units.acceleration}  # fmt: skip
    told: dict[str, dict[str, tuple[float, ...]]] = {}
    for run in giving.project.runs:
        if isinstance(run.integrator, VectorExponential):
            for one in run.integrator.tests:
                unit = scale[one.vector]
                numbers = (*giving.numbers((one.magnitude, one.absolute), unit), one.relative)
                told.setdefault(one.segment, {})[one.vector] = numbers
            break
    return [card("B.6", **told.get(name, {})) for name in giving.order]
