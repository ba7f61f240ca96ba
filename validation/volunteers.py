"""Volunteers at 15 g forward: the library's head and neck on the measured motion of T1, beside measured heads.

Tests of the Naval Biodynamics Laboratory (Ewing and Thomas; NHTSA's biomechanics database, published with
Hartlen and Cronin 2022). Numbers of the neck were fitted to 1635, 1637 and 1638 alone. T1 is driven by its
measured acceleration forward and its measured pitch, as they are; its vertical acceleration carries what its
mount did and is left out. What is compared, measured and computed, passes one filter once: class 20 of SAE
J211's form. Curves are rated by ISO/TS 18571 from 60 to 200 ms, displacements to 180. Peaks are parts of
the measured ones. Moments at the condyles (N m, greatest backward one upon the head) are those of inverse
dynamics from either head's curves, with one mass and inertia for all; the last column is how fast the head
turns back at 190 to 200 ms (degrees/s).

Beside each mean stands that of the simplest forecast there is, the mean of the other subjects' measured curves, and that of both together:
their mean, to which is added by how much the neck moves otherwise on this T1 than in the mean on theirs. It takes from the neck only what it says of differences.

`python -m validation.volunteers [FILE ...] [--neck-length MM] [--head-mass KG] [--lean DEG] [--slope DEG] [--nod DEG]` rates tests, those
of `resources/data/volunteers_15g` without a name; what is told of the subject is put in, and nothing else differs from subject to subject.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

import manikin as mk
from solver.base.places import resources
from solver.bodies.library.entries import fragment
from solver.bodies.library.inserting import put_in
from solver.engine.maths.rotation import Array
from solver.engine.signals.filters import cfc
from solver.engine.signals.rating import RATE_HZ, rating_of_samples
from solver.project.document import Project
from solver.project.fields import Vec3
from solver.project.functions import Function, Table
from solver.project.geometry import Ellipsoid
from solver.project.motions import History, Initial, Motion, MotionComponent, RootStart
from solver.project.outputs import Output, PointOutput, RotationOutput
from solver.project.runs import Run
from solver.project.segments import Segment
from tools.necks.__main__ import BRACED, NECK
from tools.necks.bones import bones
from tools.necks.build import piece
from validation.case import Verdict
from validation.sheets import GREY, RED, sheet

FOLDER = resources() / "data" / "volunteers_15g"
PICTURE = "pictures/held_volunteers.png"
TITLE = "Volunteers"
WHY = "heads go forward by two thirds to three quarters of the measured way"
FITTED = ("1635", "1637", "1638")
CLASS = 20.0
G = 9.80665
FROM_S, TO_S, DISPLACEMENTS_TO_S = 0.06, 0.2, 0.18
CURVES = {
    "acceleration x": "head_acceleration_x", "acceleration z": "head_acceleration_z",
    "angular acceleration": "head_angular_acceleration_y", "place x": "head_place_x", "place z": "head_place_z",
    "pitch": "head_pitch_angle",
}  # fmt: skip
"""Measured curves, and the channels beside them."""
HEAD_ORIGIN = (0.011, 0.0, -0.026)
"""Of the head's anatomical origin from the condyles (m): the mass centre lies 12 mm ahead of it and 29 mm above."""
CENTRE = (0.012, -0.029)
"""Of the head's mass centre from its anatomical origin (m), forward and down."""
HEAD_MASS, HEAD_INERTIA = 4.69, 0.0236
CONDYLES = (-0.022885, 0.0, 0.054725)
"""In the head's segment (m)."""


@dataclass(frozen=True)
class Subject:
    """One test in SI, with z down and pitch up as the program counts: T1 as measured, the head filtered."""

    name: str
    time: Array
    t1: Array
    pitch: Array
    measured: dict[str, Array]


def read(file: Path) -> Subject:
    """Read a test as the folder's files are written."""
    data = np.genfromtxt(file, delimiter=",", names=True)
    time = data["time_ms"] / 1e3

    def filtered(name: str, factor: float) -> Array:
        return cfc(time, factor * data[name], CLASS)

    measured = {
        "acceleration x": filtered("head_ax_g", G), "acceleration z": filtered("head_az_g", -G),
        "angular acceleration": filtered("head_alpha_rad_s2", -1.0), "place x": filtered("head_x_rel_t1_mm", 1e-3),
        "place z": filtered("head_z_rel_t1_mm", -1e-3), "pitch": filtered("head_pitch_deg", -math.pi / 180.0),
    }  # fmt: skip
    t1, pitch = G * data["t1_ax_g"], np.radians(-data["t1_pitch_deg"])
    return Subject(file.stem, time, t1, pitch, measured)


def model(subject: Subject, neck: Project | None = None, condyles: Vec3 = CONDYLES) -> Project:
    """A head and neck, the library's braced one for none, on the subject's T1."""
    neck = fragment("head_and_neck_braced") if neck is None else neck
    return put_in(t1_of(subject, condyles), neck, "head_and_neck_braced", "", "t1")


def neck_of(told: dict[str, float]) -> tuple[Project, Vec3]:
    """The library's braced neck with what is told of a subject (mm, kg, degrees), and the place of its condyles in the head."""
    posture = NECK.posture
    turns = {name: math.radians(told[name]) for name in ("lean", "slope", "nod") if name in told}
    posture = replace(posture, **turns)
    if "neck_length" in told:
        posture = replace(posture, size=posture.size * 1e-3 * told["neck_length"] / posture.length)
    if "head_mass" in told:
        posture = replace(posture, head=told["head_mass"] / bones()["skull"].mass)
    return piece(replace(NECK, posture=posture), BRACED), posture.condyles


def t1_of(subject: Subject, condyles: Vec3 = CONDYLES) -> Project:
    """The subject's T1 alone, and outputs of a head whose condyles lie at a place in it (m)."""
    every = slice(None, None, 5)
    return Project(
        title=f"Volunteer {subject.name}, 15 g forward",
        segments=(
            Segment(
                id="t1", name="First thoracic vertebra", mass_kg=10.0, inertia_kgm2=(0.1, 0.1, 0.1), group="Head and neck",
                note="Prescribed; its mass does not matter.",
                surfaces=(Ellipsoid(id="body", semi_axes_m=(0.0085, 0.011, 0.0075), centre_m=(-0.008, 0.0, 0.003), note="Drawn only; assumed."),),
            ),
        ),
        functions=(
            _function("t1_forward", "Acceleration of T1 forward", "m/s2", Table(x=_plain(subject.time, 6), y=_plain(subject.t1, 4))),
            _function(
                "t1_pitch", "Pitch of T1", "rad",
                Table(x=_plain(subject.time[every], 6), y=_plain(subject.pitch[every], 7), between="spline_at_rest"),
            ),
        ),
        motions=(
            Motion(
                id="t1", name=f"T1 of volunteer {subject.name}", segment="t1",
                components=(
                    MotionComponent(component="x", pulse=History(function="t1_forward")),
                    MotionComponent(component="pitch", quantity="position", pulse=History(function="t1_pitch")),
                ),
            ),
        ),
        initial=Initial(roots=(RootStart(segment="t1"),)),
        runs=(Run(id="run", name="250 ms", duration_s=0.25),),
        outputs=_outputs(condyles),
    )  # fmt: skip


def _outputs(condyles: Vec3) -> tuple[Output, ...]:
    x, y, z = (round(c + h, 6) for c, h in zip(condyles, HEAD_ORIGIN, strict=True))
    head = {"segment": "head", "point_m": (x, y, z)}
    return (
        PointOutput(id="head_acceleration", name="Head's origin, level axes", axes="relative", **head),
        PointOutput(id="head_place", name="Head's origin from T1, level axes", quantity="position", axes="relative", **head),
        PointOutput(id="t1_place", name="T1's origin", segment="t1", quantity="position", axes="relative"),
        RotationOutput(id="head_angular_acceleration", name="Head", segment="head", quantity="acceleration"),
        RotationOutput(id="head_pitch", name="Pitch of the head", segment="head", angles="about_axis"),
    )  # fmt: skip


def _function(id_: str, name: str, unit: str, table: Table) -> Function:
    return Function(id=id_, name=name, x_unit="s", y_unit=unit, form=table)


def _plain(values: Array, digits: int) -> tuple[float, ...]:
    return tuple(round(float(v), digits) + 0.0 for v in values)


def computed(run: mk.Run, subject: Subject) -> dict[str, Array]:
    """The run's curves at the subject's times, filtered as the measured ones."""
    time = subject.time[subject.time <= run.time[-1]]

    def at(name: str) -> Array:
        curve = run[name]
        return np.asarray(np.interp(time, curve.time, curve.value))

    found = {name: at(channel) for name, channel in CURVES.items()}
    for axis in "xz":
        way = found[f"place {axis}"] - at(f"t1_place_{axis}")
        found[f"place {axis}"] = way - way[0]
    found["pitch"] = found["pitch"] - found["pitch"][0]
    return {name: cfc(time, value, CLASS) for name, value in found.items()}


def ratings(
    found: dict[str, Array], subject: Subject, step: float = 1.0 / RATE_HZ
) -> dict[str, float]:
    """Rate each curve, sampled each `step` (s); the standard's is its default."""
    out = {}
    for name, value in found.items():
        end = DISPLACEMENTS_TO_S if name.startswith("place") else TO_S
        here = (subject.time >= FROM_S - 1e-9) & (subject.time <= end + 1e-9)
        time = subject.time[here]
        grid = time[0] + np.arange(round((time[-1] - time[0]) / step) + 1) * step
        one, other = (
            np.interp(grid, time, curve)
            for curve in (value[here[: len(value)]], subject.measured[name][here])
        )
        out[name] = rating_of_samples(one, other, step).whole
    return out


def peaks(found: dict[str, Array], subject: Subject) -> tuple[float, float]:
    """Give greatest forward angular acceleration and backward acceleration, over the measured ones."""
    here = subject.time <= TO_S
    parts = []
    for name in ("angular acceleration", "acceleration x"):
        parts.append(
            found[name][here[: len(found[name])]].min() / subject.measured[name][here].min()
        )
    return float(parts[0]), float(parts[1])


def moments(time: Array, curves: dict[str, Array]) -> Array:
    """The moment (N m, backward above zero) of the neck upon the head about the condyles.

    By inverse dynamics from the curves of the head's origin and pitch, the same for measured and computed
    ones. Newton and Euler for a level head at the start, with the mass of the library's.
    """
    pitch = curves["pitch"]
    c, s = np.cos(pitch), np.sin(pitch)
    spin, turn = np.gradient(pitch, time), curves["angular acceleration"]

    def level(x: float, z: float) -> tuple[Array, Array]:
        return c * x + s * z, c * z - s * x

    x, z = level(*CENTRE)
    push_x = HEAD_MASS * (curves["acceleration x"] + turn * z - spin**2 * x)
    push_z = HEAD_MASS * (curves["acceleration z"] - turn * x - spin**2 * z - G)
    arm_x, arm_z = level(-HEAD_ORIGIN[0] - CENTRE[0], -HEAD_ORIGIN[2] - CENTRE[1])
    found: Array = HEAD_INERTIA * turn - (arm_z * push_x - arm_x * push_z)
    return found


def condyles(found: dict[str, Array], subject: Subject) -> tuple[float, float]:
    """The greatest backward moment at the condyles, computed and measured."""
    time = subject.time[: len(found["pitch"])]
    time = time[time <= TO_S]
    both = (
        moments(time, {name: value[: len(time)] for name, value in curves.items()})
        for curves in (found, subject.measured)
    )
    one, other = (float(moment.max()) for moment in both)
    return one, other


def rebound(found: dict[str, Array], subject: Subject) -> tuple[float, float]:
    """How fast (rad/s, backward above zero) the head turns back at the end, computed and measured."""
    here = subject.time <= TO_S
    rates = [
        np.gradient(curves["pitch"][: here.sum()], subject.time[here])[-11:].mean()
        for curves in (found, subject.measured)
    ]
    return float(rates[0]), float(rates[1])


@cache
def solved(file: Path) -> mk.Run:
    """Run the library's neck on the T1 of a test."""
    return mk.run(mk.Model(model(read(file))), until=TO_S)


@cache
def forecasts(file: Path) -> dict[str, Array]:
    """The curves of the library's neck on the T1 of a test."""
    return computed(solved(file), read(file))


def of_others(
    file: Path, found: dict[str, Array] | None = None
) -> tuple[dict[str, Array], dict[str, Array]]:
    """Two forecasts of a test: the mean of the other subjects' curves, and that with what the neck moves otherwise on this T1 than on theirs."""
    others = [one for one in sorted(FOLDER.glob("*.csv")) if one.stem != file.stem]
    known = [read(one).measured for one in others]
    found = forecasts(file) if found is None else found
    plain, both = {}, {}
    for name, value in found.items():
        long = min(len(value), *(len(forecasts(one)[name]) for one in others))
        mean = np.mean([one[name][:long] for one in known], axis=0)
        theirs = np.mean([forecasts(one)[name][:long] for one in others], axis=0)
        plain[name], both[name] = mean, mean + value[:long] - theirs
    return plain, both


def mean_rating(found: dict[str, Array], subject: Subject) -> float:
    """The mean of the ratings of all curves."""
    return float(np.mean(list(ratings(found, subject).values())))


def table(files: list[Path], told: dict[str, float] | None = None) -> str:
    """The ratings of tests as a page's table."""
    lines = [
        "| test | "
        + " | ".join(CURVES)
        + " | mean | mean of the others | both | peak of angular acceleration | of acceleration x | moment, measured | turning back, measured |"
    ]
    lines.append("|---" * (len(CURVES) + 8) + "|")
    for file in files:
        subject = read(file)
        if told:
            neck, condyles_at = neck_of(told)
            found = computed(mk.run(mk.Model(model(subject, neck, condyles_at))), subject)
        else:
            found = forecasts(file)
        rated = ratings(found, subject)
        turn, way = peaks(found, subject)
        moment, back = condyles(found, subject), np.degrees(rebound(found, subject))
        name = f"{subject.name}, fitted" if subject.name in FITTED else subject.name
        cells = [f"{value:.2f}" for value in (*rated.values(), np.mean(list(rated.values())))]
        cells += [f"{mean_rating(one, subject):.2f}" for one in of_others(file, found)]
        cells += [f"{turn:.0%}", f"{way:.0%}", f"{moment[0]:.0f}, {moment[1]:.0f}", f"{back[0]:.0f}, {back[1]:.0f}"]  # fmt: skip
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def verdicts() -> list[Verdict]:
    """What came of it: mean ratings, beside those of the mean of the others, rates of the rebound."""
    out = []
    for fitted, known in ((True, "fitted on them"), (False, "nothing fitted on them")):
        files = [one for one in sorted(FOLDER.glob("*.csv")) if (one.stem in FITTED) == fitted]
        rows = [(forecasts(one), read(one), one) for one in files]
        ours = np.array([mean_rating(found, subject) for found, subject, _ in rows])
        plain = np.array([mean_rating(of_others(one)[0], subject) for _, subject, one in rows])
        fast = [np.divide(*rebound(found, subject)) for found, subject, _ in rows]
        out += [
            Verdict(TITLE, known, f"mean rating {ours.mean():.2f}", "0.87", bool(ours.mean() >= 0.87), WHY),
            Verdict(TITLE, known, f"better than the mean of the others in {(ours > plain).sum()} of {len(ours)} ({plain.mean():.2f})", "all", bool((ours > plain).all()), "one neck for all: what is their own is not told"),
            Verdict(TITLE, known, f"heads turn back {min(fast):.1f} to {max(fast):.1f} times as fast", "1.3", bool(max(fast) <= 1.3), "" if max(fast) <= 1.3 else "measured from 275 to 744 degrees/s"),
        ]  # fmt: skip
    return out


def section() -> str:
    """The book's part."""
    head, beside = ((__doc__ or "").split("\n\n")[n].replace("\n", " ") for n in (1, 2))
    return f"## {TITLE}\n\n{head}\n\n{beside}\n\n![Heads here and measured]({PICTURE})\n\n{table(sorted(FOLDER.glob('*.csv')))}\n"


def picture(file: Path) -> None:
    """Draw pitch of the head, its way forward and its acceleration backward, of each test."""
    shown = {"pitch": (180.0 / math.pi, "pitch [°]"), "place x": (1e3, "way forward [mm]"), "acceleration x": (1.0 / G, "acceleration [g]")}  # fmt: skip
    tests = sorted(FOLDER.glob("*.csv"))
    with sheet(file, len(shown), len(tests), (11.0, 5.6)) as plots:
        for column, test in enumerate(tests):
            subject = read(test)
            found = forecasts(test)
            for row, (name, (factor, label)) in enumerate(shown.items()):
                axes = plots[row * len(tests) + column]
                time, here = 1e3 * subject.time, found[name]
                axes.plot(
                    time, factor * subject.measured[name], color=GREY, lw=2.0, label="measured"
                )
                axes.plot(time[: len(here)], factor * here, color=RED, lw=1.4, label="here")
                axes.set_xlim(0.0, 1e3 * TO_S)
                if row == 0:
                    fitted = ", fitted" if subject.name in FITTED else ""
                    axes.set_title(f"{subject.name}{fitted}", fontsize=9)
                if column == 0:
                    axes.set_ylabel(label, fontsize=8)
        plots[-1].set_xlabel("time [ms]", fontsize=8)
        plots[0].legend(frameon=False, fontsize=7)


def main() -> None:
    """Rate the tests that are named."""
    parser = argparse.ArgumentParser(prog="validation.volunteers")
    parser.add_argument("files", nargs="*", type=Path)
    for name in ("neck-length", "head-mass", "lean", "slope", "nod"):
        parser.add_argument(f"--{name}", type=float)
    given = vars(parser.parse_args())
    files = given.pop("files") or sorted(FOLDER.glob("*.csv"))
    print(table(files, {name: value for name, value in given.items() if value is not None}))


if __name__ == "__main__":
    main()
