"""Tables by time for paper and eyes, as occupant programs have printed their histories.

Each vector is a block of columns under its own heading; blocks stand side by side as far as a page
is wide, and the times are repeated on each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from solver.base.units import convert, display_unit, pretty
from solver.report.export.tables import ExportError
from solver.results.names import XYZR
from solver.results.selection import SAME_TIME, at_times
from solver.results.trajectory import Array, Channel, Facts, Trajectory, facts

WIDTH, LINES = 128, 60
COLUMN, TIME = 12, 10
FEED = "\f"


@dataclass
class _Block:
    """The columns of one vector or value."""

    title: str
    unit: str
    labels: list[str] = field(default_factory=list)
    columns: list[Array] = field(default_factory=list)

    @property
    def width(self) -> int:
        return COLUMN * len(self.labels) + 2


def printed(
    run: Trajectory,
    channels: Sequence[Channel],
    *,
    every: float = 0.0,
    units: str = "metric",
    page_lines: int = LINES,
) -> str:
    """Give tables of channels, that are in units of the system `units`, at times `every` (s) apart.

    Without `every` the times are those of the frames. `page_lines` of 0 makes one endless page.
    """
    times = _times(run, every)
    clock = display_unit("s", units)
    blocks = _blocks(channels, times)
    pages: list[str] = []
    for group in _side_by_side(blocks):
        rows = max(1, page_lines - _HEAD) if page_lines else max(1, len(times))
        for start in range(0, max(1, len(times)), rows):
            part = slice(start, start + rows)
            pages.append(_page(facts(run), group, times[part], part, clock, len(pages) + 1))
    return (FEED if page_lines else "\n").join(pages)


def _times(run: Trajectory, every: float) -> Array:
    time = run.time
    if every <= 0.0 or len(time) < 2:
        return time
    count = math.floor(float(time[-1] - time[0]) / every + SAME_TIME) + 1
    if count > 1_000_000:
        raise ExportError(
            "A table of {count} lines is too long; choose a larger interval.", count=count
        )
    grid: Array = time[0] + every * np.arange(count)
    return grid


def _blocks(channels: Sequence[Channel], times: Array) -> list[_Block]:
    """Put components of one vector into one block."""
    out: list[_Block] = []
    last = ""
    headings = [_heading(channel) for channel in channels]
    places = {key: n for n, (key, _) in reversed(list(enumerate(headings)))}
    order = {axis: n for n, axis in enumerate(XYZR)}
    # a vector stands in the order of its axes, whatever the order of names
    ranks = [(places[key], order.get(label, len(order))) for key, label in headings]
    for n in sorted(range(len(channels)), key=lambda n: ranks[n]):
        channel, (key, label) = channels[n], headings[n]
        if not out or key != last or out[-1].unit != channel.unit or len(out[-1].labels) == 8:
            out.append(_Block(key, channel.unit))
        last = key
        out[-1].labels.append(label)
        out[-1].columns.append(at_times(channel, times))
    return out


def _heading(channel: Channel) -> tuple[str, str]:
    """Split a name into the vector and the component."""
    plain, mark, frame = channel.name.partition("@")
    seen = f" seen from {frame}" if mark else ""
    filter_ = f", CFC {channel.filtered_to}" if channel.filtered_to else ""
    if "/" in plain and channel.axis and plain.endswith("/" + channel.axis):
        plain = plain.removesuffix("/" + channel.axis)
    elif channel.axis and plain.endswith("_" + channel.axis):
        plain = plain.removesuffix("_" + channel.axis)
    else:
        plain, _, label = plain.rpartition("/")
        return _words(plain) + seen + filter_, label
    return _words(plain) + seen + filter_, channel.axis


def _words(plain: str) -> str:
    """Write the name of a vector; its group goes without saying where an element is named."""
    group, *rest = plain.split("/")
    return " ".join(rest) if len(rest) > 1 else " ".join([group, *rest])


def _side_by_side(blocks: Sequence[_Block]) -> list[list[_Block]]:
    groups: list[list[_Block]] = []
    room = 0
    for block in blocks:
        if not groups or block.width > room:
            groups.append([])
            room = WIDTH - TIME
        groups[-1].append(block)
        room -= block.width
    return groups


_HEAD = 8
"""Lines of a page above its numbers."""


def _page(
    about: Facts, blocks: Sequence[_Block], times: Array, part: slice, clock: str, number: int
) -> str:
    title = about.title or about.name
    right = f"page {number}"
    lines = [
        f"{title[: WIDTH - len(right) - 1]:<{WIDTH - len(right)}}{right}",
        f"{about.name}, {about.status}. Project {about.project_sha256[:12]}. "
        f"Manikin {about.app_version}".rstrip(),
        "",
        " " * TIME + "".join(f"  {_cut(b.title, b.width - 3):^{b.width - 2}}" for b in blocks),
        " " * TIME + "".join(f"  {_unit_line(b):^{b.width - 2}}" for b in blocks),
        f"{'time':>{TIME}}"
        + "".join("  " + "".join(f"{_cut(x, COLUMN - 1):>{COLUMN}}" for x in b.labels) for b in blocks),
        f"{pretty(clock):>{TIME}}",
        "",
    ]  # fmt: skip
    shown = convert(times, "s", clock)
    columns = [[c[part] for c in _written(block)] for block in blocks]
    for row, time in enumerate(shown):
        line = f"{time:>{TIME}.3f}"
        for block in columns:
            line += "  " + "".join(f"{c[row]:>{COLUMN}}" for c in block)
        lines.append(line)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _unit_line(block: _Block) -> str:
    unit = pretty(block.unit)
    return f"({unit})" if unit else ""


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else "…" + text[1 - width :] if width > 1 else text[:width]


def _written(block: _Block) -> list[list[str]]:
    """Write a block's numbers alike: five figures of the largest; nothing where there is no number."""
    values = np.abs(np.array(block.columns))
    top = float(np.max(values, where=np.isfinite(values), initial=0.0))
    if top == 0.0 or 1e-2 <= top < 1e7:
        before = 0 if top == 0.0 else math.floor(math.log10(top)) + 1
        form = f".{min(max(5 - max(before, 0), 1), 5)}f"
    else:
        form = ".4e"
    return [[_number(v, form) for v in column.tolist()] for column in block.columns]


def _number(value: float, form: str) -> str:
    text = format(value, form) if math.isfinite(value) else ""
    # a number that rounds to nothing has no sign
    return text.removeprefix("-") if not text.strip("-0.") else text
