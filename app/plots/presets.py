"""Pages of plots that fit most models: head, chest, pelvis, belts, airbag, energy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from app import texts
from solver.results.quantities import QuantityInfo

Page = list[list[str]]
"""Names of quantities, plot by plot."""

_PARTS = (
    ("head", r"head|skull"),
    ("chest", r"chest|thorax|upper_?torso|\bchest\b"),
    ("pelvis", r"pelvis|lower_?torso|\bhip\b"),
)
_MANY = 6


def pages(infos: Mapping[str, QuantityInfo], segments: Sequence[str]) -> dict[str, Page]:
    """Give the pages for which a run has something to show."""
    out: dict[str, Page] = {}
    for name, pattern in _PARTS:
        segment = next((s for s in segments if re.search(pattern, s, re.IGNORECASE)), None)
        if segment is not None:
            out[name] = _body_part(infos, segment, pattern)
    if not out and segments:
        out["motion"] = [
            [f"segments/{segments[0]}/acceleration/resultant"],
            [f"segments/{segments[0]}/velocity/{axis}" for axis in "xyz"],
        ]
    loads = _columns(infos, ("belts", "tension"), ("harnesses", "tension"))
    payout = _columns(infos, ("belts", "length"), ("harnesses", "payout"))
    if loads:
        out["belts"] = [loads[:_MANY], payout[:_MANY]]
    if any(name.startswith("airbags/") for name in infos):
        out["airbag"] = [
            _columns(infos, ("airbags", "pressure"), ("airbags", "volume")),
            [n for n in _columns(infos, ("airbags", "force")) if n.endswith("resultant")],
        ]
    contacts = [n for n in _columns(infos, ("contacts", "force")) if n.endswith("resultant")]
    if contacts:
        out["contacts"] = [contacts[: 2 * _MANY]]
    out["energy"] = [
        [f"energy/{n}" for n in ("kinetic", "potential", "strain", "dissipated", "external")],
        ["energy/balance"],
    ]
    return {texts.plots.PAGES[name]: [plot for plot in page if plot] for name, page in out.items()}


def _body_part(infos: Mapping[str, QuantityInfo], segment: str, pattern: str) -> Page:
    recorded = [
        name
        for name, info in infos.items()
        if info.group == "channels" and re.search(pattern, name, re.IGNORECASE)
    ]
    resultant = [n for n in recorded if n.endswith("resultant") and infos[n].unit == "m/s2"]
    first = resultant[:1] or [f"segments/{segment}/acceleration/resultant"]
    return [first, [f"segments/{segment}/acceleration/{axis}" for axis in "xz"]]


def _columns(infos: Mapping[str, QuantityInfo], *columns: tuple[str, str]) -> list[str]:
    return list(_named(infos.values(), columns))


def _named(infos: Iterable[QuantityInfo], columns: Sequence[tuple[str, str]]) -> Iterable[str]:
    wanted = list(infos)
    for group, column in columns:
        yield from (i.name for i in wanted if (i.group, i.column) == (group, column))
