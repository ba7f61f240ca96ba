"""Cards G: where everything is and how it moves at time zero; equilibrium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.exchange.decks.units import DEGREE
from solver.words import Sentence

if TYPE_CHECKING:
    from solver.exchange.decks.order import Row
    from solver.exchange.decks.taking import Taking

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
    moved = {one["segment"] for one in taking.data.get("motions", [])}
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
    for number, row in enumerate(deck.of("G.3")):
        _attitude(taking, row, taking.segments[number], number, kept)
    _equilibrium(taking, head)


def _attitude(taking: Taking, row: Row, name: str, number: int, kept: int) -> None:
    turn = taking.turn(row, "angles", row["angles"], row["orders"])
    made: dict[str, Any] = {"segment": name, "orientation": turn or {}}
    reference = taking.segment(row, "reference")
    if reference != "ground":
        made["relative_to"] = reference
    if any(row["rate"]):
        if kept == 1:
            made["angular_velocity_rad_per_s"] = [
                w * DEGREE / taking.units.time for w in row["rate"]
            ]
        else:
            taking.rule(
                row, "Its angular velocity is not used: by G.1 the body moves with the vehicle."
            )
    taking.data["initial"]["attitudes"].append(made)
    taking.took(row, f"segments/{name}")


def _equilibrium(taking: Taking, head: Row) -> None:
    if head["equilibrium"] == EQUILIBRIUM:
        sentence = "It asks for an equilibrium; 'manikin settle' finds one, and no position is changed before."
        taking.rule(head, sentence)
    elif head["equilibrium"]:
        other = Sentence(
            "The first number is {value}; only 15 asks for anything.", value=head["equilibrium"]
        )
        taking.note(head, other)
    for row in taking.deck.of("G.4", "G.5", "G.6"):
        taking.note(row, "Part of the equilibrium routine; 'manikin settle' needs no such choice.")
