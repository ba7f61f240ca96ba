"""Check control laws of blocks: names, wires, rings, limits."""

from __future__ import annotations

from collections.abc import Iterator

from solver.base.words import Sentence
from solver.project.blocks import (
    BlockLaw,
    DeadZoneBlock,
    Diagram,
    HydraulicLaw,
    IntegratorBlock,
    LimiterBlock,
    TransferBlock,
    Wired,
    sorted_blocks,
)
from solver.project.checks.index import Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.forms import samples
from solver.project.problems import Problem, did_you_mean


@finds(
    TOPOLOGY,
    error={
        "block-name": "Two blocks or sensors of a law have one name.",
        "block-unknown": "A wire, or an output, names no block and no sensor of its law.",
        "block-ring": "Blocks follow from each other at once, in a ring.",
        "block-transfer": "A transfer function has a numerator of higher order than its denominator, or no leading coefficient.",
        "block-limits": "A lower limit of a block lies above the upper one, or its start beyond them.",
        "hydraulic-opening": "A valve opens by more than wholly, or by a number beside blocks that say how far.",
        "hydraulic-pressure": "A chamber starts above the supply pressure, or that is no more than the return pressure.",
    },
    note={
        "block-unused": "Nothing uses the signal of a block or a sensor.",
        "block-gain-none": "A wire, a sensor or an output counts nought times.",
    },
)
def blocks(index: Index) -> Iterator[Problem]:
    """Find diagrams that are not sound, and signals that nothing uses."""
    for kind in (BlockLaw, HydraulicLaw):
        for law, path in index.of(kind):
            yield from _diagram(law, path)
            if isinstance(law, HydraulicLaw):
                yield from _pressures(law, path)
                yield from _opening(index, law, path)


def _diagram(law: Diagram, path: str) -> Iterator[Problem]:
    named = [(one.name, f"{path}/sensors/{i}") for i, one in enumerate(law.sensors)]
    named += [(one.name, f"{path}/blocks/{i}") for i, one in enumerate(law.blocks)]
    names, is_sound = [name for name, _ in named], True
    for n, (name, where) in enumerate(named):
        if name in names[:n]:
            is_sound = False
            sentence = Sentence("There is another '{name}' in this law.", name=name)
            yield problem("block-name", f"{where}/name", sentence, "Give it another name.")
    wires = [
        (wire.of, f"{path}/blocks/{i}/inputs/{k}/of")
        for i, one in enumerate(law.blocks)
        if isinstance(one, Wired)
        for k, wire in enumerate(one.inputs)
    ]
    if law.output is not None:
        wires.append((law.output, f"{path}/output"))
    for of, where in wires:
        if of not in names:
            is_sound = False
            sentence = Sentence("There is no block and no sensor '{name}' in this law.", name=of)
            yield problem("block-unknown", where, sentence, did_you_mean(of, names) or "")
    used = {of for of, _ in wires}
    for name, where in named if is_sound else ():
        if name not in used:
            sentence = Sentence("Nothing uses the signal '{name}'.", name=name)
            yield problem("block-unused", where, sentence, "Wire it to a block, or remove it.")
    yield from _gains(law, path)
    yield from _numbers(law, path)
    if is_sound and sorted_blocks(law) is None:
        sentence = Sentence(
            "Blocks follow from each other at once, in a ring: nothing says which comes first."
        )
        hint = "Put an integrator, a lag or a sample and hold into it."
        yield problem("block-ring", f"{path}/blocks", sentence, hint)


def _gains(law: Diagram, path: str) -> Iterator[Problem]:
    """Find factors of zero, by which a signal says nothing."""
    found = [(f"{path}/sensors/{i}/scale", one.scale) for i, one in enumerate(law.sensors)]
    found += [
        (f"{path}/blocks/{i}/inputs/{k}/gain", wire.gain)
        for i, one in enumerate(law.blocks)
        if isinstance(one, Wired)
        for k, wire in enumerate(one.inputs)
    ]
    if law.output is not None and isinstance(law, HydraulicLaw):
        found.append((f"{path}/gain", law.gain))
    for where, gain in found:
        if gain == 0.0:
            sentence = Sentence("The signal counts nought times.")
            yield problem("block-gain-none", where, sentence, "Give a factor, or remove it.")


def _numbers(law: Diagram, path: str) -> Iterator[Problem]:
    for i, one in enumerate(law.blocks):
        where = f"{path}/blocks/{i}"
        if isinstance(one, TransferBlock):
            top, below = len(one.numerator), len(one.denominator)
            if top > below or one.denominator[0] == 0.0:
                sentence = Sentence(
                    "The numerator is of order {top}, the denominator of order {below}, and its first coefficient is {lead:g}.",
                    top=top - 1,
                    below=below - 1,
                    lead=one.denominator[0],
                )
                hint = "Let the denominator be of no lower order, and begin with what is not zero."
                yield problem("block-transfer", f"{where}/denominator", sentence, hint)
        if not isinstance(one, LimiterBlock | DeadZoneBlock | IntegratorBlock):
            continue
        if one.lower is not None and one.upper is not None and one.lower > one.upper:
            sentence = Sentence(
                "The lower limit {lower:g} lies above the upper one, {upper:g}.",
                lower=one.lower,
                upper=one.upper,
            )
            yield problem("block-limits", f"{where}/lower", sentence, "Exchange them.")
        elif isinstance(one, IntegratorBlock) and one.start != _within(one):
            sentence = Sentence("It starts at {start:g}, beyond its limits.", start=one.start)
            yield problem("block-limits", f"{where}/start", sentence, "Let it start within them.")


def _within(one: IntegratorBlock) -> float:
    """The value of an integrator's limits that is nearest to its start."""
    low = one.start if one.lower is None else max(one.start, one.lower)
    return low if one.upper is None else min(low, one.upper)


def _opening(index: Index, law: HydraulicLaw, path: str) -> Iterator[Problem]:
    """Find openings that no valve has, and such as blocks would overrule."""
    if law.output is not None:
        if law.opening != 0.0:
            sentence = Sentence("'{output}' says how far the valve opens; this would not be used.", output=law.output)  # fmt: skip
            yield problem("hydraulic-opening", f"{path}/opening", sentence, "Leave one of them out.")  # fmt: skip
        return
    if law.gain != 1.0:
        sentence = Sentence("There is no output whose signal it could multiply.")
        yield problem("coordinate-unused", f"{path}/gain", sentence, "Name an output, or set it to 1.")  # fmt: skip
    one = index.functions.get(law.opening) if isinstance(law.opening, str) else None
    values = samples(one.form)[1] if one is not None else [law.opening]
    numbers = [abs(value) for value in values if not isinstance(value, str)]
    if max(numbers, default=0.0) > 1.0:
        sentence = Sentence("It opens to {most:g}; wholly open is 1.", most=float(max(numbers)))
        yield problem("hydraulic-opening", f"{path}/opening", sentence, "Keep it between -1 and 1.")  # fmt: skip


def _pressures(law: HydraulicLaw, path: str) -> Iterator[Problem]:
    if law.supply_pa <= law.return_pa:
        sentence = Sentence("The supply gives no more pressure than there is at the return.")
        yield problem("hydraulic-pressure", f"{path}/supply_pa", sentence, "Raise it.")
        return
    for name in ("pressure_a_pa", "pressure_b_pa"):
        value = getattr(law, name)
        if value > law.supply_pa:
            sentence = Sentence(
                "It starts at {value:.3g} Pa, above the supply at {supply:.3g} Pa.",
                value=value,
                supply=law.supply_pa,
            )
            yield problem("hydraulic-pressure", f"{path}/{name}", sentence, "Lower it.")
