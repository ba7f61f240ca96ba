"""The band of a project: what its assumed numbers leave open of each injury figure, and which of them decides it (docs/studies.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from solver.base.words import Sentence, msgid, tr
from solver.injury import figure_units
from solver.injury.figures import shown, written
from solver.project.checks.varied import problems_of_assumed
from solver.project.document import Project
from solver.project.problems import ProjectError
from solver.project.studies import AssumedNumber, SampleStudy, assumed_parameters
from solver.project.study_parts import FigureResponse
from solver.studies.evaluate import Cancel, Watch
from solver.studies.result import StudyResult, studies_of_project
from solver.studies.rows import Array, StudyError
from solver.studies.running import run_study
from solver.studies.work import model_hash

BAND = "band"
"""Id of the study that a project does not hold: it follows from its assumed numbers."""
RUNS = 64
ENDS = (5.0, 50.0, 95.0)
"""Percentiles: from 5 to 95 % is the band."""
FEWEST = 6
"""Runs below which nothing is said of what decides (assumed)."""
SURE = 0.05
"""How often chance alone may name a number that decides nothing, of all that are varied (assumed)."""
NONE_ASSUMED = msgid(
    "No number of this model is marked as assumed with its range (the list 'assumed'): there is no band."
)


def with_band(project: Project, runs: int = RUNS, seed: int = 1) -> Project:
    """A project with the study of its band; raises StudyError or ProjectError where it has none."""
    if not project.assumed:
        raise StudyError(NONE_ASSUMED)
    wrong = [replace(one, severity="error") for one in problems_of_assumed(project)]
    if wrong:
        raise ProjectError(wrong)
    if any(one.id == BAND for one in project.studies):
        raise StudyError("The project has a study '{name}' of its own: rename it.", name=BAND)
    figures = list(figure_units(project))
    if not figures:
        raise StudyError("No run of this model gives an injury figure: there is no band.")
    asked = tuple(
        FigureResponse(id=re.sub(r"\W", "_", f"f{n}_{name}", flags=re.ASCII)[:40], figure=name)
        for n, name in enumerate(figures)
    )
    study = SampleStudy(
        id=BAND, name=tr("Band"), parameters=assumed_parameters(project.assumed), responses=asked, runs=runs, seed=seed,
    )  # fmt: skip
    return project.model_copy(update={"studies": (*project.studies, study)})


def run_band(
    project: Project, path: Path | None = None, *, runs: int = RUNS, seed: int = 1, workers: int | None = None,
    resume: bool = False, watch: Watch | None = None, cancel: Cancel | None = None,
) -> Band:  # fmt: skip
    """Run the study of a project's assumed numbers; arguments as those of `run_study`."""
    made = with_band(project, runs, seed)
    return Band(
        run_study(made, BAND, path, workers=workers, resume=resume, watch=watch, cancel=cancel)
    )


@dataclass(frozen=True, slots=True)
class FigureBand:
    """An injury figure over all runs of a band, SI."""

    figure: str
    unit: str
    low: float
    middle: float
    high: float
    runs: int
    """How many runs have it."""
    most: AssumedNumber
    """The assumed number that explains most of it by itself."""
    share: float
    """How much of its variance by ranks that number explains."""
    is_sure: bool
    """Whether chance alone would hardly make that number explain so much."""

    @property
    def text(self) -> str:
        """Write its ends in the unit of its limits: 131–210."""
        return "–".join(written(shown(end, self.unit)[0], 3) for end in (self.low, self.high))

    @property
    def decided(self) -> str:
        """Name the number that decides it, and its share."""
        name, percent = self.most.name or self.most.id, 100.0 * self.share
        if self.is_sure:
            return tr("{name} ({percent:.0f} %)", name=name, percent=percent)
        return tr("none by itself; most: {name} ({percent:.0f} %)", name=name, percent=percent)

    def decided_beside(self, value: float) -> str:
        """Name the number that decides it, and say so where a run's own figure lies outside."""
        if value < self.low:
            return tr("{decided}; nearly all other choices give more", decided=self.decided)
        if value > self.high:
            return tr("{decided}; nearly all other choices give less", decided=self.decided)
        return self.decided


class Band:
    """The runs of a band, and what they say of each figure."""

    def __init__(self, study: StudyResult) -> None:
        self.study = study

    @cached_property
    def assumed(self) -> tuple[AssumedNumber, ...]:
        """The numbers that were varied."""
        return self.study.project.assumed

    @cached_property
    def figures(self) -> Mapping[str, FigureBand]:
        """The band of each figure that some runs have, by its name."""
        rows, found = self.study.rows, dict[str, FigureBand]()
        shares = ranks(rows.inputs)
        for n, one in enumerate(self.study.study.responses):
            value = rows.outputs[:, n]
            good = np.isfinite(value)
            if not isinstance(one, FigureResponse) or not good.any():
                continue
            low, middle, high = (float(v) for v in np.percentile(value[good], ENDS))
            which, share, is_sure = deciding(shares[good], value[good])
            found[one.figure] = FigureBand(
                one.figure, self.study.layout.response_units[n], low, middle, high, int(good.sum()), self.assumed[which], share, is_sure,
            )  # fmt: skip
        return found

    def is_of(self, project: Project) -> bool:
        """Whether it is of this model with these ranges."""
        ranges = [
            one.model_dump(exclude={"name", "note", "source", "group"}) for one in self.assumed
        ]
        same = ranges == [
            one.model_dump(exclude={"name", "note", "source", "group"}) for one in project.assumed
        ]
        return same and model_hash(project) == self.study.project_sha256

    @property
    def said(self) -> Sentence:
        """Say what it is of."""
        rows = self.study.rows
        done = int(((rows.status == 1) | (rows.status == 2)).sum())
        text = "5 to 95 % of {done} runs, in which {n} assumed numbers go through their ranges."
        return Sentence(text, done=done, n=len(self.assumed))


def band_beside(folder: Path, project: Project) -> Band | None:
    """The newest band of this model that has ended and whose file stands in a folder."""
    if not project.assumed:
        return None
    try:
        wanted = with_band(project.model_copy(update={"studies": ()}))
    except (StudyError, ProjectError):
        return None
    for one in studies_of_project(folder, wanted).studies:
        found = Band(one)
        if found.is_of(project):
            return found
    return None


# Which number decides: a parabola over its ranks, so that one with its best value in the middle counts, too.


def ranks(values: Array) -> Array:
    """Ranks of each column from -1 to 1; equal ones have their mean."""
    from scipy.stats import rankdata

    count = len(values)
    found: Array = (2.0 * rankdata(values, axis=0) - count - 1.0) / max(count - 1.0, 1.0)
    return found


def deciding(inputs: Array, values: Array) -> tuple[int, float, bool]:
    """The column of ranks that explains most of the ranks of some values, its share, and whether chance would not."""
    from scipy.stats import f

    count, columns = inputs.shape
    if count < FEWEST or np.ptp(values) == 0.0:
        return 0, 0.0, False
    y = ranks(values[:, None])[:, 0]
    y = y - y.mean()
    left = [_left(inputs[:, n], y) for n in range(columns)]
    best = int(np.argmin(left))
    whole = float(y @ y)
    share = 1.0 - left[best] / whole
    ratio = (share / 2.0) / max((1.0 - share) / (count - 3), 1e-12)
    return best, share, float(f.sf(ratio, 2, count - 3)) * columns <= SURE


def _left(x: Array, y: Sequence[float] | Array) -> float:
    """What is left of the squares of `y` beside a parabola of `x`."""
    rows = np.column_stack([np.ones_like(x), x, x * x])
    gone = rows @ np.linalg.lstsq(rows, y, rcond=None)[0]
    return float(np.sum((np.asarray(y) - gone) ** 2))
