"""Find the quantity of a run that a channel code means: the code that the run's own channels would have."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.project import Project
from solver.report.export.mme import Meaning, Place, code_of, meaning
from solver.results.quantities import QuantityInfo
from solver.results.trajectory import Channel

_NONE = np.zeros(0)
Known = Mapping[str, tuple[tuple[str, str], ...]]
"""Names of quantities with the positions of their people, by place, dimension and direction; the best first."""


def known_codes(project: Project, infos: Mapping[str, QuantityInfo]) -> Known:
    """Give codes to all quantities of a run, without reading one."""
    found: dict[str, list[tuple[tuple[bool, ...], str, str]]] = {}
    for name, info in infos.items():
        if "[" in name or "@" in name or info.unit not in _UNITS:
            continue
        axis = info.component or name.rpartition("_")[2]
        channel = Channel(
            name, _NONE, _NONE, info.unit, info.column, axis=axis if axis in _AXES else ""
        )
        means = meaning(project, channel)
        code = code_of(channel, Place(), means)
        if code[2:6] != "0000" and code[12:14] != "00":
            found.setdefault(place_of(code), []).append((_rank(info, means), name, code[1]))
    return {key: tuple((name, position) for _, name, position in sorted(rows)) for key, rows in found.items()}  # fmt: skip


_AXES = {"x", "y", "z", "resultant", "roll", "pitch", "yaw"}
_UNITS = {"m/s2", "m/s", "m", "rad", "rad/s", "rad/s2", "N", "N*m", "Pa"}


def _rank(info: QuantityInfo, means: Meaning) -> tuple[bool, ...]:
    """What an accelerometer shows comes first, then what is recorded."""
    return (info.group != "channels", not (means.is_felt or info.column == "felt"), not means.is_central)  # fmt: skip


def place_of(code: str) -> str:
    """Where and what a code is of, of any person: a mass centre and a place that is not told are one, as are the two ways to write a direction."""
    fine = "00" if code[6:8] == "CG" else code[6:8]
    # a sled stands for the vehicle
    main = "VEHC" if code[2:6] == "SLED" else code[2:6]
    return f"{main}{fine}{code[8:10]}{code[12:14]}{ {'1': 'X', '2': 'Y', '3': 'Z'}.get(code[14], code[14]) }"


def own_of(known: Known, code: str) -> str:
    """The quantity that a code means; that of the only person where positions differ. Empty where there is none."""
    fit = known.get(place_of(code), ()) if len(code) == 16 else ()
    here = [name for name, position in fit if position == code[1]]
    if here:
        return here[0]
    return fit[0][0] if len({position for _, position in fit}) == 1 else ""
