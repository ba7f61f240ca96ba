"""The runs that come with the samples: solved here, and stored again where those that lie there show something else."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from solver import __version__
from solver.base.places import samples
from solver.injury import assess
from solver.project import load_project
from solver.results import ResultsError, open_results, save_run
from solver.results.layout import FRAME_GROUPS
from solver.results.stored import FOLDER, SUFFIX, pack, unpack
from solver.results.trajectory import Array, Trajectory
from solver.running.simulation import simulate

APART_M = 1e-3
"""Places of segments may be so far from those that are found now (m)."""
PART, PART_OF_FIGURE, PART_OF_LIMIT = 1e-2, 5e-3, 1e-3
"""Quantities and channels may be apart by this part of their largest (of all components, of all energies), as root of the
mean square over the run; figures by this part, or by that of their limit."""
NOTHING = 1e-6
"""What is no larger (m, N, J, rad/s …) is rounding."""
SENSITIVE = {
    "child_seat": 10.0,
    "pedestrian": 10.0,
    "pedestrian_car": 10.0,
    "variseg_occupant": 5.0,
}
"""Samples in which what processors round differently grows: so many times the above."""


def store(name: str) -> None:
    """Solve the first run of a sample; store it where that which lies there is not what is found now."""
    run = simulate(load_project(samples() / f"{name}.json"))
    if run.status != "completed":
        raise RuntimeError(f"{name}: {run.message}")
    file = samples() / FOLDER / f"{name}{SUFFIX}"
    why = next(differences(name, run), "")
    if not why:
        print(f"the run of {name} shows what is found now")
        return
    file.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        pack(save_run(run, Path(folder) / "run.h5", __version__), file)
    print(f"the run of {name} is stored, {file.stat().st_size / 1024:.0f} kB: {why}")


def differences(name: str, run: Trajectory) -> Iterator[str]:
    """Say what the stored run of a sample does not show as a new one does."""
    file = samples() / FOLDER / f"{name}{SUFFIX}"
    if not file.is_file():
        yield "there was none"
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "stored.h5"
        try:
            unpack(file, place, run.project_json)
            stored = open_results(place)
        except ResultsError as refused:
            yield str(refused)
            return
        with stored:
            yield from _apart(stored, run, SENSITIVE.get(name, 1.0))


def _apart(stored: Trajectory, run: Trajectory, times: float) -> Iterator[str]:
    if sorted(stored.channel_names) != sorted(run.channel_names):
        yield "its channels are others"
        return
    if stored.time.shape != run.time.shape or np.abs(stored.time - run.time).max() > 1e-12:
        yield "its frames are at other times"
        return
    if _warned(stored) != _warned(run):
        yield "it warns of something else"
    place, now = (one.table("segments")["position"] for one in (stored, run))
    apart = float(np.abs(place - now).max())
    if not apart <= times * APART_M:
        yield f"a segment is found elsewhere, by {1e3 * apart:.2g} mm"
    for group in FRAME_GROUPS:
        one, other = stored.table(group), run.table(group)
        if one.ids != other.ids:
            yield f"{group} are others"
            continue
        # what is left of an account is small beside its parts
        least = (
            max((_largest(v) for v in other.columns.values()), default=0.0)
            if group == "energy"
            else 0.0
        )
        for quantity in other.columns:
            yield from _of_values(
                f"{group} {quantity}", one[quantity], other[quantity], times, least
            )
    largest = dict[str, float]()
    for name in run.channel_names:
        size = _largest(run.channel(name).value)
        largest[_vector(name)] = max(size, largest.get(_vector(name), 0.0))
    for name in run.channel_names:
        a, b = (trajectory.channel(name).value for trajectory in (stored, run))
        yield from _of_values(name, a, b, times, largest[_vector(name)])
    if stored.injury.keys() != run.injury.keys():
        yield "its figures are others"
        return
    told, found = ({name: one.value for name, one in kept.injury.items()} for kept in (stored, run))
    others = [
        name
        for name, value in found.items()
        if not abs(told[name] - value) <= times * PART_OF_FIGURE * abs(value) + NOTHING
    ]
    limits = {one.name: one.limits for one in assess(run).figures} if others else {}
    for name in others:
        small = PART_OF_LIMIT * min((abs(one.limit) for one in limits.get(name, ())), default=0.0)
        if not abs(told[name] - found[name]) <= small:
            yield f"{name} was {told[name]:.6g} and is {found[name]:.6g}"


def _vector(name: str) -> str:
    """What the components of a channel share: across a plane of symmetry there is next to nothing."""
    return re.sub(r"_(x|y|z|resultant)$", "", name)


def _largest(values: Array) -> float:
    return float(np.abs(values).max(initial=0.0))


def _of_values(
    name: str, before: Array, now: Array, times: float, least: float = 0.0
) -> Iterator[str]:
    if before.shape != now.shape:
        yield f"{name} has other instants"
    elif now.size:
        apart = float(np.sqrt(np.mean(np.square(before - now), axis=0)).max())
        if not apart <= times * PART * max(_largest(now), least) + NOTHING:
            yield f"{name} is {apart:.2g} apart"


def _warned(run: Trajectory) -> list[str]:
    """Give what its log warns of, figures left out."""
    return [re.sub(r"[\d.]+", "#", line) for line in run.log if line.startswith("warning")]
