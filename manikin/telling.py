"""What a run says: its report, what made a figure, what acts on a part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from manikin.changing import Recorded
from solver.injury import Assessment, assess
from solver.results import ResultsError

if TYPE_CHECKING:
    from solver.analysis.acting import Account
    from solver.report import Report
    from solver.studies import StudyResult
    from solver.studies.suggesting import Outcome, Suggestion


class Told(Recorded):
    """Report a run and explain it."""

    @property
    def injury(self) -> Assessment:
        """The injury figures."""
        raise NotImplementedError

    def report(
        self,
        *others: Told,
        labels: Sequence[str] = (),
        units: str = "metric",
        standards: Sequence[str] = (),
        studies: Sequence[StudyResult] = (),
        explain: bool = False,
        people: Literal["skin", "shapes", "both"] = "skin",
        around: bool = True,
    ) -> Report:
        """Report on this run, or on several side by side: verdict, pictures, figures, tables, curves (docs/report.md).

        `save` of it writes HTML or PDF by the ending. `explain` adds what happened when, with pictures, what made the peaks and
        where the energy went. With `standards`, such as `un_r94`, figures are compared with the limits of these alone; `studies` get a section each.
        Pictures show `people` with their skin, as the engine's shapes, or both, and what usually stands `around` them. Raises ReportError.

        >>> run = mk.run(mk.sample("double_pendulum"), until=0.1)
        >>> run.report(labels=["first"]).save("pendulum.html").stat().st_size > 10_000
        True
        >>> run.report().save("pendulum.doc")
        Traceback (most recent call last):
        manikin.ReportError: 'pendulum.doc' must end in .html or .pdf.
        """
        from solver.report import report

        runs = [one.trajectory for one in (self, *others)]
        return report(
            *runs, labels=labels, units=units, standards=standards, studies=studies,
            explained=explain, looks=people, around=around,
        )  # fmt: skip

    def judged(self, *standards: str) -> Assessment:
        """Give the injury figures by the limits of these standards alone, such as `un_r94` (docs/injury.md)."""
        return assess(self.trajectory, self.recorded_project, standards)

    def why(self, figure: str, units: str = "metric") -> str:
        """Say what makes an injury figure: which belt, bag, contact or joint acts on its part when it is greatest.

        >>> run = mk.run(mk.sample("sled"), until=0.06)
        >>> run.why("chest_3ms")
        'Chest: Acceleration exceeded for 3 ms in all, 47.8 g. What makes it: belt 120 %, Waist (joint) 5 %; less what holds against it: ...'
        """
        from solver.report.explaining import why

        return why(self.recorded_project, self.trajectory, self.injury[figure], units)

    def suggestions(
        self, count: int = 3, *standards: str, units: str = "metric"
    ) -> tuple[Suggestion, ...]:
        """What to try next: changes of what acts on the worst figures when these are greatest, the most telling first; none where nothing is sensible.

        Each has `words`, a `reason`, the `figure` that it is meant for, and a `project` with the change, which has no errors. With
        `standards` the limits of these alone say which figures are worst.

        >>> run = mk.run(mk.sample("sled"), until=0.06)
        >>> print(run.suggestions()[0])
        Give the belt a load limiter at 8... kN; it pulls with 10 kN then. Chest 3 ms: belt makes 120 % of what accelerates the chest at 54 ms.
        """
        from solver.studies.suggesting import suggestions

        found = self.injury.under(standards)
        return suggestions(self.recorded_project, self.trajectory, found, count=count, units=units)

    def became(self, before: Told, figure: str) -> Outcome:
        """Say what became of a figure since another run, and which others that have a limit are worse or better.

        >>> run = mk.run(mk.sample("sled"), until=0.06)
        >>> better = mk.run(mk.Model(run.suggestions()[0].project), until=0.06)
        >>> better.became(run, "chest_3ms").words
        'Chest 3 ms: 47.8 g before, 42.84 g now (-10.4 %). Nothing else became worse.'
        """
        from solver.studies.suggesting import outcome

        found = outcome(before.injury, self.injury, figure)
        if found is None:
            raise ResultsError("There is no injury figure '{name}' in both runs.", name=figure)
        return found

    def acting_on(self, *segments: str, own_parts: bool = False) -> Account:
        """Find all that acts on a segment, or on some together: weight, joints, contacts, belts, bags; it adds up to mass times acceleration.

        With `own_parts` what belongs to the same part of a body counts with it, as a sternum does with the chest.

        >>> run = mk.run(mk.sample("double_pendulum"), until=0.1)
        >>> found = run.acting_on("lower")
        >>> total = sum(share.forces for share in found.shares)
        >>> bool(np.allclose(total, found.mass_kg * found.acceleration, atol=1e-6))
        True
        """
        from solver.analysis.acting import account, with_own_parts

        project, run = self.recorded_project, self.trajectory
        for name in segments:
            if name not in run.segment_ids:
                raise ResultsError("There is no segment '{name}'; there are: {names}.", name=name, names=", ".join(run.segment_ids))  # fmt: skip
        wanted = segments
        if own_parts:
            wanted = tuple(p for name in segments for p in with_own_parts(project, name))
        found = account(project, run.time, run.table, tuple(dict.fromkeys(wanted)))
        if found is None:
            raise ResultsError("Name a segment that has a mass: what acts on it is then told.")
        return found
