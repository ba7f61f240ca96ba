"""The fits of a dummy's laws, as studies of its file: which numbers, where they stand, by which tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from solver.project.study_parts import Asked
from solver.studies.bench.table import BenchTest, bench_tests
from tools.dummies.laws import RIBS_END_M, SIDE, Laws, laws

GROUPS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "neck": (
        ("neck_flexion", "neck_extension"),
        (
            "disc_flexion", "disc_flexion3", "disc_extension", "disc_extension3", "disc_damping", "nod_flexion",
            "nod_flexion3", "nod_extension", "nod_extension3", "nod_damping",
        ),
    ),
    "head": (("head_drop",), ("skin",)),
    "thorax": (
        ("thorax", "thorax_slow", "thorax_pressed"),
        ("ribs", "ribs_beyond", "ribs_series", "ribs_series_damping", "ribs_damping_in", "ribs_damping_out"),
    ),
    "knee": (("knee",), ("knee_skin",)),
    "lumbar": (("torso_flexion",), ("lumbar",)),
}  # fmt: skip
"""Tests and laws of each study."""

FROM_MAN: Mapping[str, Mapping[str, float]] = {
    "hybrid_iii_5f": {
        "neck": 0.78,
        "head": 0.85,
        "thorax": 0.7,
        "jacket": 0.7,
        "knee": 0.65,
        "lumbar_damping": 0.58,
    },
    "hybrid_iii_95m": {"neck": 1.23, "head": 1.1, "thorax": 1.2, "jacket": 1.2, "knee": 1.2},
    "hybrid_iii_6y": {
        "neck": 0.31,
        "head": 0.8,
        "thorax": 0.3,
        "jacket": 0.3,
        "knee": 0.3,
        "lumbar_damping": 0.17,
    },
    "hybrid_iii_3y": {
        "neck": 0.49,
        "head": 0.6,
        "thorax": 0.2,
        "jacket": 0.2,
        "knee": 0.2,
        "lumbar_damping": 0.11,
    },
}
"""What is known before the tests of another dummy, in parts of the 50th man's laws, by group or single: moments and forces."""

DEVIATION = 4.0
"""Of the logarithm of a law before its tests: they decide, and what none tells stays. Assumed."""
OF_ONE_MAKE = 0.3
"""That of the 95th man's neck, which is made as the 50th man's is, and has one wide corridor for it. Assumed."""
WIDEST = 100.0
"""Factor either way within which a law is looked for."""


def least(before: Mapping[str, float], name: str) -> float:
    """The least that a number may be: of ribs far in, which are steel, the slope at first carried on. Assumed."""
    if name == "ribs_beyond":
        return before["ribs"] * RIBS_END_M / Laws().ribs_knee
    return before[name] / WIDEST


@dataclass(frozen=True)
class Place:
    """Say where a number stands in a dummy's file, and what follows from it by formula."""

    path: str
    following: Mapping[str, str]


def _disc(law: str, term: int) -> Place:
    return Place(f"functions/disc_{law}/form/coefficients/{term}", {})


def _nod(half: str, term: int) -> Place:
    return Place(f"functions/nodding_blocks/form/{half}/coefficients/{term}", {})


BENDS = [
    f"joints/{joint}/{way}/linear_nm_per_rad"
    for joint in ("lumbar", "waist")
    for way in ("flexure", "torsion")
]

PLACES: Mapping[str, Place] = {
    "disc_flexion": _disc("flexion", 1),
    "disc_flexion3": _disc("flexion", 3),
    "disc_extension": _disc("extension", 1),
    "disc_extension3": _disc("extension", 3),
    "disc_damping": Place(
        "joints/disc_1/friction/viscous_nms_per_rad",
        {f"joints/disc_{n}/friction/viscous_nms_per_rad": "disc_damping" for n in (2, 3, 4)},
    ),
    "nod_flexion": _nod("first", 1),
    "nod_flexion3": _nod("first", 3),
    "nod_extension": _nod("second", 1),
    "nod_extension3": _nod("second", 3),
    "nod_damping": Place("joints/condyles/friction/viscous_nms_per_rad", {}),
    "skin": Place("contact_laws/head_skin/stiffness_n_per_mn", {}),
    "ribs": Place("functions/ribs_force/form/y/1", {}),
    "ribs_beyond": Place("functions/ribs_force/form/y/2", {}),
    "ribs_series": Place("coordinate_forces/ribs/laws/3/stiffness", {}),
    "ribs_series_damping": Place("coordinate_forces/ribs/laws/3/damping", {}),
    "ribs_damping_in": Place("coordinate_forces/ribs/laws/1/damping", {}),
    "ribs_damping_out": Place("coordinate_forces/ribs/laws/2/damping", {}),
    "knee_skin": Place("contact_laws/knee_skin/stiffness_n_per_mn", {}),
    "lumbar": Place(BENDS[0], dict.fromkeys(BENDS[1:], "lumbar")),
}
SHARED = {
    "functions/disc_sideways/form/coefficients/1": "(disc_flexion + disc_extension) / 2",
    "functions/disc_sideways/form/coefficients/3": "(disc_flexion3 + disc_extension3) / 2",
    **{
        f"joints/disc_{n}/torsion/linear_nm_per_rad": "(disc_flexion + disc_extension) / 4"
        for n in (1, 2, 3, 4)
    },
}
"""What follows from several laws of the neck."""


def known_before(id_: str) -> Laws:
    """Give what is taken of a dummy's laws before its tests: of the 50th man the usual ones, of others his in proportion."""
    if id_ == "hybrid_iii_50m":
        return Laws()
    known = laws("hybrid_iii_50m")
    changed = {
        name: asdict(known)[name] * factor
        for group, factor in FROM_MAN.get(id_, {}).items()
        for name in (GROUPS[group][1] if group in GROUPS else (group,))
    }
    if "lumbar" not in changed:
        # men have no test of it
        changed["lumbar"] = Laws().lumbar * FROM_MAN[id_].get("lumbar_damping", 1.0)
    return replace(known, **changed)


def numbers(chosen: Laws) -> dict[str, float]:
    """Give the numbers that stand in a dummy's file for its laws: of ribs two forces in place of two slopes."""
    out: dict[str, float] = asdict(chosen)
    knee = chosen.ribs * chosen.ribs_knee
    return out | {
        "ribs": knee,
        "ribs_beyond": knee + chosen.ribs_beyond * (RIBS_END_M - chosen.ribs_knee),
    }


def laws_from(found: Mapping[str, float], start: Laws) -> Laws:
    """The laws for numbers of a dummy's file; those that are not named stay."""
    given = numbers(start) | dict(found)
    given["ribs_beyond"] = (given["ribs_beyond"] - given["ribs"]) / (RIBS_END_M - start.ribs_knee)
    given["ribs"] /= start.ribs_knee
    return Laws(**given)


def studies(id_: str) -> list[dict[str, Any]]:
    """The studies of a dummy."""
    kinds = {test.kind for test in bench_tests(id_)}
    return (
        []
        if id_ in SIDE
        else [_study(id_, group) for group in GROUPS if kinds & set(GROUPS[group][0])]
    )


def _study(id_: str, group: str) -> dict[str, Any]:
    asked, names = GROUPS[group]
    before = numbers(known_before(id_))
    following = {path: text for name in names for path, text in PLACES[name].following.items()} | (
        SHARED if group == "neck" else {}
    )
    return {
        "id": group, "kind": "fit", "name": f"{group.capitalize()} by its bench tests", "counts_spread": True,
        "step_ratio": 2e-3, "tolerance": 1e-3, "most_runs": 2000,
        "parameters": [
            {
                "id": name, "path": PLACES[name].path,
                "spread": {
                    "kind": "lognormal", "median": short(max(before[name], least(before, name))), "log_deviation": OF_ONE_MAKE if id_ == "hybrid_iii_95m" else DEVIATION,
                    "low": short(least(before, name)), "high": short(before[name] * WIDEST),
                },
            }
            for name in names
        ],
        "following": [{"path": path, "formula": text} for path, text in following.items()],
        "tests": [
            {"id": test.kind, "bench": {"dummy": id_, "test": test.kind, "more": late(test)}}
            for test in bench_tests(id_) if test.kind in asked
        ],
    }  # fmt: skip


def short(value: float) -> float:
    """Round to five digits."""
    return float(f"{value:.5g}")


def late(test: BenchTest) -> list[dict[str, Any]]:
    """Ask of a chest that its largest force comes when it is pressed deep, not with the first touch."""
    if test.kind != "thorax":
        return []
    by: dict[str, Asked] = {a.figure: a for a in reversed(test.asked)}
    force = next(by[name] for name in ("force", "force_between") if name in by)
    deep = by["deflection"].low
    assert force.low is not None
    assert deep is not None
    first = {"at": 0.0, "until": 0.3 * deep, "high": 0.9 * force.low}
    last = {"at": 0.7 * deep, "until": 2.0 * deep, "low": force.low, "high": force.high}
    return [{"figure": "force_between", "unit": "N", **one} for one in (first, last)]
