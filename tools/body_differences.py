"""How printed bodies and generated ones differ, as a page: `docs/body-differences.md`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from solver.bodies.body import IN, LB, id_as_words, read
from solver.bodies.dimensions import Dimensions, adult_dimensions
from solver.bodies.dummies import dummy_masses, printed_skeleton
from solver.bodies.from_measured import skeleton_of_measured
from solver.bodies.from_solids import skeleton_of_solids
from solver.bodies.skeleton import Figures, Skeleton

TRUNK = ("lower_torso", "centre_torso", "upper_torso")
MM = 1e3
SHORT_M = 65.81 * IN
MEAN_LB = 173.5

_HEAD = """# How closely printed bodies are met

Two bodies are printed in full, and the segment weights of a third. The generator has two methods
([bodies](bodies.md)): `solids` follows from the 32 dimensions alone, `measured` stretches the printed
50th-percentile body. Differences are generated less printed. Lengths are in mm; of three inertias, three
semi-axes or three coordinates the largest difference is shown.

This page is produced from the data and the program (`make docs`); do not edit it.
"""


def body_differences_markdown() -> str:
    """The text of `docs/body-differences.md`."""
    mean, large = adult_dimensions("male"), adult_dimensions("male", percentile=95.0)
    short = adult_dimensions("male", weight_kg=MEAN_LB * LB, height_m=SHORT_M)
    p50, p95 = printed_skeleton("male-50"), printed_skeleton("male-95")
    s50, s95 = skeleton_of_solids(mean), skeleton_of_solids(large)
    m50 = skeleton_of_measured(mean)
    parts = [
        _HEAD,
        "## The 95th-percentile man of the sled test, by solids\n",
        f"Weight and height at the 95th percentile give {s95.mass_kg:.2f} kg; printed are "
        f"{p95.mass_kg:.2f} kg.\n",
        _segments(s95, p95),
        _joints(s95, p95),
        "So this body *is* what the rules of `solids` say: ellipsoids for head, neck and limbs, a trunk "
        "of elliptic sections, one density for all. What remains is the rounding of the print. Three "
        "numbers of the foot and the depth of the shoulder joint were fitted to it; all others follow.\n",
        "## The 50th-percentile man, by solids\n",
        _segments(s50, p50),
        _joints(s50, p50),
        _reasons(s50, p50, mean),
        "## The 50th-percentile man, by stretching\n",
        "Its own dimensions give the printed body again. What remains: the trunk is stretched by "
        f"{100.0 * (_trunk_stretch(m50, p50) - 1.0):+.2f} %, because the printed joints, one on the other, "
        "do not make the seated height to the last digit.\n",
        _segments(m50, p50),
        _joints(m50, p50),
        "## A shorter man of the same weight\n",
        "Printed weights for 173.5 lb and 65.81 in (5th percentile of height). None of them was used to "
        "make either method.\n",
        _short(short, p50),
        "The print shifts weight from the legs to the trunk a little more than the outer dimensions "
        "do: its generator has regressions for every segment's weight, which are not public in full.\n",
        "## Shares of the body, beside measured people\n",
        f"Source: {read('fractions')['source']}. {read('fractions')['note']}\n",
        _shares(),
    ]
    return "\n".join(parts)


def _segments(made: Skeleton, printed: Skeleton) -> str:
    rows = ["| segment | mass, kg | printed | mass | inertia | semi-axes, mm | ellipsoid, mm |",
            "|---|---|---|---|---|---|---|"]  # fmt: skip
    for name, was in printed.figures.items():
        got = made.figures[name]
        ratios = [a / b - 1.0 for a, b in zip(got.inertia_kgm2, was.inertia_kgm2, strict=True)]
        rows.append(
            f"| {id_as_words(name)} | {got.mass_kg:.3f} | {was.mass_kg:.3f} "
            f"| {_percent(got.mass_kg / was.mass_kg - 1.0)} | {_percent(_largest(ratios))} "
            f"| {_mm(got.semi_axes_m, was.semi_axes_m)} | {_mm(got.centre_m, was.centre_m)} |"
        )
    own, theirs = (sum(s.figures[n].mass_kg for n in TRUNK) for s in (made, printed))
    change = _percent(own / theirs - 1.0)
    rows.append(f"| *Trunk, three together* | {own:.3f} | {theirs:.3f} | {change} | | | |")
    return "\n".join(rows) + "\n"


def _joints(made: Skeleton, printed: Skeleton) -> str:
    rows = ["| joint | in the parent, mm | in the child, mm |", "|---|---|---|"]
    for name, was in printed.points.items():
        got = made.points[name]
        rows.append(
            f"| {id_as_words(name)} | {_mm(got.in_parent_m, was.in_parent_m)} "
            f"| {_mm(got.in_child_m, was.in_child_m)} |"
        )
    return "\n".join(rows) + "\n"


def _reasons(made: Skeleton, printed: Skeleton, d: Dimensions) -> str:
    """Say why solids miss this body, with the numbers that show it."""
    m, p = made.figures, printed.figures
    other = printed_skeleton("male-95").figures
    density = {n: _density(f) for n, f in p.items()}
    limbs = [
        _density(other[n])
        for n in ("neck", "head", "upper_leg", "lower_leg", "upper_arm", "forearm")
    ]
    low, high = min(density, key=lambda n: density[n]), max(density, key=lambda n: density[n])
    chin = d["head_to_chin_height_m"]
    head = m["head"].mass_kg * chin / (2.0 * m["head"].semi_axes_m[2]) / p["head"].mass_kg - 1.0
    leg = _as_printed(m["upper_leg"], p["upper_leg"], range(2))
    arm = _as_printed(m["upper_arm"], p["upper_arm"], [2])
    forearm = _as_printed(m["forearm"], p["forearm"], [2])
    foot = 2.0 * p["foot"].semi_axes_m[0] / d["ankle_height_outside_m"]
    trunk = sum(m[n].mass_kg for n in TRUNK) / sum(p[n].mass_kg for n in TRUNK) - 1.0
    top, bottom = printed.points["waist"].in_parent_m, printed.points["pelvis"].in_child_m
    height, behind = bottom[2] - top[2], -min(top[0], bottom[0])
    level = 1000.0 * math.pi * height * math.prod(p["centre_torso"].semi_axes_m[:2])
    return "\n".join(
        [
            "Why they differ. The first point is read off the numbers; where a reason is inferred it says so.",
            "",
            "- **Its masses are not those of its ellipsoids.** Mass over the volume of the printed ellipsoid is "
            f"{min(limbs):.0f} to {max(limbs):.0f} kg/m³ in head, neck and limbs of the 95th-percentile body, but from "
            f"{density[low]:.0f} ({id_as_words(low).lower()}) to {density[high]:.0f} kg/m³ ({id_as_words(high).lower()}) here. "
            "Principal axes of chest, head and foot are turned and mass centres lie off the ellipsoids: "
            "segments were measured, by regressions of a later edition of the generator, and the ellipsoids "
            "serve contact alone.",
            f"- **Head {_percent(m['head'].mass_kg / p['head'].mass_kg - 1.0)}.** In both bodies the ellipsoid reaches "
            f"one neck radius below the chin, so it covers part of the neck. An ellipsoid from vertex to chin would "
            f"be {_percent(head)} off.",
            f"- **Trunk {_percent(trunk)} as a whole, its parts much more.** The cuts are elsewhere: the printed centre "
            f"torso has {p['centre_torso'].mass_kg:.2f} kg between joints {height * MM:.0f} mm apart, where level sections of "
            f"waist size and water would hold {level:.2f} kg, and its joints lie up to {behind * MM:.0f} mm behind its mass "
            "centre. Inferred: measured bodies were cut along ribs and hip bones, not level.",
            f"- **Upper leg {_percent(m['upper_leg'].mass_kg / p['upper_leg'].mass_kg - 1.0)}.** The printed ellipsoid is thicker: "
            f"{p['upper_leg'].semi_axes_m[0] * MM:.1f} mm instead of the mean of thigh and knee, "
            f"{m['upper_leg'].semi_axes_m[0] * MM:.1f} mm. With its radius solids would be {_percent(leg)} off.",
            f"- **Forearm and hand {_percent(m['forearm'].mass_kg / p['forearm'].mass_kg - 1.0)}, upper arm "
            f"{_percent(m['upper_arm'].mass_kg / p['upper_arm'].mass_kg - 1.0)}.** The printed ellipsoids are "
            f"{2.0 * (m['forearm'].semi_axes_m[2] - p['forearm'].semi_axes_m[2]) * MM:.0f} and "
            f"{2.0 * (m['upper_arm'].semi_axes_m[2] - p['upper_arm'].semi_axes_m[2]) * MM:.0f} mm shorter: a relaxed hand instead "
            f"of a stretched one, and an elbow half a radius from the end. With their lengths solids would be {_percent(forearm)} "
            f"and {_percent(arm)} off.",
            f"- **Foot.** The 95th-percentile body takes the whole ankle height ({d['ankle_height_outside_m'] * MM:.0f} mm in this man) "
            f"for the foot's thickness, this one {foot:.3f} of it, and its ellipsoid lies about the mass centre; hence up to "
            f"{abs(_largest([a - b for a, b in zip(m['foot'].centre_m, p['foot'].centre_m, strict=True)])) * MM:.0f} mm between "
            "the ellipsoids' centres.",
            f"- **The head's ellipsoid** is centred {-p['head'].centre_m[0] * MM:.0f} mm behind the head's mass centre, as printed. "
            "Whether the print means this is not known; where the head's contact decides, look at it, or take the head of "
            "solids, whose centres coincide.",
            "- **Joints.** Printed joints are measured centres, off the segments' axes; those of solids lie on the axes, one "
            "radius inside the ends.",
            "",
        ]
    )  # fmt: skip


def _as_printed(made: Figures, printed: Figures, axes: Sequence[int] | range) -> float:
    """The difference of mass, were these semi-axes as printed."""
    ratio = math.prod(printed.semi_axes_m[i] / made.semi_axes_m[i] for i in axes)
    return made.mass_kg * ratio / printed.mass_kg - 1.0


def _density(f: Figures) -> float:
    return f.mass_kg / (4.0 / 3.0 * math.pi * math.prod(f.semi_axes_m))


def _trunk_stretch(made: Skeleton, printed: Skeleton) -> float:
    got, was = (s.figures["upper_torso"].semi_axes_m[2] for s in (made, printed))
    return got / was


def _short(d: Dimensions, p50: Skeleton) -> str:
    table = dummy_masses()["male-50-weight-05-height"]
    measured, solids = skeleton_of_measured(d).figures, skeleton_of_solids(d).figures
    rows = [
        "| segment | printed, kg | over the 50th | measured | solids |",
        "|---|---|---|---|---|",
    ]
    for name, was in table.masses_kg.items():
        rows.append(
            f"| {id_as_words(name)} | {was:.3f} | {_percent(was / p50.figures[name].mass_kg - 1.0)} "
            f"| {_percent(measured[name].mass_kg / was - 1.0)} | {_percent(solids[name].mass_kg / was - 1.0)} |"
        )
    return "\n".join(rows) + "\n"


def _shares() -> str:
    makers: Mapping[str, Callable[[Dimensions], Skeleton]] = {
        "measured": skeleton_of_measured,
        "solids": skeleton_of_solids,
    }
    rows = [
        "| per cent of the body | man, published | measured | solids | woman, published | measured | solids |",
        "|---|---|---|---|---|---|---|",
    ]
    shares: dict[tuple[str, str], dict[str, float]] = {}
    for sex in ("male", "female"):
        for method, make in makers.items():
            d = adult_dimensions("male") if sex == "male" else adult_dimensions("female")
            f = make(d).figures
            share = {name: 100.0 * one.mass_kg / d["weight_kg"] for name, one in f.items()}
            share["trunk"] = sum(share[n] for n in TRUNK)
            share["head"] += share["neck"]
            shares[sex, method] = share
    published = read("fractions")
    for name in published["male"]:
        cells = []
        for sex in ("male", "female"):
            cells.append(published[sex][name])
            cells += [shares[sex, method][name] for method in makers]
        label = {"head": "Head and neck", "forearm": "Forearm and hand"}.get(
            name, id_as_words(name)
        )
        rows.append(f"| {label} | " + " | ".join(f"{c:.2f}" for c in cells) + " |")
    return "\n".join(rows) + "\n"


def _largest(values: Sequence[float]) -> float:
    return max(values, key=abs)


def _percent(ratio: float) -> str:
    text = f"{100.0 * ratio:+.1f}"
    return f"{'0.0' if text in ('-0.0', '+0.0') else text} %"


def _mm(got: Sequence[float], was: Sequence[float]) -> str:
    text = f"{_largest([a - b for a, b in zip(got, was, strict=True)]) * MM:+.1f}"
    return "0.0" if text in ("-0.0", "+0.0") else text
