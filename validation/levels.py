"""Levels of neck and spine, each loaded alone by pure moments, beside what specimens turned.

One bone is held, the one above it is free and bears a moment that grows from nothing; where it comes to rest is found as `settle` finds it, without
gravity, tone, muscles and ribs. The library's neck bears what its discs and ligaments do between these bones, and what whole levels bear beside them (the band behind the
neck spans more than one level and is left out); its two upper levels are loaded as one, by the head, because ligaments go from C2 past C1. A joint of
the generated man, 50th percentile, that stands for several levels is held against their sum, and counts by the part of them that was measured.

Measured without muscles and without a load along the spine, as the public repository saferhbm/validation (Apache-2.0) has digitised it: Panjabi
and others (Spine 2001), 16 necks, to 1 N m, the two sides of bending and twist as the range; Nightingale and others (J Biomech 2007), 41 segments of
men, one standard deviation as the range; Wilke and others (PLoS ONE 2017), thoracic levels one by one, whether a mean or one specimen the repository
does not say; Yamamoto and others (Spine 1989), ten spines from L1 to the sacrum, steps of 2.5 N m, no spread told. Thoracic bending is in a
workbook that the repository names and the stored copy lacks; C7-T1 and T12-L1 are in none of them.

`python -m validation.levels` prints the page, `--write` writes it, `--fit` prints laws that were fitted to each measured curve.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

import manikin as mk
from solver.analysis.equilibrium.settling import settle
from solver.bodies.body import read
from solver.bodies.library.entries import fragment
from solver.bodies.people.sizes import LINKS
from solver.engine.maths.rotation import Array
from solver.project.angles import angles_from
from solver.project.document import Project
from solver.project.merging import merged
from solver.project.motions import Initial
from solver.project.pose import start_pose
from solver.project.references import keys_in
from solver.studies.bench.pieces import only
from validation.sheets import sheet

FILE = Path(__file__).resolve().parent / "data" / "levels" / "curves.csv"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "spine-levels.md"
PICTURE = "pictures/held_levels.png"
SOURCES = {
    "panjabi_2001": "Panjabi", "nightingale_2007": "Nightingale", "wilke_2017": "Wilke", "yamamoto_1990": "Yamamoto",
}  # fmt: skip
WAYS = {"flexion": (0.0, -1.0, 0.0), "extension": (0.0, 1.0, 0.0), "sideways": (1.0, 0.0, 0.0), "twist": (0.0, 0.0, 1.0)}  # fmt: skip
"""Axes of moments in the bone that is held: x forward, y to the right, z down."""
SIDES = {"sideways": ("left", "right"), "twist": ("twist_left", "twist_right")}
COVERS = {"C0-C2": ("C0-C1", "C1-C2")}
NECK_NM, THORACIC_NM, LUMBAR_NM = (0.5, 1.0, 2.0), (2.0, 5.0, 7.0), (2.0, 5.0, 10.0)
WITHIN, SWING_S = 0.3, 1.5
STANDS_FOR = {
    "lumbar_1": ("L4-L5", "L5-S1"), "lumbar_2": ("L2-L3", "L3-L4"), "lumbar_3": ("T12-L1", "L1-L2"),
    "thoracic_1": ("T9-T10", "T10-T11", "T11-T12"), "thoracic_2": tuple(f"T{n}-T{n + 1}" for n in range(1, 9)),
    "disc_1": ("C6-C7", "C7-T1"), "disc_2": ("C4-C5", "C5-C6"), "disc_3": ("C2-C3", "C3-C4"), "condyles": ("C0-C1", "C1-C2"),
}  # fmt: skip
"""Levels that a joint of a generated person stands for."""
CHAIN = ("c7", "c6", "c5", "c4", "c3", "c2")
LIBRARY, MAN_NECK, MAN_THORACIC, MAN_LUMBAR = (
    "library's neck", "generated man, neck", "generated man, thoracic spine", "generated man, lumbar spine",
)  # fmt: skip


@dataclass(frozen=True)
class Curve:
    """What a level turns (degrees) by moment (N m), and from where to where it did, if that was told."""

    source: str
    level: str
    way: str
    moment: Array
    angle: Array
    less: Array
    more: Array

    def at(self, moment: float) -> tuple[float, float, float] | None:
        """The angle and its bounds at a moment, none where it was not measured."""
        if moment > 1.03 * self.moment[-1]:
            return None
        first = self.moment[0] > 0.0
        x = np.concatenate([[0.0], self.moment]) if first else self.moment
        values = (np.concatenate([[0.0], y]) if first else y for y in (self.angle, self.less, self.more))  # fmt: skip
        middle, less, more = (float(np.interp(moment, x, y)) for y in values)
        return middle, less, more

    def rough(self, moment: float) -> bool:
        """Whether a moment lies below the first that was measured, where a straight line is drawn to it."""
        return bool(moment < 0.9 * self.moment[0])


def curves() -> list[Curve]:
    """Read what was measured; both sides of bending and twist make one curve, with the sides as its bounds."""
    found: dict[tuple[str, str, str], list[list[float]]] = {}
    with FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            values = [row[name] for name in ("moment_nm", "angle_deg", "less_deg", "more_deg")]
            found.setdefault((row["source"], row["level"], row["way"]), []).append(
                [float(v) if v else math.nan for v in values]
            )
    read = {key: np.array(rows).T for key, rows in found.items()}
    out = []
    for (source, level, way), data in read.items():
        sides = next(((name, pair) for name, pair in SIDES.items() if way in pair), None)
        if sides is None:
            out.append(Curve(source, level, way, *data))
        elif way == sides[1][0]:
            other = read[source, level, sides[1][1]]
            far = np.interp(data[0], other[0], other[1])
            both = np.sort([data[1], far], axis=0)
            out.append(Curve(source, level, sides[0], data[0], both.mean(axis=0), both[0], both[1]))
    return out


@dataclass(frozen=True)
class Level:
    """Two bones on the bench: which is held (ground: none need be), which is loaded, and between which two the turn is read."""

    body: str
    name: str
    project: Project
    held: str
    loaded: str
    between: tuple[str, str]
    stands_for: tuple[str, ...]
    moments: tuple[float, ...]
    joint: str = ""


def bench(level: Level, way: str) -> Project:
    """Hold the lower bone as it stands, without gravity, and put a moment about an axis of it on the bone that is loaded."""
    project, axis = level.project, np.array(WAYS[way])
    fixture: dict[str, Any] = {
        "title": f"{level.name}: {way}", "gravity_m_per_s2": (0.0, 0.0, 0.0),
        "functions": [{"id": "moment", "name": "Moment", "x_unit": "s", "y_unit": "N*m", "form": {"kind": "constant", "value": 0.0}}],
        "runs": [{"id": "run", "duration_s": 0.1}],
    }  # fmt: skip
    if level.held != "ground":
        place = start_pose(project)[level.held]
        axis = place.R_WS @ axis
        frame = {"position_m": place.p_W.tolist(), "orientation": {"angles_rad": angles_from(place.R_WS, "zyx")}}  # fmt: skip
        fixture["joints"] = [{"id": "held", "kind": "locked", "parent": "ground", "child": level.held, "parent_frame": frame}]  # fmt: skip
        start = project.initial
        project = project.model_copy(
            update={
                "initial": Initial(
                    roots=tuple(one for one in start.roots if one.segment != level.held),
                    attitudes=tuple(one for one in start.attitudes if one.segment != level.held),
                )
            }
        )
    fixture["loads"] = [
        {"id": "moment", "kind": "torque", "segment": level.loaded, "direction": axis.tolist(), "axes": "ground", "history": "moment"}
    ]  # fmt: skip
    return merged(Project.model_validate(fixture), project)


def turned(level: Level, way: str, moments: Iterable[float]) -> Array:
    """By how much (degrees) a level has turned at rest under each moment (N m), from where it rests under none."""
    project, zero, out = bench(level, way), np.eye(3), []
    for moment in (0.0, *moments):
        functions = tuple(
            one.model_copy(update={"form": one.form.model_copy(update={"value": moment})})
            if one.id == "moment"
            else one
            for one in project.functions
        )
        project, turn = _rested(level, project.model_copy(update={"functions": functions}))
        if moment:
            out.append(math.degrees(float(_vector(turn @ zero.T) @ np.array(WAYS[way]))))
        else:
            zero = turn
    return np.array(out)


def _rested(level: Level, project: Project) -> tuple[Project, Array]:
    """Find rest, or swing until there is rest where no balance is found (ligaments that become taut), and the turn between the bones."""
    try:
        done = settle(project, free=["all"])
    except mk.SettleError:
        track = mk.run(mk.Model(project), until=SWING_S).trajectory
        last = {one: np.roll(track.segment(one).quaternion_wxyz[-1], -1) for one in level.between}
        low, high = (Rotation.from_quat(one).as_matrix() for one in last.values())
        return project, low.T @ high
    if not (done.balanced and done.stable):
        raise ValueError(f"{level.name}: {done.reason}")
    pose = start_pose(done.project)
    low, high = (np.eye(3) if one == "ground" else pose[one].R_WS for one in level.between)
    return done.project, low.T @ high


def _vector(turn: Array) -> Array:
    """The axis of a turn below half a circle times its angle."""
    twice = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    size = float(np.linalg.norm(twice))
    angle = math.atan2(size, float(np.trace(turn)) - 1.0)
    return twice * (angle / size if size > 0.0 else 0.5)


def alone(whole: Project, kept: tuple[str, ...]) -> Project:
    """Some bones of a neck and what acts between them, muscles left out."""

    def inside(one: Any) -> bool:
        return {key[1] for key in keys_in(one) if key[0] == "segments"} <= {*kept}

    springs = tuple(one for one in whole.springs if inside(one))
    forces = tuple(
        one
        for one in whole.coordinate_forces
        if inside(one) and all(law.kind != "hill" for law in one.laws)
    )
    used = {key for one in (*springs, *forces) for key in keys_in(one)}
    start = whole.initial
    return Project(
        segments=tuple(one for one in whole.segments if one.id in kept),
        springs=springs, coordinate_forces=forces,
        functions=tuple(one for one in whole.functions if ("functions", one.id) in used),
        initial=Initial(
            roots=tuple(one for one in start.roots if one.segment in kept),
            attitudes=tuple(one for one in start.attitudes if one.segment in kept),
        ),
    )  # fmt: skip


def levels() -> list[Level]:
    """Levels of the library's neck and joints of the generated man, from below."""
    neck, out = fragment("head_and_neck"), []
    for low, high in pairwise(CHAIN):
        name = f"{high.upper()}-{low.upper()}"
        out.append(Level(LIBRARY, name, alone(neck, (low, high)), low, high, (low, high), (name,), NECK_NM))  # fmt: skip
    upper = alone(neck, ("c2", "c1", "head"))
    for name, between in (("C1-C2", ("c2", "c1")), ("C0-C1", ("c1", "head")), ("C0-C2", ("c2", "head"))):  # fmt: skip
        out.append(Level(LIBRARY, name, upper, "c2", "head", between, COVERS.get(name, (name,)), NECK_NM))  # fmt: skip
    man = mk.person("male", flexible=True)
    for joint, (low, high) in LINKS.items():
        body, moments = (
            (MAN_LUMBAR, LUMBAR_NM) if joint.startswith("lumbar")
            else (MAN_THORACIC, THORACIC_NM) if joint.startswith("thoracic") else (MAN_NECK, NECK_NM)
        )  # fmt: skip
        name = f"`{joint}`: {', '.join(STANDS_FOR[joint])}" if len(STANDS_FOR[joint]) < 4 else f"`{joint}`: {STANDS_FOR[joint][0]} to {STANDS_FOR[joint][-1]}"  # fmt: skip
        bare = only(man, (low, high)).model_copy(update={"coordinate_forces": ()})
        out.append(Level(body, name, bare, low, high, (low, high), STANDS_FOR[joint], moments, joint))  # fmt: skip
    return out


@dataclass(frozen=True)
class Row:
    """One level in one way at one moment: measured, its bounds, ours (degrees)."""

    level: Level
    way: str
    source: str
    counted: float
    moment: float
    measured: float
    less: float
    more: float
    ours: float
    rough: bool

    @property
    def ratio(self) -> float:
        """Ours over measured."""
        return self.ours / self.measured

    @property
    def holds(self) -> bool:
        """Whether ours lies within 30 % of what was measured."""
        return abs(self.ratio - 1.0) <= WITHIN

    def line(self) -> str:
        """The row as it stands on the page."""
        spread = "" if math.isnan(self.less) else f" ({self.less:.1f} to {self.more:.1f})"
        mark = " *" if self.rough else ""
        part = f", {self.counted:.0%} of it" if self.counted < 1.0 else ""
        return (
            f"| {self.level.name}{part} | {self.way} | {SOURCES[self.source]} | {self.moment:g}{mark} | {self.measured:.1f}{spread} "
            f"| {self.ours:.1f} | {self.ratio:.2f} | {'holds' if self.holds else '**fails**'} |"
        )


def compared(level: Level, way: str, turns: Array, known: list[Curve]) -> Iterator[Row]:
    """The rows of a level in one way: each source that has all of it, or a part of the levels that it stands for."""
    for source in SOURCES:
        found = [
            one
            for one in known
            if (one.source, one.way) == (source, way)
            and {*COVERS.get(one.level, (one.level,))} <= {*level.stands_for}
        ]
        many = sum(len(COVERS.get(one.level, (one.level,))) for one in found)
        if not many or (level.body == LIBRARY and len(found) > 1):
            continue
        counted = many / len(level.stands_for)
        for moment, turn in zip(level.moments, turns, strict=True):
            values = [one.at(moment) for one in found]
            known_here = [one for one in values if one is not None]
            if len(known_here) == len(values):
                middle, less, more = np.sum(known_here, axis=0)
                rough = any(one.rough(moment) for one in found)
                yield Row(level, way, source, counted, moment, middle, less, more, counted * turn, rough)  # fmt: skip


@cache
def rows() -> tuple[Row, ...]:
    """All rows: every level on the bench in every way in which it was measured."""
    known = curves()
    out: list[Row] = []
    for level in levels():
        for way in WAYS:
            if any(compared(level, way, np.zeros(len(level.moments)), known)):
                out += compared(level, way, turned(level, way, level.moments), known)
    return tuple(out)


# A law for each measured curve: what a ball joint's moment by azimuth, or its twist, may be today.


@dataclass(frozen=True)
class Law:
    """M = linear a + quadratic (a - stop)^2 beyond the stop + cubic a^3; N m and degrees."""

    linear: float
    stop: float
    quadratic: float
    cubic: float
    off: float
    """Largest part by which its angle is off at a measured moment."""

    def angle(self, moment: Array) -> Array:
        """The angle (degrees) at moments (N m), in closed form."""
        return _ended(moment, self.linear, self.stop, self.quadratic) if self.cubic == 0.0 else _stiffening(moment, self.linear, self.cubic)  # fmt: skip


def _stiffening(moment: Array, linear: float, cubic: float) -> Array:
    far = math.sqrt(linear / cubic)
    part = 1.5 * math.sqrt(3.0) * np.asarray(moment) / (linear * far)
    return np.asarray(far * 2.0 / math.sqrt(3.0) * np.sinh(np.arcsinh(part) / 3.0))


def _ended(moment: Array, linear: float, stop: float, quadratic: float) -> Array:
    over = np.maximum(np.asarray(moment) - linear * stop, 0.0)
    beyond = 2.0 * over / (linear + np.sqrt(linear**2 + 4.0 * quadratic * over))
    return np.where(over > 0.0, stop + beyond, np.asarray(moment) / linear)


def fit(curve: Curve) -> tuple[Law, Law]:
    """Fit a law that stiffens by its cube, as people's joints have it, and one with an end of motion; by parts of angles."""
    here = (curve.moment > 0.0) & (curve.angle > 0.0)
    moment, angle = curve.moment[here], curve.angle[here]
    k, far = moment[0] / angle[0], angle[-1]

    (a, c), off = _best(_stiffening, moment, angle, [[k, k / far**2], [0.2 * k, k / far**2]])
    return Law(float(a), 0.0, 0.0, float(c), off), ended(moment, angle)


def ended(moment: Array, angle: Array, least: float = 0.0) -> Law:
    """Fit a law with an end of motion; `least` is the smallest stiffness that it may have before it (N m for each degree)."""
    k, far = moment[0] / angle[0], angle[-1]
    starts = [[max(part * k, 1.01 * least), at * far, k / far] for part in (1.0, 0.3) for at in (0.3, 0.6, 0.9)]  # fmt: skip
    (b, s, q), off = _best(_ended, moment, angle, starts, least)
    return Law(float(b), float(s), float(q), 0.0, off)


def _best(
    law: Any, moment: Array, angle: Array, starts: list[list[float]], least: float = 0.0
) -> tuple[Array, float]:
    def off(p: Array) -> Array:
        return np.asarray(np.log(law(moment, *np.exp(p)) / angle))

    low = np.full(len(starts[0]), -16.0)
    low[0] = math.log(least) if least else -16.0
    tried = [
        least_squares(off, np.log(one), bounds=(low, 16.0), xtol=1e-12, ftol=1e-12)
        for one in starts
    ]
    found = min(tried, key=lambda one: float(one.cost))
    return np.exp(found.x), float(np.abs(np.exp(found.fun) - 1.0).max())


def fits() -> list[str]:
    """The table of laws, one line for each measured curve."""
    lines = [
        "| level | way | source | stiffening: N m/° | N m/°³ | off | with an end: N m/° | from, ° | N m/°² beyond | off |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for one in curves():
        cubic, ended = fit(one)
        first, second = (
            f"{law.linear:.3g}" if law.linear > 1e-6 else "0" for law in (cubic, ended)
        )
        lines.append(
            f"| {one.level} | {one.way} | {SOURCES[one.source]} | {first} | {cubic.cubic:.2g} | {cubic.off:.0%} "
            f"| {second} | {ended.stop:.1f} | {ended.quadratic:.2g} | {ended.off:.0%} |"
        )
    return lines


def joint_table() -> list[str]:
    """The table of laws that joints of the generated man have, by way."""
    laws = read("levels")["joints"]
    lines = [f"| joint | {' | '.join(WAYS)} |", "|---" * (1 + len(WAYS)) + "|"]
    for joint, ways in laws.items():
        cells = (", ".join(f"{v:g}" for v in ways[way]) for way in WAYS)
        lines.append(f"| `{joint}` | {' | '.join(cells)} |")
    return lines


def _mean(ratios: Iterable[float]) -> float:
    return math.exp(float(np.mean(np.log(list(ratios)))))


def summary() -> list[str]:
    """The table of how many rows hold, by body and way."""
    lines = ["| body | way | hold | ours over measured, mean | least to most |", "|---|---|---|---|---|"]  # fmt: skip
    for body in dict.fromkeys(row.level.body for row in rows()):
        for way in WAYS:
            here = [row for row in rows() if (row.level.body, row.way) == (body, way)]
            if here:
                ratios = [row.ratio for row in here]
                lines.append(
                    f"| {body} | {way} | {sum(row.holds for row in here)} of {len(here)} | {_mean(ratios):.2f} | {min(ratios):.2f} to {max(ratios):.2f} |"
                )
    return lines


def table(body: str) -> list[str]:
    """The rows of a body: a line for each level, way, source and moment."""
    lines = [
        "| level | way | source | N m | measured, ° (range) | ours, ° | ratio | verdict |", "|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    return lines + [row.line() for row in rows() if row.level.body == body]


def page() -> str:
    """The page."""
    title, *paragraphs = (part.replace("\n", " ").strip() for part in (__doc__ or "").split("\n\n"))
    hold = sum(row.holds for row in rows())
    lines = [
        "# Levels of neck and spine", "", title, "", paragraphs[0], "", paragraphs[1], "",
        f"**{hold} of {len(rows())} rows hold**, that is, ours lies within {WITHIN:.0%} of what was measured. Where it does not, the row says so.", "",
        f"![Ours over measured, by level]({PICTURE})", "", *summary(), "",
        "Laws of both were fitted to these same curves (`python -m tools.people.fit levels`, `neck_levels`), so rows show what three numbers a way can follow, not that they foretell; nine other lumbar spines and [necks pushed from behind](validation.md#neck-from-behind) "
        "[do](validation.md#chest-and-lumbar-spine-loaded-slowly). Where sources contradict each other (C0-C2 back: 32 and 19 degrees at 1 N m) they have their mean; sideways C1 turns with the head by 1.6 to 2.0 of what was measured, as its twist is free. What bears beside his levels is left out here: ribs at "
        "thoracic joints, muscles with skin and fascia at those of the neck, and tone, which holds his posture. The load along a lumbar spine that sits makes it 2.11 times as stiff near rest (Gardner-Morse and Stokes 2004); "
        "his tone is ten times stiffer than that, and bears it.", "",
        "Measured angles count from where a specimen rested. Panjabi's lie at 1 N m within 8 % of the ranges that his paper prints; Nightingale's curves, both ways together at 3.5 N m, give 50, 17 and 14 degrees "
        "where the paper prints 58, 21 and 23 (as the repository has it): what lies between is not told, so levels may be softer yet.", "",
    ]  # fmt: skip
    for body in dict.fromkeys(row.level.body for row in rows()):
        lines += [f"## {body[0].upper()}{body[1:]}", "", *table(body), ""]
    lines += [
        "`*`: below the first moment that was measured a straight line is drawn to it, and the measured angle is too small there.", "",
        "## Laws for measured curves", "",
        "To each measured curve two laws were fitted that joints have already (`by_azimuth` for bending, `torsion` for twist): one that stiffens by the cube of the angle, as those of "
        "people do, and one that is soft up to an end of motion and stiffens beyond it by the square. *Off* is the largest part by which its angle is off at a measured moment; where there are three moments, as in Panjabi's curves, three numbers meet them whatever the law is worth. Single levels are in no body; joints of people have laws of the second kind (below).", "",
        *fits(), "",
        "## Laws of joints", "",
        "A joint of the generated man stands for several levels, whose angles are added up at equal moments; each source counts alike, and where one ends the curve goes on by what the others rise. To that curve a law "
        "with an end of motion was fitted in each way: N m for each degree, degrees up to which it holds, N m for the square of each degree beyond. None is softer at rest than a twentieth of its greatest moment over its "
        "angle (*assumed*), so that a joint has a place of rest where specimens had slack. Bending of thoracic joints is Panjabi's (1976, from memory).", "",
        *joint_table(), "",
        "Far beyond these moments the laws were not fitted. The two lowest lumbar levels bear 60 N m at 14 degrees each, about where segments begin to be hurt (Adams and Hutton, from memory: 60 to 73 N m at 14 degrees).", "",
        "## What comes next", "",
        "- stiffness that grows with the load along the spine: tone bears it in people, dead ones have none;",
        "- coupling of a ball joint's bending and twist, as levels below C2 have it (these data do not tell how much): only discs and ligaments that stand apart give one, as in the library's neck;",
        "- facets: contacts of surfaces can be put there, but no law of a level holds slides and turns together.",
        "Slides along and across were not held against anything here: joints of people have none but along lumbar discs ([held](validation.md#chest-and-lumbar-spine-loaded-slowly)). The repository has measured ones: Panjabi "
        "(1976), thoracic levels drawn and pressed by 160 N; Demetropoulos (1998), lumbar spines sheared each way.", "",
    ]  # fmt: skip
    return "\n".join(lines)


def picture(file: Path) -> None:
    """Draw ours over measured, by level, way and body."""
    marks = {LIBRARY: ("o", "#2c6fb0"), MAN_NECK: ("s", "#c0392b"), MAN_THORACIC: ("^", "#7d3c98"), MAN_LUMBAR: ("D", "#b9770e")}  # fmt: skip
    with sheet(file, 1, 4, (13.0, 4.4)) as plots:
        for axes, way in zip(plots, WAYS, strict=True):
            here = [row for row in rows() if row.way == way]
            names = list(dict.fromkeys(row.level.name.split(":")[0].strip("`") for row in here))
            axes.axvspan(1.0 - WITHIN, 1.0 + WITHIN, color="#d9d9d9")
            for body, (mark, colour) in marks.items():
                mine = [row for row in here if row.level.body == body]
                at = [names.index(row.level.name.split(":")[0].strip("`")) for row in mine]
                axes.plot([row.ratio for row in mine], at, mark, color=colour, ms=4, alpha=0.7, label=body)  # fmt: skip
            axes.set_xscale("log")
            axes.set_yticks(range(len(names)), names)
            axes.set_title(way, fontsize=9)
            axes.set_xlabel("ours over measured", fontsize=8)
        plots[0].legend(frameon=False, fontsize=6)


def write() -> None:
    """Write the page and its picture."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    picture(PAGE.parent / PICTURE)


if __name__ == "__main__":
    if "--write" in sys.argv:
        write()
    else:
        print("\n".join(fits()) if "--fit" in sys.argv else page())
