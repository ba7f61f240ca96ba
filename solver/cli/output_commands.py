"""Commands on what other programs read and write: import, export, plot, table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from solver.base.words import msgid, tr
from solver.cli.channel_commands import add_channels
from solver.cli.common import (
    CommandError,
    Commands,
    add_units,
    checked,
    command,
    new_folder,
    opened,
    opened_results,
    print_problems,
    settle_units,
    writable,
    write_text,
    writing,
)
from solver.project import Project, save_project

if TYPE_CHECKING:
    from solver.results import Channel, Trajectory

# Commands on files of other programs: import, and the deck that export writes.


def _add_import(commands: Commands) -> None:
    """Add these commands to the parser."""
    read = command(
        commands,
        "import",
        tr("Make a project of another program's model, or a table of a test's curves."),
        _import,
    )
    read.add_argument("file", metavar="FILE", help=tr("deck of ATB (.ain, .lin) or what it printed (.aou, .t21 to .t99), cards of VARISEG (.vsg), model of MuJoCo (.xml), robot (.urdf), model of OpenSim (.osim), or a measured test, as 'channels' reads it"))  # fmt: skip
    read.add_argument("-o", "--output", metavar="OUT.json", help=tr("project to write, or table of curves; FILE.json or FILE.csv if not given"))  # fmt: skip
    read.add_argument(
        "--report", metavar="FILE", nargs="?", const="-",
        help=tr("say what became of every card: on the screen, or in a file"),
    )  # fmt: skip
    read.add_argument(
        "--as-it-stands", action="store_true",
        help=tr("find no equilibrium where a deck asks for one (card G.1)"),
    )  # fmt: skip
    read.add_argument(
        "--within", metavar="FOLDER",
        help=tr("folder in which other files that a model of MuJoCo names may be opened; that of the model if not given"),
    )  # fmt: skip
    read.add_argument(
        "--keyframe", metavar="NAME", default="",
        help=tr("key frame of a model of MuJoCo from which it starts; as it is drawn if not given"),
    )  # fmt: skip
    read.add_argument(
        "--contacts", choices=("ground", "all"), default="ground",
        help=tr("what shapes of a model of MuJoCo touch: planes of the ground, or each other, too, where the file lets them; ground if not given"),
    )  # fmt: skip
    read.add_argument("--markers", metavar="FILE.xml", help=tr("set of markers of OpenSim that stands in a file of its own"))  # fmt: skip


def _import(arguments: argparse.Namespace) -> int:
    from solver.exchange.any_model import read_model
    from solver.exchange.measured.reading import is_test
    from solver.project.checks import check

    file = Path(arguments.file)
    if is_test(file):
        return _import_curves(file, arguments.output)
    made = read_model(
        file,
        settle=not arguments.as_it_stands,
        within=arguments.within,
        keyframe=arguments.keyframe,
        contacts=arguments.contacts,
        markers=arguments.markers,
    )
    project, lines, shown = made.project, made.report, made.said
    target = writable(arguments.output or file.with_suffix(".json"), "project", file)
    if target.exists() and not arguments.output:
        raise CommandError("'{target}' is there already; give another name with -o.", target=target)
    if arguments.report and arguments.report != "-":
        write_text(writable(arguments.report, "report", file), "\n".join(lines) + "\n")
    print(project.title or file.stem)
    for line in lines if arguments.report == "-" else shown:
        print(line)
    problems = [one for one in check(project) if one.severity != "note"]
    print_problems(problems)
    save_project(project, target)
    print(tr("Wrote {target}.", target=target))
    return 1 if any(one.severity == "error" for one in problems) else 0


def _import_curves(file: Path, output: str | None) -> int:
    """Write the curves of a test, whatever wrote them, as a table."""
    from solver.exchange.measured.reading import read_test
    from solver.report.export import as_csv

    made = read_test(file)
    target = writable(output or file.with_suffix(".csv"), "table", file)
    if target.exists() and not output:
        raise CommandError("'{target}' is there already; give another name with -o.", target=target)
    for one in (*made.notes, *(f"{curve.name} [{curve.unit}]" for curve in made.channels)):
        print(one)
    write_text(target, as_csv(made.channels))
    print(tr("Wrote {target}.", target=target))
    return 0


# A deck's own printed tables beside our run: compare-printed.


def _add_compare(commands: Commands) -> None:
    """Add this command to the parser."""
    compare = command(
        commands, "compare-printed",
        tr("Run a deck of ATB and compare every table that the old program printed of it."), _compare,
    )  # fmt: skip
    compare.add_argument("deck", metavar="DECK", help=tr("deck of ATB (.ain, .lin)"))
    compare.add_argument("files", metavar="FILE", nargs="*", help=tr("what was printed (.aou, .t21 to .t99); those of the deck's name beside it if none is given"))  # fmt: skip
    compare.add_argument("--run", metavar="ID", help=tr("which of the deck's runs; 'as_the_deck', which does all as the old program does, if not given; 'run' is ours"))  # fmt: skip
    compare.add_argument("--until", metavar="S", type=float, help=tr("compare up to this time (s), such as the first deep contact"))  # fmt: skip
    compare.add_argument("--as-it-stands", action="store_true", help=tr("find no equilibrium where a deck asks for one (card G.1)"))  # fmt: skip
    compare.add_argument("-o", "--output", metavar="PAGE.html", help=tr("page with all curves (.html, .pdf)"))  # fmt: skip
    compare.add_argument("--json", action="store_true", help=tr("print the numbers as JSON"))


def _compare(arguments: argparse.Namespace) -> int:
    from solver.exchange.decks.compared import compare_printed

    target = writable(arguments.output, "page", arguments.deck, *arguments.files) if arguments.output else None  # fmt: skip
    if target is not None and target.suffix.lower() not in (".html", ".htm", ".pdf"):
        raise CommandError("'{target}' must end in .html or .pdf.", target=target.name)
    if arguments.until is not None and not arguments.until > 0.0:
        raise CommandError("--until is a time above 0 s.")
    found = compare_printed(
        arguments.deck, arguments.files, arguments.run,
        arguments.until, not arguments.as_it_stands,
    )  # fmt: skip
    if arguments.json:
        print(json.dumps({"title": found.title, "run": found.run, "until_s": found.until_s, "columns": [
            {"table": one.table, "column": one.printed.axis, "unit": one.printed.unit, "largest": one.largest, "at_s": one.at_s,
             "peak": one.peak, "rating": None if one.rating is None else one.rating.whole} for one in found.columns
        ]}, indent=2))  # fmt: skip
    else:
        for name, columns in found.tables.items():
            one = max(columns, key=lambda c: c.part)
            rated = [c.rating.whole for c in columns if c.rating is not None]
            worst = f", {tr('rating at least')} {min(rated):.3f}" if rated else ""
            print(f"{name}: {tr('largest difference')} {one.largest:.4g} {one.printed.unit} ({100.0 * one.part:.2f} %), "
                  f"{one.printed.axis}, {1e3 * one.at_s:g} ms{worst}")  # fmt: skip
        for note in found.notes:
            print(note)
    if target is not None:
        from solver.report.compared import compared_page

        saved = compared_page(found).save(target)
        if not arguments.json:
            print(tr("Wrote {save}.", save=saved))
    return 0


def export_model(path: str, output: str, kind: str) -> int:
    """Write a project for another program, and say first what the file cannot say."""
    from solver.exchange.any_model import DECKS
    from solver.exchange.decks import write_ain
    from solver.exchange.trees import write_tree
    from solver.exchange.variseg import write_variseg

    project, notes = opened(path)
    checked(project, notes)
    target = writable(output, "model", path)
    if kind == "ain" and target.suffix.lower() not in DECKS:
        raise CommandError("A deck's name ends with {known}, not '{ending}'.", known=", ".join(DECKS), ending=target.suffix)  # fmt: skip
    with writing(output):
        if kind == "model":
            lines = _written_by_others(project, target)
        elif kind == "ain":
            lines = write_ain(project, target).lines()
        elif kind == "variseg":
            lines = write_variseg(project, target).lines()
        else:
            lines = [str(one) for one in write_tree(project, target)]
    for line in lines:
        print(line)
    print(tr("Wrote {target}.", target=target))
    return 0


def _written_by_others(project: Project, target: Path) -> list[str]:
    from solver.exchange.added import exporters, write_by_others

    said = write_by_others(project, target)
    if said is None:
        known = ", ".join(exporters()) or tr("none")
        raise CommandError("No installed package writes '{ending}'; they write: {known}.", ending=target.suffix, known=known)  # fmt: skip
    return list(said)


# Commands that write what a run holds: export, plot, table.

NAMES = ("export", "plot", "table", "import", "compare-printed", "channels")

FILTER_CLASSES = (60, 180, 600, 1000)
WHAT = msgid("names or patterns of quantities, as 'show --quantities' lists them")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    _add_import(commands)
    _add_compare(commands)
    add_channels(commands)
    export = command(
        commands, "export", tr("Write quantities, or a model, for other programs."), _export
    )
    export.add_argument(
        "results",
        metavar="OUT.h5",
        help=tr("results; for --ain, --mjcf, --urdf, --variseg and --model a project"),
    )
    formats = export.add_mutually_exclusive_group(required=True)
    formats.add_argument("--csv", metavar="FILE", help=tr("comma-separated values"))
    formats.add_argument("--excel", metavar="FILE.xlsx", help=tr("Excel workbook"))
    formats.add_argument(
        "--parquet",
        metavar="FILE",
        help=tr("Apache Parquet; needs: pip install 'manikin[parquet]'"),
    )
    formats.add_argument(
        "--ain", metavar="FILE.ain", help=tr("deck of ATB; free form with every digit where it ends with .lin")
    )  # fmt: skip
    formats.add_argument("--mjcf", metavar="FILE.xml", help=tr("trees of bodies for MuJoCo"))
    formats.add_argument(
        "--urdf", metavar="FILE.urdf", help=tr("a tree of bodies as a robot of ROS")
    )
    formats.add_argument(
        "--variseg", metavar="FILE.vsg", help=tr("a model in the plane as cards of VARISEG")
    )
    formats.add_argument(
        "--model", metavar="FILE", help=tr("a model by an exporter of another package, chosen by the ending")
    )  # fmt: skip
    formats.add_argument(
        "--impacts", metavar="FILE.csv", help=tr("impulses of contacts and stops, and what joints took up, in SI")
    )  # fmt: skip
    formats.add_argument("--mme", metavar="FOLDER", help=tr("ISO-MME test (ISO/TS 13499), in SI"))
    export.add_argument(
        "--channels", metavar="GLOB", nargs="+", default=None, help=tr("{what}; recorded ones if not given", what=tr(WHAT))
    )  # fmt: skip
    add_units(export, "si")
    _add_filters(export)
    export.add_argument(
        "--codes",
        metavar="FILE.json",
        help=tr("ISO-MME channel codes by name of the quantity, where ours do not fit"),
    )
    export.add_argument(
        "--position", metavar="DIGITS", default="134652", help=tr("seat positions in ISO-MME codes, one of each person; 134652 if not given")
    )  # fmt: skip
    export.add_argument(
        "--dummy", metavar="CODE", default="00", help=tr("dummy in ISO-MME codes, as H3; 00 if not given")
    )  # fmt: skip

    plot = command(commands, "plot", tr("Plot any quantities against time or another."), _plot)
    plot.add_argument(
        "results", metavar="OUT.h5", nargs="+", help=tr("one or several runs, overlaid")
    )
    plot.add_argument(
        "--x", metavar="NAME", default="time", help=tr("quantity across; time if not given")
    )
    plot.add_argument("--y", metavar="GLOB", nargs="+", required=True, help=tr(WHAT))
    plot.add_argument("-o", "--output", metavar="FILE", required=True, help=tr("SVG, PDF or PNG"))
    add_units(plot, "metric")
    _add_filters(plot)
    plot.add_argument("--peaks", action="store_true", help=tr("mark the peak of each curve"))
    plot.add_argument("--title", metavar="TEXT", help=tr("the project's title if not given"))
    plot.add_argument(
        "--size", metavar=("WIDTH", "HEIGHT"), nargs=2, type=float, help=tr("in inches")
    )  # fmt: skip

    table = command(commands, "table", tr("Print tables by time."), _table)
    table.add_argument("results", metavar="OUT.h5")
    table.add_argument(
        "names",
        metavar="GLOB",
        nargs="*",
        help=tr("{what}; recorded ones if not given", what=tr(WHAT)),
    )
    table.add_argument(
        "-o", "--output", metavar="FILE", help=tr("text file; standard output if not given")
    )
    table.add_argument(
        "--every", metavar="MS", type=float, help=tr("time between lines; the frames' if not given")
    )
    table.add_argument(
        "--lines",
        metavar="N",
        type=int,
        default=60,
        help=tr("lines on a page; 0 for one long page"),
    )
    add_units(table, "metric")
    _add_filters(table)


def _add_filters(parser: argparse.ArgumentParser) -> None:
    filters = parser.add_mutually_exclusive_group()
    filters.add_argument(
        "--cfc", metavar="CLASS", type=int, choices=FILTER_CLASSES,
        help=tr("filter every quantity to this class of SAE J211: 60, 180, 600, 1000"),
    )  # fmt: skip
    filters.add_argument(
        "--filtered",
        action="store_true",
        help=tr("filter every quantity to the class of its output"),
    )


def _chosen(
    run: Trajectory, arguments: argparse.Namespace, patterns: Sequence[str], units: str
) -> list[Channel]:
    """Choose, filter and convert; what cannot be done becomes a sentence."""
    from solver.results.selection import select

    return select(run, patterns, units=units, cfc=arguments.cfc, filtered=arguments.filtered)


def _patterns(run: Trajectory, given: Sequence[str] | None) -> Sequence[str]:
    if given:
        return given
    if not run.channel_names:
        raise CommandError(
            "This run has no recorded channels; name quantities, as 'segments/*/velocity/resultant'."
        )
    return list(run.channel_names)


def _export(arguments: argparse.Namespace) -> int:
    for kind in ("ain", "mjcf", "urdf", "variseg", "model"):
        output = getattr(arguments, kind)
        if output:
            return export_model(arguments.results, output, kind)
    from solver.report.export import as_csv, write_excel, write_mme, write_parquet
    from solver.report.export.mme import Place

    if arguments.mme and arguments.units != "si":
        raise CommandError("ISO-MME files are in SI; leave out --units.")
    inputs = [one for one in (arguments.results, arguments.codes) if one]
    run = opened_results(arguments.results)
    if arguments.impacts:
        return _export_impacts(run, writable(arguments.impacts, "CSV file", *inputs))
    settle_units(arguments, run)
    channels = _chosen(run, arguments, _patterns(run, arguments.channels), arguments.units)
    if arguments.csv:
        target = writable(arguments.csv, "CSV file", *inputs)
        write_text(target, as_csv(channels))
    elif arguments.excel:
        target = writable(arguments.excel, "workbook", *inputs)
        if target.suffix.lower() != ".xlsx":
            raise CommandError("'{target}' must end in .xlsx.", target=target.name)
        write_excel(target, run, channels)
    elif arguments.parquet:
        target = writable(arguments.parquet, "Parquet file", *inputs)
        write_parquet(target, run, channels)
    else:
        target = new_folder(arguments.mme, "test")
        place = Place(position=arguments.position, dummy=arguments.dummy)
        write_mme(target, run, channels, place, _codes(arguments.codes))
    print(tr("Wrote {count} quantities to {target}.", count=len(channels), target=target))
    return 0


def _export_impacts(run: Trajectory, target: Path) -> int:
    """Write impacts as they were told, in SI."""
    from solver.report.export import impacts_as_csv
    from solver.results.impacts import impacts_of

    write_text(target, impacts_as_csv(run))
    print(
        tr("Wrote {count} impacts to {target}.", count=len(impacts_of(run.events())), target=target)
    )
    return 0


def _codes(path: str | None) -> dict[str, str]:
    if path is None:
        return {}
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as failure:
        raise CommandError(
            "'{path}' cannot be read: {strerror}.", path=path, strerror=failure.strerror
        ) from None
    except ValueError:
        raise CommandError("'{path}' is not JSON.", path=path) from None
    if not isinstance(found, dict) or not all(isinstance(v, str) for v in found.values()):
        raise CommandError(
            "'{path}' must hold one object: name of a quantity, then its code.", path=path
        )
    return found


def _plot(arguments: argparse.Namespace) -> int:
    from solver.report.plots import save_figure
    from solver.report.plots.of_runs import runs_figure

    target = writable(arguments.output, "plot", *arguments.results)
    if target.suffix.lower() not in {".svg", ".pdf", ".png"}:
        raise CommandError("'{target}' must end in .svg, .pdf or .png.", target=target.name)
    if arguments.size and not all(1.0 <= s <= 60.0 for s in arguments.size):
        raise CommandError("A plot is 1 to 60 inches wide and high.")
    runs = []
    for path in arguments.results:
        run = opened_results(path)
        settle_units(arguments, run)
        runs.append((Path(path).stem if len(arguments.results) > 1 else "", run))
    figure = runs_figure(
        runs, arguments.y, arguments.x, units=arguments.units, cfc=arguments.cfc,
        filtered=arguments.filtered, peaks=arguments.peaks, title=arguments.title,
        size=tuple(arguments.size) if arguments.size else None,
    )  # fmt: skip
    save_figure(figure, target)
    print(tr("Wrote {target}.", target=target))
    return 0


def _table(arguments: argparse.Namespace) -> int:
    from solver.report.export import printed

    if arguments.every is not None and not arguments.every > 0.0:
        raise CommandError("The time between lines must be above zero.")
    if arguments.lines and arguments.lines < 20:
        raise CommandError("A page has 20 lines or more; 0 makes one long page.")
    target = None
    if arguments.output is not None:
        target = writable(arguments.output, "table", arguments.results)
    run = opened_results(arguments.results)
    settle_units(arguments, run)
    channels = _chosen(run, arguments, _patterns(run, arguments.names), arguments.units)
    text = printed(
        run, channels, every=1e-3 * (arguments.every or 0.0), units=arguments.units,
        page_lines=arguments.lines,
    )  # fmt: skip
    if target is None:
        print(text, end="")
        return 0
    write_text(target, text)
    print(tr("Wrote {target}.", target=target))
    return 0
