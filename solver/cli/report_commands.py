"""Commands that judge a run and report it: injury, report."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.base import atomic
from solver.base.words import msgid, tr
from solver.cli.common import (
    CommandError,
    Commands,
    add_units,
    command,
    opened_results,
    settle_units,
    writable,
    write_text,
)

if TYPE_CHECKING:
    from solver.injury import Assessment, Figure
    from solver.results.trajectory import Trajectory
    from solver.studies import Band, FigureBand, StudyResult
    from solver.studies.result import StudiesOfProject

    Bands = Mapping[str, FigureBand]

# The command injury: the figures of a run, with every choice behind them.

COLUMNS = (
    msgid("name"), msgid("value"), "5-95 %", msgid("unit"), msgid("decided by"), msgid("limit"), "of_limit", msgid("source"),
    msgid("risk"), "t1_ms", "t2_ms", msgid("filter"), msgid("channels"), msgid("note"),
)  # fmt: skip


def _add_injury(commands: Commands) -> None:
    """Add this command to the parser."""
    injury = command(commands, "injury", tr("List the injury figures of a run."), _injury)
    injury.add_argument("results", metavar="RESULTS")
    injury.add_argument(
        "--json", action="store_true", help=tr("print them as JSON, with all sources")
    )
    injury.add_argument("--csv", metavar="FILE", help=tr("write them to a CSV file"))
    add_band(injury)
    add_standards(injury)


def add_band(parser: argparse.ArgumentParser) -> None:
    """Add the choice of a band."""
    parser.add_argument(
        "--band", action="store_true",
        help=tr("give what the assumed numbers leave open of each figure; it is run unless it stands beside the results"),
    )  # fmt: skip


def _band_of(run: Trajectory, file: Path) -> Band:
    """The band of a run's model: that beside its file, else it is run, and written there."""
    from solver.cli.study_commands import ProgressLine
    from solver.project import parse
    from solver.studies.band import band_beside, run_band

    project = parse(run.project_json.decode()).project
    found = band_beside(file.parent, project)
    if found is not None:
        return found
    progress = ProgressLine(quiet=False)
    target = writable(file.with_name(f"{file.stem}_band.h5"), "study file", file)
    try:
        return run_band(project, target, watch=progress, resume=target.exists())
    finally:
        progress.close()


def add_standards(parser: argparse.ArgumentParser) -> None:
    """Add the choice of standards."""
    parser.add_argument(
        "--standard",
        action="append",
        default=[],
        metavar="NAME",
        help=tr("show the limits of this standard alone, such as un_r94; again for more"),
    )


def _injury(arguments: argparse.Namespace) -> int:
    from solver.injury import assess

    target = None
    if arguments.csv:
        target = writable(arguments.csv, "CSV file", arguments.results)
    results = opened_results(arguments.results)
    found = assess(results, standards=arguments.standard)
    band = _band_of(results, Path(arguments.results)).figures if arguments.band else {}
    if target is not None:
        write_text(target, _as_csv(found, band))
        print(tr("Wrote {count} figures to {target}.", count=len(found.figures), target=target))
    elif arguments.json:
        print(json.dumps(_as_json(found, results.status, band), indent=2, ensure_ascii=False))
    else:
        print(_as_table(found, results.status, band))
    return 0


def _row(figure: Figure, band: Bands) -> dict[str, str]:
    """A figure's cells as text."""
    from solver.injury.figures import shown, written

    limit = figure.strictest
    value, unit = shown(figure.value, figure.unit)
    about = band.get(figure.name)
    return {
        "name": figure.name,
        "value": written(value, 5),
        "5-95 %": "" if about is None else about.text,
        "unit": unit,
        "decided by": "" if about is None else about.decided_beside(figure.value),
        "limit": "" if limit is None else f"{shown(limit.limit, figure.unit)[0]:g}",
        "of_limit": figure.share_text,
        "source": "" if limit is None else limit.source,
        "risk": ", ".join(risk.said for risk in figure.risks),
        "t1_ms": f"{1e3 * figure.t1:.2f}",
        "t2_ms": f"{1e3 * figure.t2:.2f}",
        "filter": "/".join(str(c) if c else tr("none") for c in dict.fromkeys(figure.filters)),
        "channels": "; ".join(figure.channels),
        "note": figure.note,
    }


def _as_table(found: Assessment, status: str, band: Bands) -> str:
    if not found.figures and not found.missing:
        return tr(
            "The project asks for no injury figure, and none of its segments is known as part of a body."
        )
    lines = (
        []
        if status == "completed"
        else [tr("The run did not end as planned: {status}.", status=status)]
    )
    lines += map(str, found.said)
    rows = [_row(figure, band) for figure in found.figures]
    shown = [c for c in COLUMNS if any(row[c] for row in rows)]
    width = {c: max(len(tr(c)), *(len(row[c]) for row in rows)) for c in shown} if rows else {}
    heads = {c: tr(c) for c in COLUMNS}
    right = {"value", "5-95 %", "limit", "of_limit", "t1_ms", "t2_ms"}
    for row in [dict.fromkeys(COLUMNS, "") | heads, *rows] if rows else []:
        cells = (row[c].rjust(width[c]) if c in right else row[c].ljust(width[c]) for c in shown)
        lines.append("  ".join(cells).rstrip())
    lines += map(str, found.notes)
    if found.unchecked:
        lines.append(
            tr(
                "note: limits or risks from memory, compared with no text: {unchecked}; see docs/injury.md",
                unchecked=", ".join(found.unchecked),
            )
        )
    return "\n".join(lines)


def _as_csv(found: Assessment, band: Bands) -> str:
    rows: list[list[str]] = [list(COLUMNS)]
    for figure in found.figures:
        limit = figure.strictest
        exact = {"value": repr(figure.value), "unit": figure.unit}
        exact["limit"] = "" if limit is None else f"{limit.limit:g}"
        cells = _row(figure, band) | exact
        rows.append([cells.get(name, "") for name in COLUMNS])
    return atomic.as_csv(rows)


def _as_json(found: Assessment, status: str, band: Bands) -> dict[str, Any]:
    return {
        "status": status,
        "until": found.until,
        "standards": list(found.standards),
        "bodies": [
            {
                "name": one.name,
                "compared_with": one.who.size,
                "how": one.who.how,
                "mass_kg": one.who.mass,
                "pushed_from": one.way,
                "standards": list(one.standards),
                "said": str(one.said),
            }
            for one in found.bodies
        ],
        "ratings": [
            {
                "name": one.name, "body": one.body, "value": one.value, "best": one.best,
                "stars": one.stars, "parts": {str(part): value for part, value in one.parts},
                "notes": [str(note) for note in one.notes],
            }
            for one in found.scores
        ],
        "not_rated": [str(one) for one in found.withheld],
        "figures": [
            {
                "name": f.name,
                "criterion": f.criterion,
                "title": f.title,
                "body": f.body,
                "part": f.part,
                "value": f.value,
                "unit": f.unit,
                "t1": f.t1,
                "t2": f.t2,
                "channels": list(f.channels),
                "filters": list(f.filters),
                "automatic": f.automatic,
                "note": f.note,
                "no_verdict": f.no_verdict,
                "not_judged": str(f.spoilt),
                "until": f.until,
                "band": _band_json(band.get(f.name)),
                "of_limit": f.share,
                "verdict": f.verdict,
                "limits": [
                    {
                        "limit": one.limit, "body": one.body, "standard": one.standard,
                        "source": one.source, "pushed_from": list(one.push), "seen": one.seen,
                        "unchecked": one.unchecked,
                    }
                    for one in f.limits
                ],
                "risks": [
                    {
                        "level": risk.level, "probability": risk.probability,
                        "source": risk.source, "crossed": risk.crossed,
                    }
                    for risk in f.risks
                ],
            }
            for f in found.figures
        ],
        "missing": [{"name": name, "why": str(why)} for name, why in found.missing],
    }  # fmt: skip


def _band_json(one: FigureBand | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "low": one.low, "middle": one.middle, "high": one.high, "runs": one.runs, "most": one.most.id, "share": one.share,
        "is_sure": one.is_sure,
    }  # fmt: skip


# The command that writes reports.

NAMES = ("report", "injury")
LOOKS = ("skin", "both", "shapes")
"""As `solver.scene.instant` has them, which takes long to load."""


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    _add_injury(commands)
    report = command(
        commands, "report", tr("Write a report of a run, or of two side by side."), _report
    )
    report.add_argument("results", metavar="OUT.h5", nargs="+", help=tr("one run, or two"))
    report.add_argument("-o", "--output", metavar="FILE", required=True, help=tr("HTML or PDF"))
    report.add_argument("--pdf", action="store_true", help=tr("write a PDF beside the HTML too"))
    report.add_argument(
        "--labels",
        metavar="NAME",
        nargs="+",
        help=tr("what to call the runs; their files if not given"),
    )
    add_units(report, "metric")
    report.add_argument(
        "--studies", metavar="FILE|ID", nargs="*",
        help=tr(
            "studies that get a section: their files, or ids of those beside the run; none after it: no studies; if not "
            "given, those of the model that have ended, in the folder of the run"
        ),
    )  # fmt: skip
    report.add_argument(
        "--explain", action="store_true",
        help=tr("tell what happened when, with pictures, what made the peaks, and where the energy went"),
    )  # fmt: skip
    report.add_argument(
        "--pictures", choices=LOOKS, default=LOOKS[0],
        help=tr("people with their skin (if not given), as the shapes that the engine knows, or both half seen through"),
    )  # fmt: skip
    report.add_argument(
        "--no-around", action="store_true",
        help=tr("pictures without what usually stands around people, such as pillars, doors and seats beside"),
    )  # fmt: skip
    add_band(report)
    add_standards(report)


def _report(arguments: argparse.Namespace) -> int:
    if len(arguments.results) > 2:
        raise CommandError("A report compares two runs at most; 'plot' overlays any number.")
    labels = arguments.labels or []
    if labels and len(labels) != len(arguments.results):
        raise CommandError("Give {count} labels or none.", count=len(arguments.results))
    runs = [opened_results(path) for path in arguments.results]
    settle_units(arguments, runs[-1])
    target = writable(arguments.output, "report", *arguments.results)
    if target.suffix.lower() not in (".html", ".htm", ".pdf"):
        raise CommandError("'{target}' must end in .html or .pdf.", target=target.name)
    from solver.report import report

    targets: list[Path] = [target]
    if arguments.pdf and target.suffix.lower() != ".pdf":
        beside = target.with_suffix(".pdf")
        targets.append(writable(beside, "report", *arguments.results))
    found = _studies(arguments.studies, runs[-1], Path(arguments.results[-1]).parent)
    found.studies += _bands(runs, [Path(file) for file in arguments.results], arguments)
    made = report(
        *runs,
        labels=labels,
        units=arguments.units,
        studies=found.studies,
        left_out=found.left_out,
        standards=arguments.standard,
        explained=arguments.explain,
        looks=arguments.pictures,
        around=not arguments.no_around,
    )
    for each in targets:
        print(tr("Wrote {save}.", save=made.save(each)))
    for one in found.left_out:
        print(tr("note: {what}", what=one), file=sys.stderr)
    return 0


def _bands(
    runs: Sequence[Trajectory], files: Sequence[Path], arguments: argparse.Namespace
) -> list[StudyResult]:
    """The bands of runs: run where that is asked, else those that stand beside them, unless studies are named."""
    from solver.project import ProjectError, parse
    from solver.studies.band import band_beside

    if arguments.band:
        return [_band_of(run, file).study for run, file in zip(runs, files, strict=True)]
    if arguments.studies is not None:
        return []
    found: list[StudyResult] = []
    for run, file in zip(runs, files, strict=True):
        try:
            one = band_beside(file.parent, parse(run.project_json.decode()).project)
        except (ProjectError, UnicodeDecodeError):
            continue
        found += [] if one is None else [one.study]
    return found


def _studies(wanted: Sequence[str] | None, run: Trajectory, folder: Path) -> StudiesOfProject:
    """Find the studies that are asked for, or those of the run's model that stand beside it."""
    from solver.project import ProjectError, parse
    from solver.studies import open_study
    from solver.studies.result import StudiesOfProject, studies_of_project

    if wanted is not None and all(Path(one).suffix for one in wanted):
        return StudiesOfProject([open_study(one) for one in wanted])
    try:
        project = parse(run.project_json.decode()).project
    except (ProjectError, UnicodeDecodeError):
        return StudiesOfProject()
    found = studies_of_project(folder, project)
    if wanted is None:
        return found
    beside = {one.study.id: one for one in found.studies}
    for one in wanted:
        if not Path(one).suffix and one not in beside:
            raise CommandError(
                "There is no finished study '{name}' of this model in '{folder}'; there are: {there}. {left_out}",
                name=one, folder=folder, there=", ".join(beside) or tr("none"),
                left_out=" ".join(map(str, found.left_out)),
            )  # fmt: skip
    return StudiesOfProject(
        [open_study(one) if Path(one).suffix else beside[one] for one in wanted]
    )
