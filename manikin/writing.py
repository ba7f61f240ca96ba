"""What a run holds, written for other programs: CSV, Excel, Parquet, ISO-MME, printed tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from manikin.changing import Recorded
from solver.results import Channel, ResultsError
from solver.results.selection import select


class Written(Recorded):
    """Write quantities of a run; where none are named, those that were recorded."""

    def write_csv(
        self,
        path: Path | str,
        *patterns: str,
        cfc: int | None = None,
        filtered: bool = False,
        units: str = "si",
    ) -> Path:
        """Write comma-separated values, a column of times (s) before those that share them.

        With `cfc` each is filtered to that class of SAE J211, with `filtered` to the class of its output.

        >>> run = mk.run(mk.sample("double_pendulum"), until=0.1)
        >>> run.write_csv("lower.csv", "segments/lower/velocity/*").read_text().splitlines()[0]
        'time [s],segments/lower/velocity/x [m/s],segments/lower/velocity/y [m/s],segments/lower/velocity/z [m/s],segments/lower/velocity/resultant [m/s]'
        """
        from solver.report.export import as_csv

        file = Path(path)
        _write(file, as_csv(_chosen(self, patterns, cfc, filtered, units)))
        return file

    def write_impacts(self, path: Path | str) -> Path:
        """Write impulses of contacts and stops as comma-separated values, and what joints and constraints took up at each instant.

        >>> run = mk.run(mk.sample("double_pendulum"), until=0.1)
        >>> run.write_impacts("impacts.csv").read_text().split(",")[:3]
        ['time [s]', 'element', 'state']
        """
        from solver.report.export import impacts_as_csv

        file = Path(path)
        _write(file, impacts_as_csv(self.trajectory))
        return file

    def write_excel(
        self,
        path: Path | str,
        *patterns: str,
        cfc: int | None = None,
        filtered: bool = False,
        units: str = "si",
    ) -> Path:
        """Write an Excel workbook (.xlsx): about the run, its injury figures, its impacts, and a sheet for quantities that share their times."""
        from solver.report.export import ExportError, write_excel

        file = Path(path)
        if file.suffix.lower() != ".xlsx":
            raise ExportError("'{target}' must end in .xlsx.", target=file.name)
        write_excel(file, self.trajectory, _chosen(self, patterns, cfc, filtered, units))
        return file

    def write_parquet(
        self,
        path: Path | str,
        *patterns: str,
        cfc: int | None = None,
        filtered: bool = False,
        units: str = "si",
    ) -> Path:
        """Write a table of Apache Parquet with units in the metadata of its columns; needs `manikin[parquet]`."""
        from solver.report.export import write_parquet

        file = Path(path)
        write_parquet(file, self.trajectory, _chosen(self, patterns, cfc, filtered, units))
        return file

    def write_mme(
        self,
        folder: Path | str,
        *patterns: str,
        cfc: int | None = None,
        filtered: bool = False,
        position: str = "134652",
        dummy: str = "00",
        codes: Mapping[str, str] | None = None,
    ) -> dict[str, str]:
        """Write a test of ISO-MME (ISO/TS 13499), in SI, into a new folder; gives the code of each channel by its name.

        `position` are seat positions, one of each person; `dummy` as H3; `codes` are channel codes by names of quantities where ours do not fit.
        `mk.read_test` reads it.

        >>> run = mk.run(mk.sample("double_pendulum"), until=0.1)
        >>> run.write_mme("test", "elbow_angle*")
        {'elbow_angle_angle': '11ELBJ000000AN00'}
        >>> [curve.unit for curve in mk.read_test("test")]
        ['rad']
        """
        from solver.report.export import ExportError, write_mme
        from solver.report.export.mme import Place

        target = Path(folder)
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise ExportError("'{path}' is there already; give a new folder.", path=target)
        chosen = _chosen(self, patterns, cfc, filtered, "si")
        return write_mme(
            target, self.trajectory, chosen, Place(position=position, dummy=dummy), codes
        )

    def printed(
        self,
        *patterns: str,
        every_s: float = 0.0,
        lines: int = 60,
        cfc: int | None = None,
        filtered: bool = False,
        units: str = "metric",
    ) -> str:
        """Give tables by time as the old programs printed them: a line each `every_s` (the frames' times, if 0), pages of `lines` (0: one long page).

        >>> run = mk.run(mk.sample("double_pendulum"), until=0.1)
        >>> run.printed("energy/kinetic", every_s=0.05, lines=0).split()[-4:]
        ['50.000', '0.20621', '100.000', '0.82397']
        """
        from solver.report.export import ExportError, printed

        if not 0.0 <= every_s < float("inf"):
            raise ExportError("A line each {every:g} s cannot be printed.", every=every_s)
        if lines and lines < 20:
            raise ExportError("A page has 20 lines or more; 0 makes one long page.")
        return printed(
            self.trajectory, _chosen(self, patterns, cfc, filtered, units),
            every=every_s, units=units, page_lines=lines,
        )  # fmt: skip


def _chosen(
    run: Written, patterns: Sequence[str], cfc: int | None, filtered: bool, units: str
) -> list[Channel]:
    names = patterns or run.trajectory.channel_names
    if not names:
        raise ResultsError(
            "This run has no recorded channels; name quantities, as 'segments/*/velocity/resultant'."
        )
    return select(run.trajectory, names, units=units, cfc=cfc, filtered=filtered)


def _write(file: Path, text: str) -> None:
    from solver.report.export.tables import writing

    with writing(file) as part:
        part.write_text(text, encoding="utf-8", newline="")
