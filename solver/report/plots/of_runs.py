"""Plot quantities of one run or of several, overlaid, against time or another quantity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from solver.base.units import convert, display_unit, pretty
from solver.base.words import tr
from solver.project import ProjectError, parse
from solver.report.plots.curves import Curve, curves_figure
from solver.results.names import quantity_label
from solver.results.selection import at_times, only_one, select
from solver.results.trajectory import Trajectory, facts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TIME = "time"


def runs_figure(
    runs: Sequence[tuple[str, Trajectory]],
    patterns: Sequence[str],
    x: str = TIME,
    *,
    units: str = "metric",
    cfc: int | None = None,
    filtered: bool = False,
    peaks: bool = False,
    title: str | None = None,
    size: tuple[float, float] | None = None,
) -> Figure:
    """Draw all quantities of named runs that fit the patterns; against one named `x`, or against time.

    Where none is given the title is that which all runs have.
    """
    curves: list[Curve] = []
    across, titles = "", []
    for name, run in runs:
        across = _add(curves, run, name, patterns, x, (units, cfc, filtered))
        titles.append(facts(run).title)
    if title is None:
        title = titles[0] if len(set(titles)) == 1 else ""
    return curves_figure(
        curves, across, title=title, note=_filter_note(cfc, filtered), peaks=peaks,
        against_time=x == TIME, size=size,
    )  # fmt: skip


def _filter_note(cfc: int | None, filtered: bool) -> str:
    if cfc:
        return f"CFC {cfc}"
    return tr("filtered to the class of each output") if filtered else ""


def _add(
    curves: list[Curve],
    run: Trajectory,
    name: str,
    patterns: Sequence[str],
    x: str,
    how: tuple[str, int | None, bool],
) -> str:
    """Add one run's curves; give the label of the axis across."""
    units, cfc, filtered = how
    channels = select(run, patterns, units=units, cfc=cfc, filtered=filtered)
    say = _speaker(run)
    if x == TIME:
        clock = display_unit("s", units)
        for one in channels:
            time = convert(one.time, "s", clock)
            curves.append(Curve(time, one.value, one.unit, say(one.name), name, one.quantity))
        return f"time [{pretty(clock)}]"
    across = only_one(select(run, [x], units=units, cfc=cfc, filtered=filtered), x)
    for one in channels:
        # one that is sampled more finely tells where both are
        fine = one if len(one.time) >= len(across.time) else across
        u, v = at_times(across, fine.time), at_times(one, fine.time)
        both = np.isfinite(u) & np.isfinite(v)
        curves.append(Curve(u[both], v[both], one.unit, say(one.name), name, one.quantity))
    unit = pretty(across.unit)
    return say(across.name) + (f" [{unit}]" if unit else "")


def _speaker(run: Trajectory) -> Callable[[str], str]:
    """Give what names quantities as people do; by their ids where the project of a run cannot be read."""
    try:
        project = parse(run.project_json.decode()).project
    except (ProjectError, UnicodeDecodeError):
        return str
    return lambda name: quantity_label(project, name)
