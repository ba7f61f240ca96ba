"""What calls of the kernels find is gathered: results are the same as when each is handed over by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.base.places import samples
from solver.project import load_project
from solver.running import course
from solver.running.outputs import frames
from solver.running.simulation import simulate


def run(
    sample: str, duration: float, monkeypatch: pytest.MonkeyPatch, gathers: bool
) -> tuple[Any, list[int]]:
    """Solve a part of a sample; also give how many calls were handed over together each time."""
    project = load_project(samples() / f"{sample}.json")
    short = project.runs[0].model_copy(update={"duration_s": duration})
    counts: list[int] = []

    def counted(parts: Any) -> Any:
        counts.append(len(parts))
        return frames.joined(parts)

    with monkeypatch.context() as patch:
        patch.setattr(course, "joined", counted)
        # of a loaded machine the time does not decide
        patch.setattr(frames, "SOON_S", 1e9)
        if not gathers:
            patch.setattr(frames, "ENOUGH", 0)
        return simulate(project.model_copy(update={"runs": (short,), "studies": ()})), counts


def differing(one: Any, other: Any) -> list[str]:
    """Name what differs of all tables, channels, steps and events."""
    wrong = []
    for group in one._ids:
        theirs, ours = one.table(group).columns, other.table(group).columns
        wrong += [
            f"{group}/{n}" for n in theirs if not np.array_equal(theirs[n], ours[n], equal_nan=True)
        ]
    wrong += [
        n
        for n in one.channel_names
        if not np.array_equal(one.channel(n).value, other.channel(n).value, equal_nan=True)
    ]
    theirs, ours = one.steps().columns, other.steps().columns
    wrong += [f"steps/{n}" for n in theirs if not np.array_equal(theirs[n], ours[n])]
    return wrong + ([] if one.events() == other.events() else ["events"])


@pytest.mark.parametrize(("sample", "duration", "states"), [("frontal", 0.03, "joints"), ("point_contact", 0.3, "constraints")])  # fmt: skip
def test_results_do_not_hang_on_what_is_handed_over_together(
    sample: str, duration: float, states: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    together, counts = run(sample, duration, monkeypatch, gathers=True)
    alone, ones = run(sample, duration, monkeypatch, gathers=False)
    assert set(ones) == {1}
    assert max(counts) > 1, "else nothing was gathered"
    assert len(np.unique(together.table(states)["state"], axis=0)) > 1, "else no state changes"
    assert differing(together, alone) == []
