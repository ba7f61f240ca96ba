"""Cards B.7: flexible elements, both ways.

Joints whose inner segment is below zero make a chain. For each segment within it three symmetric matrices H say how
it turns: angle i is half of a'H a, where a holds yaw, pitch and roll of the chain's end and a one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.base.words import Sentence
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.order import Row
from solver.project.links import Bend, FlexibleElement

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

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
    """Give the chains, each from its first to its last segment."""
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
                "segment {number} lies within a flexible element and has no cards B.7.b.",
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
    """Give the joints' children of all flexible elements that a deck can say, with their element."""
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
    """Give the cards B.7."""
    told = set(chained(giving).values())
    within = list[tuple[int, Bend]]()
    elements: list[FlexibleElement] = [
        one for one in giving.project.flexible_elements if one.id in told
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
