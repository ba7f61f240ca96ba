"""What docs/samples.md says of the samples is what their stored runs show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from solver.base.places import docs
from solver.engine.maths.rotation import matrices
from solver.results import open_results
from solver.results.trajectory import Array, Trajectory
from tests.solved import assessed, stored_run

Found = Callable[[str], Iterator[float]]
"""Gives the numbers of a sample that the page prints, in its units and order."""
SLACK = 0.005
"""Part of a figure by which it may be off beyond its last digit: stored runs stay while figures differ by less (`tools/samples/runs.py`)."""
NUMBER = r"(-?\d+(?:\.\d+)?)"


@cache
def run(sample: str) -> Trajectory:
    """Give the run that comes with a sample."""
    folder = TemporaryDirectory(prefix="page_")
    KEPT.append(folder)
    return open_results(stored_run(sample, Path(folder.name)))


KEPT: list[TemporaryDirectory[str]] = []


def figures(*names: str, per: float = 1.0) -> Found:
    """Give injury figures, in parts of a unit."""

    def found(sample: str) -> Iterator[float]:
        values = {one.name: float(one.value) for one in assessed(sample).figures}
        return (values[name] / per for name in names)

    return found


def pull(sample: str) -> Iterator[float]:
    """Give the largest tension of webbing (kN) and when it stands there (ms)."""
    tension = np.asarray(run(sample).table("strap_points")["tension"])
    yield tension.max() / 1e3
    yield 1e3 * run(sample).time[tension.max(axis=1).argmax()]


def way(sample: str, part: str) -> Array:
    """Give how a part has moved as seen from the vehicle (m)."""
    seen = run(sample).segment(part).position - run(sample).segment("vehicle").position
    return np.asarray(seen - seen[0])


def most(axis: int, *parts: str, per: float) -> Found:
    """Give how far parts go along an axis at most."""
    return lambda sample: (float(np.abs(way(sample, one)[:, axis]).max()) / per for one in parts)


def ahead(time: float, *parts: str) -> Found:
    """Give how far parts have gone forward at a time (mm)."""
    return lambda sample: (
        1e3 * float(np.interp(time, run(sample).time, way(sample, one)[:, 0])) for one in parts
    )


def pitch(sample: str, part: str) -> Array:
    """Give how far a part has turned about y since the start (degrees)."""
    R = matrices(run(sample).segment(part).quaternion_wxyz)
    turned = np.degrees(np.unwrap(np.arctan2(R[:, 2, 0], R[:, 0, 0])))
    return np.asarray(turned - turned[0])


def bent(part: str, base: str) -> Found:
    """Give how far a part turns before another at most (degrees)."""
    return lambda sample: iter([float(np.abs(pitch(sample, part) - pitch(sample, base)).max())])


def when(kind: str, *elements: str) -> Found:
    """Give when a thing first happens to each element (ms)."""

    def found(sample: str) -> Iterator[float]:
        for element in elements:
            times = [
                e.time
                for e in run(sample).events()
                if e.kind.startswith(kind) and any(element in x for x in e.elements)
            ]
            yield 1e3 * min(times)

    return found


def nods(sample: str) -> Iterator[float]:
    """Give the most that the head of the neck pendulum turns (degrees)."""
    turned = np.abs(pitch(sample, "head") - pitch(sample, "arm"))
    yield float(turned.max())


OCCUPANT = ("occupant_lower_torso", "occupant_head")
PASSENGER = ("passenger_lower_torso", "passenger_head")
BRACED = ("relaxed_head", "braced_head")
SAID: list[tuple[str, str, Found]] = [
    # the default sample
    ("| HIC15 | # | 140 |", "frontal", figures("HIC15")),
    ("| chest, 3 ms | # g | 41 g |", "frontal", figures("chest_3ms")),
    ("| chest deflection | # mm | 23 mm |", "frontal", figures("chest_deflection", per=1e-3)),
    ("| pelvis, 3 ms | # g | 53 g |", "frontal", figures("pelvis_3ms")),
    ("| femur, left and right | #, # kN | 1.9,", "frontal", figures("femur_compression_left", "femur_compression_right", per=1e3)),
    ("| Nij | # | 0.20 |", "frontal", figures("Nij")),
    ("HIC15 #, Nij # (as she leans back), chest # g,", "frontal_5f", figures("HIC15", "Nij", "chest_3ms")),
    ("g, deflection # mm.", "frontal_5f", figures("chest_deflection", per=1e-3)),
    # behind the front seats: the first column, then the third
    *((f"Behind the front seats…| {words} | {first} | ~ | {third} |", name, found)
      for words, unit, found in (
          ("HIC36", "", figures("HIC36")), ("head, 3 ms", " g", figures("head_3ms")), ("chest, 3 ms", " g", figures("chest_3ms")),
          ("chest deflection", " mm", figures("chest_deflection", per=1e-3)), ("neck tension", " kN", figures("neck_tension", per=1e3)),
          ("Nij", "", figures("Nij")), ("shoulder belt", " kN", pull),
      )
      for name, first, third in (("rear_seat", f"#{unit}", "~"), ("child_seat", "~", f"#{unit}"))),
    ("Behind the front seats…| pelvis, head, forward | #, # cm | – |", "rear_seat", most(0, *PASSENGER, per=0.01)),
    ("Behind the front seats…| pelvis, head, forward | ~ | – | #, # cm |", "child_seat", most(0, *PASSENGER, per=0.01)),
    # the aircraft seat
    ("| HIC while the head touches | # | no", "aircraft_dummy", figures("contact_HIC")),
    ("| lumbar spine, compression | # kN | ~", "aircraft_dummy", figures("lumbar_compression", per=1e3)),
    ("| lumbar spine, compression | ~ | **# kN** at", "aircraft_14g", figures("lumbar_compression", per=1e3)),
    ("| femur, left and right | #, # kN | 0.0", "aircraft_dummy", figures("femur_compression_left", "femur_compression_right", per=1e3)),
    ("| femur, left and right | ~ | # kN | 10.0", "aircraft_14g", figures("femur_compression_left", per=1e3)),
    ("| lap belt, most | # kN at # ms |", "aircraft_dummy", pull),
    ("| lap belt, most | ~ | # kN |", "aircraft_14g", pull),
    ("| pelvis, head, forward | #, # cm | 4", "aircraft_dummy", most(0, *OCCUPANT, per=0.01)),
    ("| pelvis, head, forward | ~ | #, # cm, until", "aircraft_14g", most(0, *OCCUPANT, per=0.01)),
    ("| chest before the pelvis, most | #° |", "aircraft_dummy", bent("occupant_upper_torso", "occupant_lower_torso")),
    ("| chest before the pelvis, most | ~ | #° |", "aircraft_14g", bent("occupant_upper_torso", "occupant_lower_torso")),
    # the neck pendulum, braking
    ("| turn in all | ~ | # degrees |", "neck_pendulum", nods),
    ("| forward, at most | # mm | # mm |", "braking", most(0, *BRACED, per=1e-3)),
    ("just begun | # mm | # mm |", "braking", ahead(0.3, *BRACED)),
    ("| down, at most | # mm, into the stops of its joints | # mm |", "braking", most(2, *BRACED, per=1e-3)),
    # what the others leave out
    ("gives back. HIC15 #, chest # g and", "side_impact", figures("HIC15", "chest_3ms")),
    ("pelvis # g (3 ms); the struck ribs", "side_impact", figures("pelvis_3ms")),
    ("(HIC15 #). The", "pedestrian", figures("HIC15")),
    ("| HIC15 | # | 784 |", "pedestrian_car", figures("HIC15")),
    ("shin breaks at # ms,", "pedestrian", when("joint_breaks", "right_tibia_cell")),
    ("thigh bone of that leg breaks on it at # ms", "pedestrian", when("joint_breaks", "right_femur_cell")),
    ("tears at # ms, its own at # ms", "pedestrian", when("hinge_gives_in", "left_knee_ligaments", "right_knee_ligaments")),
    ("NIC #, Nkm #. Seat and restraint", "rear_impact", figures("NIC", "Nkm")),
    ("lumbar spine bears # kN, what stands on it (39", "ejection_seat", figures("lumbar_compression", per=1e3)),
    ("(HIC15 #, Nij #). The law", "padded_wall", figures("HIC15", "Nij")),
]  # fmt: skip
"""Words of the page, # for each number that is looked at, ~ for a cell that is not, … for what stands between; the sample; its numbers."""


@pytest.mark.parametrize("sample", sorted({name for _, name, _ in SAID}))
def test_the_page_says_what_the_runs_show(sample: str) -> None:
    page = " ".join((docs() / "samples.md").read_text(encoding="utf-8").split())
    wrong = []
    for words, name, found in SAID:
        if name != sample:
            continue
        pattern = re.escape(words)
        for mark, meant in (("…", ".*?"), ("~", "[^|]*"), ("#", NUMBER)):
            pattern = pattern.replace(re.escape(mark), meant)
        said = re.search(pattern, page)
        assert said, f"the page does not say: {words}"
        for printed, value in zip(said.groups(), found(name), strict=False):
            last = 10.0 ** -len(printed.partition(".")[2])
            if abs(float(printed) - value) > 0.5 * last + SLACK * abs(value):
                wrong.append(f"{words}: {printed}, but it is {value:.4g}")
    assert not wrong, "\n".join(wrong)
