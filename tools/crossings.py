"""Make random crashes, run them, and list what goes how deep into what: `python -m tools.crossings --crashes 50`.

Load cases come in turn; who is in them, how large, and all that a load case offers is drawn. Of every two surfaces, and of every
surface and plane, that can meet and are not joined the largest depth is measured, from the start's on. What a contact holds may be
pressed as deep as its law is given; whatever else goes deeper than 10 mm is to be said by the run.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from solver.analysis.crash.build import CASES, Crash, crash, first
from solver.analysis.crash.cases import in_crash
from solver.analysis.equilibrium.statics import SettleError
from solver.bodies import BodyError
from solver.editing.persons import WHO, Figure
from solver.project import Project
from solver.results import ResultsError, open_results
from solver.results.trajectory import Trajectory
from solver.running.outputs.penetration import PenetrationMonitor, owner, passages
from solver.running.simulation import project_bytes, simulate_to_file

SILENT_M = 0.01
"""What may be inside another thing without a sentence."""
OFFERS = {"posture": "postures", "seat": "seats", "surroundings": "surroundings", "belt": "belts", "bag": "bags", "pulse": "pulses"}  # fmt: skip
TRIES = 50
OF_PASSAGES = re.compile(r"passed through|went \d+ mm into|less deep")


@dataclass(frozen=True)
class Drawn:
    """A crash that was drawn: its number, its choices, who is in it in a few words, the project."""

    number: int
    crash: Crash
    who: str
    project: Project


@dataclass(frozen=True)
class Depth:
    """How deep two things went into each other beyond how they start: paths, contact, metres, seconds, whether it was said."""

    pair: tuple[str, str]
    contact: str
    depth_m: float
    time_s: float
    said: bool


@dataclass(frozen=True)
class Row:
    """What was found of a crash: depths, and all sentences of the run."""

    of: Drawn
    depths: tuple[Depth, ...]
    sentences: tuple[str, ...]

    @property
    def silent(self) -> list[Depth]:
        """What went deep, held by no contact, without a sentence."""
        return [one for one in self.depths if not (one.contact or one.said)]


def drawn(numbers: Sequence[int], seed: int) -> Iterator[Drawn]:
    """Draw crashes by number; what is refused is drawn again."""
    for n in numbers:
        case, dice = list(CASES)[n % len(CASES)], random.Random(f"{seed} {n}")
        for _ in range(TRIES):
            with suppress(BodyError, SettleError), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                one, who = _choices(case, dice)
                yield Drawn(n, one, who, crash(one))
                break


def _choices(case: str, dice: random.Random) -> tuple[Crash, str]:
    chosen: dict[str, Any] = {
        name: dice.choice(offered)
        for name, of in OFFERS.items()
        if (offered := getattr(CASES[case], of))
    }
    light = in_crash(chosen.get("seat", "")).most_kg is not None
    figure = Figure(
        who=dice.choice(("child", "hybrid_iii_6y", "hybrid_iii_3y") if light else WHO),
        percentile=dice.choice((5.0, 25.0, 50.0, 75.0, 95.0)),
        age_years=dice.choice((3.0, 6.0, 9.0) if light else (3.0, 6.0, 9.0, 12.0, 15.0)),
        spine=dice.random() < 0.7,
    )
    size = figure.age_years if figure.who == "child" else figure.percentile
    links = " with a flexible spine" if figure.spine else ""
    who = f"{figure.who} {size:g}{links}" if figure.is_generated else figure.who
    return replace(first(case), who=figure.body(), **chosen), who


def solved(project: Project, file: Path) -> Trajectory:
    """Give a run; one that a file has already is not solved again."""
    with suppress(ResultsError, OSError):
        kept = open_results(file)
        if kept.project_json == project_bytes(project):
            return kept
        kept.close()
    simulate_to_file(project, file)
    return open_results(file)


def depths(project: Project, run: Trajectory, least_m: float = SILENT_M) -> Iterator[Depth]:
    """Measure by how much every pair that is not joined goes deeper than it starts.

    Parts of a trunk that lie in each other by their making are left out: ribs and pads are there to be pressed in, and a trunk folds.
    """
    # of two shapes of a segment that go as deep one is told of
    said = {frozenset(map(owner, (one.what, one.into))) for one in passages(project, run)}
    columns, depth = run.table("segments").columns, run.table("contacts")["penetration"]
    at_start, watch = _noting(project, 0.0), _noting(project, least_m)
    at_start.look(run.time[:1], {name: part[:1] for name, part in columns.items()}, depth[:1])
    watch.look(run.time, columns, depth)
    pairs, planes = at_start._pairs.depth, at_start._planes.depth
    made = (pairs > 0.0) & ~watch._of.may_lie
    for worst, start, left_out, name in (
        (watch._pairs, pairs, made, watch._of.pair),
        (watch._planes, planes, np.zeros(len(planes), bool), watch._of.plane),
    ):
        for n in np.flatnonzero(worst.depth > start + least_m):
            what, into, contact = name(int(n))
            if left_out[n] and not contact:
                continue
            deep = float(worst.depth[n] - (0.0 if contact else start[n]))
            is_said = frozenset(map(owner, (what, into))) in said
            yield Depth((what, into), contact, deep, float(worst.time[n]), is_said)


def _noting(project: Project, limit_m: float) -> PenetrationMonitor:
    """Give a monitor that notes every pair from one depth on, those that overlap at the start too."""
    watch = PenetrationMonitor(project)
    count, planes = len(watch._of.pairs), len(watch._of.on_planes)
    watch._of = replace(
        watch._of,
        pair_limit=np.full(count, limit_m),
        pair_given=np.zeros(count),
        plane_limit=np.full(planes, limit_m),
    )
    watch._apart, watch._limit = np.ones(count, bool), np.full(count, limit_m)
    return watch


def looked_at(one: Drawn, run: Trajectory) -> Row:
    """Say what was found in a crash."""
    told = [str(line) for line in run.notes if str(line).startswith("warning")]
    others = [line for line in told if not OF_PASSAGES.search(line)]
    passed = [str(found.sentence()) for found in passages(one.project, run)]
    return Row(one, tuple(depths(one.project, run)), (*others, *passed))


def plain(path: str, prefix: str) -> str:
    """Name a part without its list, its person, its side."""
    name = path.partition("/")[2].removeprefix(f"{prefix}_")
    return name.removeprefix("right_").removeprefix("left_")


def table(rows: Sequence[Row]) -> str:
    """List pairs of parts: how often they met, how deep at most, and what no sentence told of."""
    groups: dict[tuple[bool, str, str], list[tuple[Depth, int]]] = defaultdict(list)
    for row in rows:
        for one in row.depths:
            a, b = sorted(plain(path, row.of.crash.prefix) for path in one.pair)
            groups[bool(one.contact), a, b].append((one, row.of.number))
    out = [
        "| pair | contact | pairs | crashes | deepest, mm | told | deepest untold, mm |",
        "|---|---|---|---|---|---|---|",
    ]
    for (held, a, b), found in sorted(
        groups.items(), key=lambda one: (one[0][0], -max(d.depth_m for d, _ in one[1]))
    ):
        deep = max(d.depth_m for d, _ in found)
        untold = max((d.depth_m for d, _ in found if not d.said), default=0.0)
        crashes, told = len({n for _, n in found}), sum(d.said for d, _ in found)
        words = (f"{a} – {b}", "yes" if held else "no", len(found), crashes, f"{1e3 * deep:.0f}", told, f"{1e3 * untold:.0f}")  # fmt: skip
        out.append(f"| {' | '.join(map(str, words))} |")
    silent = [len(row.silent) for row in rows if row.silent]
    spoke = [len(row.sentences) for row in rows if row.sentences]
    out.append(
        f"\n{len(rows)} crashes: in {len(silent)} of them {sum(silent)} pairs without a contact went deeper "
        f"than 10 mm untold; {len(spoke)} runs have {sum(spoke)} sentences."
    )
    return "\n".join(out)


def main() -> int:
    """Make crashes, run them, print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.crossings", description=__doc__)
    parser.add_argument("--crashes", type=int, default=50, help="how many (default 50)")
    parser.add_argument("--only", type=int, nargs="+", help="crashes of these numbers alone")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for runs, which are not solved twice")
    asked = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as spare:
        folder = asked.keep or Path(spare)
        folder.mkdir(parents=True, exist_ok=True)
        for one in drawn(asked.only or range(asked.crashes), asked.seed):
            run = solved(one.project, folder / f"{asked.seed}_{one.number}.h5")
            rows.append(looked_at(one, run))
            words = (
                f"{one.number}: {one.crash.case}, {one.who}: {run.status}",
                *rows[-1].sentences,
            )
            print("\n    ".join(words), file=sys.stderr, flush=True)
    print(table(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
