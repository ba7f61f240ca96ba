"""The head and neck: a volunteer's run, and what one law on a coordinate costs."""

from __future__ import annotations

import json
import time
from copy import deepcopy
from typing import Any

from benchmarks.history import note
from benchmarks.occupant import cost
from solver.base.places import samples
from solver.project import validated
from solver.running.simulation import Simulation, simulate

MANY = 200
"""Laws that are added to see what one of them costs."""

ROUNDS = 5


def table() -> str:
    """Solve the volunteer's sample without frames for anybody, and time laws one by one."""
    data = json.loads((samples() / "volunteer_15g.json").read_text(encoding="utf-8"))
    seconds, evaluations, speeds = min(_solve(data) for _ in range(ROUNDS))
    lines = [
        "## The head and neck", "",
        f"The sample `volunteer_15g`, {data['runs'][0]['duration_s'] * 1e3:.0f} ms: {speeds} freedoms, "
        f"{len(data['coordinate_forces'])} laws on coordinates, most of them muscles. The fastest of {ROUNDS} runs; "
        "evaluations are timed in a compiled loop.", "",
        "| what | measured | asked |", "|---|---|---|",
        f"| solve it | {seconds:.2f} s, {evaluations} evaluations | ≤ 0.25 s |",
        f"| one evaluation | {cost(data) * 1e6:.1f} µs |  |",
    ]  # fmt: skip
    hill = {"kind": "hill", "strength": 1.0, "fibre": 0.1, "activation": 0.1}
    guides = [
        {"segment": "head", "position_m": [-0.03, 0.0, -0.06]},
        {"segment": "c4", "position_m": [-0.04, 0.0, 0.0]},
    ]
    laws = list[float]()
    for name, law, via, asked in (
        (
            "a spring on the distance of two points",
            {"kind": "linear", "stiffness": 1.0},
            [],
            "≤ 60 ns",
        ),
        ("a muscle after Hill on it", hill, [], "≤ 50 ns"),
        ("a muscle after Hill over two points between", hill, guides, "≤ 50 ns"),
    ):
        laws.append(
            1e9 * (cost(_with(data, law, via, MANY)) - cost(_with(data, law, via, 0))) / MANY
        )
        lines.append(f"| one law more: {name} | {laws[-1]:.0f} ns | {asked} |")
    note("neck", f"{seconds / data['runs'][0]['duration_s']:.2f}")
    note("muscle", f"{laws[2] / laws[0]:.1f} ({laws[2]:.0f} ns)")
    return "\n".join([*lines, ""])


def _solve(data: dict[str, Any]) -> tuple[float, int, int]:
    """The time (s), evaluations and freedoms of a run of which nothing is kept."""
    simulation = Simulation(validated(data))
    course = simulation.begin()
    begin = time.perf_counter()
    course.go_on([])
    seconds = time.perf_counter() - begin
    steps = simulate(simulation.project).steps()
    return seconds, int(steps["evaluations"][-1]), simulation.model.trees.speeds


def _with(
    data: dict[str, Any], law: dict[str, Any], via: list[dict[str, Any]], count: int
) -> dict[str, Any]:
    """Put so many laws in place of all others."""
    made = deepcopy(data)
    made["outputs"] = []
    made["coordinate_forces"] = [
        {
            "id": f"law_{n}", "laws": [law],
            "coordinate": {
                "kind": "distance", "via": via,
                "a": {"segment": "head", "position_m": [-0.05, 0.001 * n, 0.02]},
                "b": {"segment": "t1", "position_m": [-0.04, 0.0, 0.01]},
            },
        }
        for n in range(count)
    ]  # fmt: skip
    return made
