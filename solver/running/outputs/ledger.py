"""Watch the energy account of a run for what loses less than nothing, and for what holds belts' planes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from solver.base.words import NOTHING, Note, Sentence, marked, msgid
from solver.engine.dynamics.tree import Array

NOTICED = 1e-3
"""Part of the energy turned over from which it is told."""

ROUNDING, NOTHING_J = 1e-9, 1e-12
"""Part of all energy that is there, and energy (J), below which nothing is told: so little is rounding."""

LOST, WORK = "lost_in_", "work_of_"
MARK = " more than they took and held"
"""Words by which the sentences of older files are known."""
GAVE = msgid(
    "{cause} gave {energy:.4g} J more than they took and held, {share:.1%} of the energy turned over"
)
GAVE_BECAUSE = msgid(
    "{cause} gave {energy:.4g} J more than they took and held, {share:.1%} of the energy turned over; "
    "{why}"
)

WHY = {
    "joint_springs": Sentence(
        "torques as printed act across the gradient of their energy in a bent joint (torque_law)"
    ),
    "contact_geometry": Sentence(
        "surfaces that fade at an edge (edge), or whose depth counts between centres (depth), do that: let a plane "
        "end beyond what touches it, or let depth count along the normal"
    ),
    "harnesses": Sentence("look at its webbing's law and the sizes of its steps"),
}
"""What is known to do it, by cause."""


class Ledger:
    """Follow the energy account from block to block."""

    def __init__(self) -> None:
        self.turned_over = 0.0
        """Greatest sum of what causes have lost, done and hold, each without its sign (J)."""
        self.moving = 0.0
        """Greatest kinetic energy (J)."""
        self._strain = 0.0
        self._there = 0.0
        self._potential = 0.0
        self._off, self._moved = 0.0, 0.0
        self._top: dict[str, float] = {}
        self._fall: dict[str, float] = {}
        self._planes = 0.0
        self._wound = 0.0
        self._ends: tuple[Array, Array] | None = None

    def memory(self) -> dict[str, Any]:
        """Give all that has been followed."""
        return vars(self)

    def recall(self, memory: dict[str, Any]) -> None:
        """Follow on from there."""
        vars(self).update(memory)

    def take(self, groups: Mapping[str, Mapping[str, Array]]) -> None:
        """Take the next samples of a run: its groups, each of arrays (T, ...)."""
        energy = groups["energy"]
        if not self._top:
            self._strain = float(energy["strain"][0])
            self._potential = float(energy["potential"][0])
        sizes = [np.abs(energy["strain"] - self._strain)]
        for name, values in energy.items():
            if name.startswith((LOST, WORK)):
                sizes.append(np.abs(values))
            if name.startswith(LOST):
                self._fell(name.removeprefix(LOST), values, groups)
        self._fell("contact_geometry", -energy["work_of_contact_geometry"], groups)
        self.turned_over = max(self.turned_over, float(np.max(sum(sizes))))
        sizes += [energy["kinetic"], np.abs(energy["potential"] - self._potential)]
        self._moved = max(self._moved, float(np.max(sum(sizes))))
        self._off = max(self._off, float(np.max(np.abs(energy["balance"]))))
        there = sum(np.abs(energy[name]) for name in ("kinetic", "potential", "strain"))
        self.moving = max(self.moving, float(np.max(energy["kinetic"])))
        self._there = max(self._there, float(np.max(there)))
        self._planes = max(self._planes, float(np.max(np.abs(energy["work_of_belt_planes"]))))

    def _fell(self, cause: str, lost: Array, groups: Mapping[str, Mapping[str, Array]]) -> None:
        """Keep by how much what a cause has lost has fallen below what it once was."""
        if cause == "harnesses" and "harnesses" in groups:
            lost = lost + self._wound_in(groups["harnesses"])
        top = np.maximum.accumulate(np.append(self._top.get(cause, 0.0), lost))
        self._top[cause] = float(top[-1])
        self._fall[cause] = max(self._fall.get(cause, 0.0), float(np.max(top[1:] - lost)))

    def _wound_in(self, harnesses: Mapping[str, Array]) -> Array:
        """Give what spools and pretensioners have put in: tension times webbing drawn in."""
        tension, payout = harnesses["tension"], harnesses["payout"]
        if self._ends is not None:
            tension = np.concatenate([self._ends[0], tension])
            payout = np.concatenate([self._ends[1], payout])
        self._ends = tension[-1:].copy(), payout[-1:].copy()
        drawn = np.minimum(np.diff(payout, axis=0), 0.0)
        put_in = -0.5 * np.sum((tension[1:] + tension[:-1]) * drawn, axis=(1, 2))
        out = self._wound + np.cumsum(put_in)
        if len(out) < len(harnesses["payout"]):
            out = np.append(self._wound, out)
        self._wound = float(out[-1])
        return out

    def sentences(self) -> Iterator[Sentence]:
        """Say what is noticeable."""
        least = max(NOTICED * self.turned_over, ROUNDING * self._there, NOTHING_J)
        for cause, fall in self._fall.items():
            if fall > least:
                share = fall / self.turned_over
                why = WHY.get(cause, NOTHING)
                yield Sentence(
                    GAVE_BECAUSE if why else GAVE,
                    cause=Sentence(cause.replace("_", " ")),
                    energy=fall,
                    share=share,
                    why=why,
                )
        if self._planes > least:
            yield Sentence(
                "the fixed points of belts, which carry no load, held planes that tilted, and did up to "
                "{work:.4g} J of work, {share:.1%} of the energy turned over; where a belt moves "
                "sideways over a body, use a harness",
                work=self._planes,
                share=self._planes / self.turned_over,
            )

    def warnings(self) -> Iterator[Sentence]:
        """Say by how much the account is off, where the solution cannot be trusted."""
        if self._off > max(NOTICED * self._moved, NOTHING_J):
            off = Sentence(
                "the energy account is off by up to {energy:.3g} J, {share:.2g} % of all that moved: steps are "
                "too coarse for this model, or sizes in it too far apart. Tighten the tolerances, or take smaller steps",
                energy=self._off,
                share=100.0 * self._off / self._moved if self._moved else 100.0,
            )
            yield Sentence("warning: {what}", what=off)


def guesses(notes: Sequence[Note]) -> tuple[Note, ...]:
    """Give the notes of a run about what went beyond the curve of its force (`ends`)."""
    return marked(notes, " beyond the end of ")


def gains(notes: Sequence[Note]) -> tuple[Note, ...]:
    """Give the notes of a run about what gave more than it took."""
    return marked(notes, MARK)
