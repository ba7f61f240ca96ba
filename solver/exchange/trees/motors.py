"""Motors as laws of blocks: a control, what follows it, gains, limits and a gear."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from solver.exchange.trees.bodies import Axis, Motor, Tension


def motor_law(one: Motor, at: dict[str, Any]) -> dict[str, Any]:
    """Write a motor's law; its first block is the control, which a function of time may give."""
    blocks: list[dict[str, Any]] = [{"kind": "source", "name": "control", "value": one.control}]

    def then(kind: str, name: str, gain: float = 1.0, **more: Any) -> None:
        inputs = [{"of": blocks[-1]["name"], "gain": gain}]
        blocks.append({"kind": kind, "name": name, "inputs": inputs, **more})

    def within(name: str, ends: tuple[float, float] | None) -> None:
        if ends is not None:
            then("limiter", name, lower=ends[0], upper=ends[1])

    within("allowed", one.span)
    if one.follows == "lag":
        then("lag", "acting", time_s=one.time, start=one.begin)
        within("kept", one.stays)
    elif one.follows == "integrator":
        low, high = one.stays or (None, None)
        then("integrator", "acting", start=one.begin, lower=low, upper=high)
    sensed = _sensed(one, at)
    if any(one.gain[1:]):
        inputs = [{"of": name, "gain": gain} for name, gain in zip(("length", "rate"), one.gain[1:], strict=True) if gain]  # fmt: skip
        bias = one.gain[0] + one.gain[1] * one.zero
        acting = blocks[-1]["name"]
        blocks.append({"kind": "sum", "name": "strength", "inputs": inputs, "bias": bias})
        then("product", "driven")
        blocks[-1]["inputs"].append({"of": acting})
        gain = 1.0
    else:
        gain = one.gain[0]
    if any(one.bias):
        then("sum", "load", gain, bias=one.bias[0] + one.bias[1] * one.zero)
        blocks[-1]["inputs"] += [{"of": name, "gain": factor} for name, factor in zip(("length", "rate"), one.bias[1:], strict=True) if factor]  # fmt: skip
        gain = 1.0
    if one.limits is not None:
        then("limiter", "limited", gain, lower=one.limits[0], upper=one.limits[1])
        gain = 1.0
    return {"kind": "blocks", "sensors": sensed, "blocks": blocks, "output": blocks[-1]["name"], "gain": gain * one.gear}  # fmt: skip


def motor_forces(
    of: Axis | Tension, name: str, at: dict[str, Any], named: Callable[[str, str, str], str]
) -> list[dict[str, Any]]:  # fmt: skip
    """Write a force for each motor of a coordinate, or of those that share a limit one for all."""
    laws = [(one.name, motor_law(one, at)) for one in of.motors]
    if of.shared is not None and len(laws) > 1:
        laws = [(f"{name}_drives", _together(laws, of.shared))]
    return [
        {"id": named("forces", called, "motor"), "name": called, "zero": 0.0, "coordinate": at, "laws": [law]}
        for called, law in laws
    ]  # fmt: skip


def _together(laws: list[tuple[str, dict[str, Any]]], ends: tuple[float, float]) -> dict[str, Any]:
    """Join laws to one, with their blocks called after them, too, whose sum stays within limits."""
    sensors, blocks, inputs = list[dict[str, Any]](), list[dict[str, Any]](), list[dict[str, Any]]()
    for n, (name, law) in enumerate(laws, 1):
        own = re.sub(r"[^\w+-]+", "_", name)[:50] or str(n)
        if any(one["name"].endswith(f"_{own}") for one in blocks):
            own = f"{own}_{n}"
        sensors += [{**one, "name": f"{one['name']}_{own}"} for one in law["sensors"]]
        for one in law["blocks"]:
            wires = [{**wire, "of": f"{wire['of']}_{own}"} for wire in one.get("inputs", ())]
            blocks.append({**one, "name": f"{one['name']}_{own}"} | ({"inputs": wires} if wires else {}))  # fmt: skip
        inputs.append({"of": f"{law['output']}_{own}", "gain": law["gain"]})
    blocks.append({"kind": "sum", "name": "together", "inputs": inputs})
    blocks.append({"kind": "limiter", "name": "within", "inputs": [{"of": "together"}], "lower": ends[0], "upper": ends[1]})  # fmt: skip
    return {"kind": "blocks", "sensors": sensors, "blocks": blocks, "output": "within"}


def _sensed(one: Motor, at: dict[str, Any]) -> list[dict[str, Any]]:
    """Sense the way and the rate behind the gear, where gains need them."""
    needs = {"length": one.gain[1] or one.bias[1], "rate": one.gain[2] or one.bias[2]}
    return [
        {"name": name, "coordinate": at, "zero": 0.0, "scale": one.gear, "quantity": "rate" if name == "rate" else "value"}
        for name, factor in needs.items() if factor
    ]  # fmt: skip
