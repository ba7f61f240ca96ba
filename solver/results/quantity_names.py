"""How quantities are called: `segments/head[0.1,0,0]/acceleration/x@vehicle:head`.

Group, element, column and component, with slashes between; a point of a segment in brackets (m, from
the mass centre along its axes); behind `@` the segment from which it is seen, and behind `:` the
segment along whose axes it is written. A dense channel has its own name alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from solver.results.layout import ResultsError

XYZR = ("x", "y", "z", "resultant")
TURNS = ("yaw", "pitch", "roll")

_POINT = re.compile(r"\[([^\]]*)\]")


@dataclass(frozen=True, slots=True)
class Name:
    """Hold a name in its parts; `plain` is what stands in the list of quantities."""

    plain: str
    point: tuple[float, float, float] | None = None
    seen_from: str = ""
    axes: str = ""

    def of(self, plain: str) -> Name:
        """Give the same point and frame for another plain name."""
        return replace(self, plain=plain)

    def __str__(self) -> str:
        text = self.plain
        if self.point is not None:
            group, element, rest = self.plain.split("/", 2)
            x, y, z = (f"{v:g}" for v in self.point)
            text = f"{group}/{element}[{x},{y},{z}]/{rest}"
        if self.seen_from:
            text += f"@{self.seen_from}" + (f":{self.axes}" if self.axes else "")
        return text


def read_name(text: str, frames: Collection[str]) -> Name:
    """Take a name or pattern apart; `frames` are the segments from which things can be seen."""
    rest, mark, frame = text.partition("@")
    seen_from = axes = ""
    if mark:
        seen_from, axes = _frames(text, frame, frames)
    plain, point = rest, None
    found = _POINT.search(rest)
    # a pattern such as h[ea]d has no commas
    if found and "," in found[1]:
        point = _point(text, found[1])
        plain = rest[: found.start()] + rest[found.end() :]
    return Name(plain, point, seen_from, axes)


def _frames(text: str, frame: str, frames: Collection[str]) -> tuple[str, str]:
    known = {"ground", *frames}
    if frame in known:
        return frame, ""
    for cut in (i for i, sign in enumerate(frame) if sign == ":"):
        if frame[:cut] in known and frame[cut + 1 :] in known:
            return frame[:cut], frame[cut + 1 :]
    raise ResultsError(
        "'{text}' is seen from '{frame}', which is no segment of these results.",
        text=text,
        frame=frame,
    )


def _point(text: str, inside: str) -> tuple[float, float, float]:
    try:
        x, y, z = (float(word) for word in inside.split(","))
    except ValueError:
        raise ResultsError(
            "The point of '{text}' must be three lengths in m: [x,y,z].", text=text
        ) from None
    return x, y, z
