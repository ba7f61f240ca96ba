"""The command injury: the figures of a run, with every choice behind them."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from solver.base import csv_text
from solver.base.words import msgid, tr
from solver.cli.common import CommandError, Commands, command, opened_results, writable, write_text

if TYPE_CHECKING:
    from solver.injury import Assessment, Figure

NAMES = ("injury",)

COLUMNS = (
    msgid("name"), msgid("value"), msgid("unit"), msgid("limit"), "of_limit", msgid("source"),
    msgid("risk"), "t1_ms", "t2_ms", msgid("filter"), msgid("channels"), msgid("note"),
)  # fmt: skip


def add_to(commands: Commands) -> None:
    """Add this command to the parser."""
    injury = command(commands, "injury", tr("List the injury figures of a run."), _injury)
    injury.add_argument("results", metavar="RESULTS")
    injury.add_argument(
        "--json", action="store_true", help=tr("print them as JSON, with all sources")
    )
    injury.add_argument("--csv", metavar="FILE", help=tr("write them to a CSV file"))
    add_standards(injury)


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
    from solver.results import ResultsError

    target = None
    if arguments.csv:
        target = writable(arguments.csv, "CSV file", arguments.results)
    results = opened_results(arguments.results)
    try:
        found = assess(results, standards=arguments.standard)
    except ResultsError as failure:
        raise CommandError(str(failure)) from None
    if target is not None:
        write_text(target, _as_csv(found))
        print(tr("Wrote {count} figures to {target}.", count=len(found.figures), target=target))
    elif arguments.json:
        print(json.dumps(_as_json(found, results.status), indent=2, ensure_ascii=False))
    else:
        print(_as_table(found, results.status))
    return 0


def _row(figure: Figure) -> dict[str, str]:
    """Give a figure's cells as text."""
    from solver.injury.figures import shown, written

    limit = figure.strictest
    value, unit = shown(figure.value, figure.unit)
    return {
        "name": figure.name,
        "value": written(value, 5),
        "unit": unit,
        "limit": "" if limit is None else f"{shown(limit.limit, figure.unit)[0]:g}",
        "of_limit": figure.share_said,
        "source": "" if limit is None else limit.source,
        "risk": ", ".join(risk.said for risk in figure.risks),
        "t1_ms": f"{1e3 * figure.t1:.2f}",
        "t2_ms": f"{1e3 * figure.t2:.2f}",
        "filter": "/".join(str(c) if c else tr("none") for c in dict.fromkeys(figure.filters)),
        "channels": "; ".join(figure.channels),
        "note": figure.note,
    }


def _as_table(found: Assessment, status: str) -> str:
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
    rows = [_row(figure) for figure in found.figures]
    shown = [c for c in COLUMNS if any(row[c] for row in rows)]
    width = {c: max(len(tr(c)), *(len(row[c]) for row in rows)) for c in shown} if rows else {}
    heads = {c: tr(c) for c in COLUMNS}
    right = {"value", "limit", "of_limit", "t1_ms", "t2_ms"}
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


def _as_csv(found: Assessment) -> str:
    rows: list[list[str]] = [list(COLUMNS)]
    for figure in found.figures:
        limit = figure.strictest
        exact = {"value": repr(figure.value), "unit": figure.unit}
        exact["limit"] = "" if limit is None else f"{limit.limit:g}"
        cells = _row(figure) | exact
        rows.append([cells.get(name, "") for name in COLUMNS])
    return csv_text.as_csv(rows)


def _as_json(found: Assessment, status: str) -> dict[str, Any]:
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
