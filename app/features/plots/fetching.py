"""Fetch what one plot shows: curves of the current run, those of others beside it, tests and limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from app.curves.curves import Curve, Wanted, curve
from app.curves.measured import Corridor, Measured, kept, rated
from app.curves.spread import Kind, Spread, spread
from app.study.catalogue import Catalogue
from app.study.record import RunRecord
from solver.base.words import tr
from solver.results import ResultsError
from solver.results.quantities import Quantities


@dataclass(slots=True)
class Fetched:
    """Hold what a plot draws; `ghosts` are curves of other runs, each with what lies across."""

    curves: list[Curve] = field(default_factory=list)
    over: Curve | None = None
    ghosts: list[tuple[Curve, Curve | None]] = field(default_factory=list)
    tests: list[Curve] = field(default_factory=list)
    spreads: list[Spread] = field(default_factory=list)
    limits: list[tuple[Curve, Curve]] = field(default_factory=list)
    ratings: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)


class Fetcher:
    """Fetch curves; those of runs that have ended are kept, as they do not change any more."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._kept: WeakKeyDictionary[RunRecord, dict[tuple[Wanted, str], Curve]] = (
            WeakKeyDictionary()
        )

    def fetch(
        self,
        record: RunRecord,
        found: Quantities,
        others: Sequence[RunRecord],
        wanted: Sequence[Wanted],
        across: Wanted | None,
        tests: Sequence[Measured],
        corridors: Sequence[Corridor],
        system: str,
        others_as: Kind = "lines",
    ) -> Fetched:
        """Fetch all that a plot draws; over another quantity than time no test is drawn."""
        out = Fetched()
        out.curves = self._curves(record, found, wanted, system, out.refusals)
        out.over = self._over(record, found, across, system, out.refusals)
        as_band = others_as != "lines" and across is None
        for other in others:
            asked = self._catalogue.of(other)
            if asked is not None:
                beside = self._over(other, asked, across, system, [])
                out.ghosts += [(c, beside) for c in self._curves(other, asked, wanted, system, [])]
        if as_band and out.ghosts:
            for one in out.curves:
                same = [ghost for ghost, _ in out.ghosts if ghost.wanted == one.wanted]
                band = spread([one, *same], others_as)
                out.spreads += [band] if band is not None else []
            out.ghosts = []
        if across is None:
            out.tests = [test.curve(system) for test in tests]
            out.limits = [one.edges(system) for one in corridors]
            out.ratings = [] if record.is_running else ratings(out.curves, out.tests, out.limits)
            out.ratings += dict.fromkeys(one.words for one in out.spreads)
        return out

    def _curves(
        self,
        record: RunRecord,
        found: Quantities,
        wanted: Sequence[Wanted],
        system: str,
        refusals: list[str],
    ) -> list[Curve]:
        out = []
        for one in wanted:
            try:
                out.append(self._curve(record, found, one, system))
            except ResultsError as refusal:
                refusals.append(str(refusal))
        return out

    def _curve(self, record: RunRecord, found: Quantities, wanted: Wanted, system: str) -> Curve:
        if not self._catalogue.is_final(record, found):
            return curve(record.project, found, wanted, system)
        kept_ones = self._kept.setdefault(record, {})
        if (wanted, system) not in kept_ones:
            kept_ones[wanted, system] = curve(record.project, found, wanted, system)
        return kept_ones[wanted, system]

    def _over(
        self,
        record: RunRecord,
        found: Quantities,
        across: Wanted | None,
        system: str,
        refusals: list[str],
    ) -> Curve | None:
        if across is None:
            return None
        curves = self._curves(record, found, [across], system, refusals)
        return curves[0] if curves else None


def ratings(
    curves: Sequence[Curve], tests: Sequence[Curve], limits: Sequence[tuple[Curve, Curve]]
) -> list[str]:
    """Say how well the first curve of their unit agrees with tests, and keeps to corridors."""
    out = []
    both: list[Curve | tuple[Curve, Curve]] = [*tests, *limits]
    for against in both:
        test = against if isinstance(against, Curve) else against[0]
        first = next((one for one in curves if one.unit == test.unit), None)
        if first is None:
            out.append(tr("{curve}: no curve of this plot is in its unit.", curve=test.label))
        elif isinstance(against, Curve):
            how = rated(first, test)[1]
            out.append(
                tr("{curve} against {test}: {how}", curve=first.label, test=test.label, how=how)
            )
        else:
            how = kept(first, against)
            out.append(
                tr("{curve} in {corridor}: {how}", curve=first.label, corridor=test.label, how=how)
            )
    return out
