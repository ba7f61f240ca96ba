"""Make the blocks of control laws into arrays: signals in an order in which each has its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from solver.engine.forces.coordinates import blocks as kernels
from solver.engine.forces.coordinates.blocks import HOLDS, Blocks
from solver.engine.maths.curve import NONE
from solver.model.functions import Numbered
from solver.project.blocks import (
    AnyBlock,
    CurveBlock,
    DeadZoneBlock,
    Diagram,
    HoldBlock,
    HydraulicLaw,
    IntegratorBlock,
    LagBlock,
    LimiterBlock,
    NamedSensor,
    ProductBlock,
    RateLimiterBlock,
    SecondOrderBlock,
    SourceBlock,
    SumBlock,
    TransferBlock,
    Wired,
    passes_on,
    sorted_blocks,
)

FAR = 1e30
"""A limit that is nowhere."""


def states_of_block(block: AnyBlock) -> int:
    """Count a block's states."""
    if isinstance(block, TransferBlock):
        return len(block.denominator) - 1
    return 2 if isinstance(block, SecondOrderBlock) else int(isinstance(block, IntegratorBlock | LagBlock | RateLimiterBlock))  # fmt: skip


def states_of_blocks(law: Diagram) -> int:
    """Count a law's states: pressures of chambers, then those of blocks."""
    return 2 * isinstance(law, HydraulicLaw) + sum(map(states_of_block, law.blocks))


def coefficients(block: TransferBlock) -> list[float]:
    """The order of a transfer function, then c, a and d of its controllable form."""
    lead = block.denominator[0]
    a = [v / lead for v in reversed(block.denominator[1:])]
    order = len(a)
    top = [0.0] * (order + 1 - len(block.numerator)) + [v / lead for v in block.numerator]
    d = top[0]
    c = [b - d * x for b, x in zip(reversed(top[1:]), a, strict=True)]
    return [float(order), *c, *a, d]


class BlockRows:
    """Gather the signals of all laws."""

    def __init__(self, functions: Numbered) -> None:
        """Begin without any."""
        self.functions = functions
        self.first, self.out, self.gain = [0], list[int](), list[float]()
        self.kind, self.row, self.state = list[int](), list[int](), list[int]()
        self.number, self.wires = list[list[float]](), list[list[tuple[int, float]]]()
        self.coefficient = list[float]()
        self.holds = list[tuple[int, int, float, float]]()
        """Of each held signal: signal, law, period, what it holds at the start."""

    def add(self, k: int, law: object, sensed: int, state: int) -> None:
        """Add the signals of law k, whose sensors stand from row `sensed` on, and states from `state` on; others have none."""
        at: dict[str, int] = {}
        if isinstance(law, Diagram):
            base = len(self.kind)
            blocks = sorted_blocks(law)
            assert blocks is not None, "blocks in a ring"
            names = [*(one.name for one in law.sensors), *(one.name for one in blocks)]
            at = {name: base + i for i, name in enumerate(names)}
            for i, sensor in enumerate(law.sensors):
                self._sensor(sensor, sensed + i)
            for block in blocks:
                self._block(k, block, state, at)
                state += states_of_block(block)
            if isinstance(law, HydraulicLaw):
                for _ in range(2):
                    self._signal(kernels.PRESSURE)
        self.first.append(len(self.kind))
        output = law.output if isinstance(law, Diagram) else None
        self.out.append(NONE if output is None else at[output])
        self.gain.append(law.gain if isinstance(law, Diagram) else 1.0)

    def _signal(
        self, kind: int, number: Sequence[float] = (), row: int = NONE, state: int = NONE,
        wires: Sequence[tuple[int, float]] = (),
    ) -> None:  # fmt: skip
        self.kind.append(kind)
        self.number.append([*number, *[0.0] * (4 - len(number))])
        self.row.append(row)
        self.state.append(state)
        self.wires.append(list(wires))

    def _sensor(self, one: NamedSensor, row: int) -> None:
        kind = kernels.SENSED_WAY if one.quantity == "value" else kernels.SENSED_RATE
        self._signal(kind, [one.scale], row)

    def _block(self, k: int, block: AnyBlock, state: int, at: dict[str, int]) -> None:
        wires = [(at[w.of], w.gain) for w in block.inputs] if isinstance(block, Wired) else []
        match block:
            case SourceBlock():
                self._signal(kernels.SOURCE, row=self.functions.number(block.value))
            case SumBlock():
                self._signal(kernels.SUM, [block.bias], wires=wires)
            case ProductBlock():
                self._signal(kernels.PRODUCT, wires=wires)
            case CurveBlock():
                row = self.functions.number(block.function)
                self._signal(kernels.CURVE, row=row, wires=wires)
            case IntegratorBlock():
                lower = -FAR if block.lower is None else block.lower
                upper = FAR if block.upper is None else block.upper
                self._signal(kernels.INTEGRATOR, [block.start, lower, upper], NONE, state, wires)
            case LagBlock():
                self._signal(kernels.LAG, [block.start, block.time_s], NONE, state, wires)
            case SecondOrderBlock():
                w = 2.0 * np.pi * block.frequency_hz
                self._signal(kernels.SECOND, [block.start, w, block.damping_ratio], NONE, state, wires)  # fmt: skip
            case TransferBlock():
                row = len(self.coefficient)
                self.coefficient += coefficients(block)
                kind = kernels.THROUGH if passes_on(block) else kernels.TRANSFER
                self._signal(kind, (), row, state, wires)
            case LimiterBlock():
                self._signal(kernels.LIMITER, [block.lower, block.upper], wires=wires)
            case DeadZoneBlock():
                self._signal(kernels.DEAD_ZONE, [block.lower, block.upper], wires=wires)
            case RateLimiterBlock():
                numbers = [block.start, block.rising, block.falling, block.time_s]
                self._signal(kernels.RATE_LIMITER, numbers, NONE, state, wires)
            case HoldBlock():
                self.holds.append((len(self.kind), k, block.period_s, block.start))
                self._signal(kernels.HOLD, wires=wires)

    def arrays(self) -> Blocks:
        """All that were added."""
        count, held = len(self.kind), np.zeros((len(self.holds), 4))
        hold_of = np.full(count, NONE, np.int64)
        for i, (s, _, _, start) in enumerate(self.holds):
            hold_of[s], held[i, HOLDS] = i, start
        flat = [wire for row in self.wires for wire in row]
        return Blocks(
            first=np.array(self.first, np.int64),
            out=np.array(self.out, np.int64),
            gain=np.array(self.gain, float),
            kind=np.array(self.kind, np.int64),
            number=np.array(self.number, float).reshape(-1, 4),
            row=np.array(self.row, np.int64),
            state=np.array(self.state, np.int64),
            wire_first=np.array([0, *accumulate(map(len, self.wires))], np.int64),
            wire=np.array([of for of, _ in flat], np.int64),
            wire_gain=np.array([gain for _, gain in flat], float),
            coefficient=np.array(self.coefficient, float),
            hold=np.array([s for s, _, _, _ in self.holds], np.int64),
            hold_law=np.array([k for _, k, _, _ in self.holds], np.int64),
            hold_of=hold_of,
            period=np.array([p for _, _, p, _ in self.holds], float),
            held=held,
            value=np.zeros(count),
        )
