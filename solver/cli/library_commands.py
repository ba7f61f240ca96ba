"""Commands on ready parts and other projects: library list, show, insert, measured; car; include add, list, update, let-go."""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    checked,
    command,
    files_of,
    opened,
    print_problems,
    writable,
)
from solver.project import Project, save_project
from solver.project.problems import ProjectError

NAMES = ("library", "car", "include")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    library = command(commands, "library", tr("Look through ready parts and insert them."), _list)
    library.set_defaults(category=None, json=False)
    actions = library.add_subparsers(dest="action", metavar="ACTION", required=True)

    list_ = command(actions, "list", tr("List the library's entries."), _list)
    list_.add_argument("category", metavar="CATEGORY", nargs="?", help=tr("only this category"))
    list_.add_argument("--json", action="store_true", help=tr("print the entries as JSON"))

    show = command(actions, "show", tr("Describe one entry."), _show)
    show.add_argument("entry", metavar="ENTRY")
    show.add_argument("--json", action="store_true", help=tr("print the entry as JSON"))

    insert = command(actions, "insert", tr("Insert an entry into a project."), _insert)
    insert.add_argument("project", metavar="PROJECT")
    insert.add_argument("entry", metavar="ENTRY")
    _into(insert)
    insert.add_argument(
        "--at",
        metavar=("X", "Y", "Z"),
        type=float,
        nargs=3,
        default=(0.0, 0.0, 0.0),
        help=tr("where its origin is put, in m along the carrier's axes"),
    )
    insert.add_argument(
        "--on", metavar="PREFIX", help=tr("occupant that it presses on or lies over, by prefix")
    )

    measured = command(actions, "measured", tr("Move a segment by a measured pulse."), _measured)
    measured.add_argument("project", metavar="PROJECT")
    measured.add_argument("csv", metavar="FILE", help=tr("table with time and acceleration, or a test: ISO-MME, NHTSA, .mot"))  # fmt: skip
    measured.add_argument("--unit", metavar="UNIT", default="", help=tr("of acceleration: g, m/s2, ...; that of the file if not given"))  # fmt: skip
    measured.add_argument("--channel", metavar="WORDS", default="", help=tr("channel of a test: its code, or words of its name"))  # fmt: skip
    measured.add_argument("--in-place", action="store_true", help=tr("let the motion that the segment has take the pulse over"))  # fmt: skip
    measured.add_argument("--time-unit", metavar="UNIT", default="s", help=tr("s if not given"))
    measured.add_argument(
        "--columns",
        metavar="COLUMN",
        nargs=2,
        default=("1", "2"),
        help=tr("columns of time and acceleration, by number or heading; 1 2 if not given"),
    )
    measured.add_argument(
        "--filter",
        metavar="CFC",
        default="60",
        help=tr("class of SAE J211, or none; 60 if not given"),
    )
    measured.add_argument(
        "--begin", metavar="S", type=float, help=tr("leave out what comes before")
    )
    measured.add_argument("--end", metavar="S", type=float, help=tr("leave out what comes after"))
    measured.add_argument(
        "--zero-until", metavar="S", type=float, help=tr("take the mean until then off first")
    )
    measured.add_argument(
        "--scale", metavar="FACTOR", type=float, default=1.0, help=tr("-1 turns the pulse round")
    )
    measured.add_argument(
        "--component", choices=("x", "y", "z"), default="x", help=tr("direction; x if not given")
    )
    _into(measured)

    car = command(commands, "car", tr("Make a car on four wheels, alone or in a project."), _car)
    car.add_argument("--list", action="store_true", help=tr("list the numbers that are asked for"))
    car.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help=tr("a number, such as mass_kg=1250; see --list"))  # fmt: skip
    for axle, words in (("front", tr("how its front wheels are led; struts if not given")), ("rear", tr("the same of its rear wheels"))):  # fmt: skip
        car.add_argument(f"--{axle}-axle", choices=("struts", "wishbones"), default="struts", help=words)  # fmt: skip
    car.add_argument("--into", metavar="PROJECT", help=tr("put the car into this project"))
    car.add_argument("--prefix", metavar="WORD", default="car", help=tr("its id, and before those of its parts"))  # fmt: skip
    car.add_argument("--road", metavar="PLANE", help=tr("plane of the project that it is set down on; if not given, the plane 'road', or a new one"))  # fmt: skip
    car.add_argument("--at", metavar=("X", "Y"), nargs=2, type=float, default=(0.0, 0.0), help=tr("where the middle of its front axle is, in m"))  # fmt: skip
    car.add_argument("--yaw", metavar="DEGREES", type=float, default=0.0, help=tr("where it looks, from x to y"))  # fmt: skip
    car.add_argument("-o", "--output", metavar="FILE", help=tr("project to write"))

    _add_include(commands)


def _add_include(commands: Commands) -> None:
    include = command(commands, "include", tr("Put other projects into one, and follow their files."), _included)  # fmt: skip
    actions = include.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = command(actions, "add", tr("Put all elements of a project file into a project."), _include)  # fmt: skip
    add.add_argument("project", metavar="PROJECT")
    add.add_argument("file", metavar="FILE", help=tr("project file that is put in"))
    add.add_argument("--name", metavar="WORD", default="", help=tr("its name, which goes before the new ids; after the file if not given"))  # fmt: skip
    add.add_argument("--to", metavar="SEGMENT", default="ground", help=tr("segment that carries it in place of the ground"))  # fmt: skip
    add.add_argument("--at", metavar=("X", "Y", "Z"), type=float, nargs=3, default=(0.0, 0.0, 0.0), help=tr("where its origin is put, in m along the carrier's axes"))  # fmt: skip
    add.add_argument("--onto", metavar="PATH", default="", help=tr("element from whose place --at counts, such as planes/floor or segments/seat"))  # fmt: skip
    add.add_argument("--yaw", metavar="DEGREES", type=float, default=0.0, help=tr("where it looks, from x to y"))  # fmt: skip
    list_ = command(actions, "list", tr("List what is included, and whether its file has changed since."), _included)  # fmt: skip
    list_.add_argument("project", metavar="PROJECT")
    update = command(actions, "update", tr("Take included projects again from their files."), _update)  # fmt: skip
    update.add_argument("project", metavar="PROJECT")
    update.add_argument("names", metavar="NAME", nargs="*", help=tr("which; all if not given"))
    update.add_argument("--overwrite", action="store_true", help=tr("take what the file has in place of what was changed by hand"))  # fmt: skip
    away = command(actions, "let-go", tr("Forget the file of an included project; its elements stay."), _let_go)  # fmt: skip
    away.add_argument("project", metavar="PROJECT")
    away.add_argument("name", metavar="NAME")
    for action in (add, update, away):
        action.add_argument("-o", "--output", metavar="FILE", help=tr("write here instead of in place"))  # fmt: skip


def _into(action: argparse.ArgumentParser) -> None:
    """Add where something goes and what it makes room for."""
    action.add_argument("--prefix", metavar="WORD", default="", help=tr("goes before the new ids"))
    action.add_argument(
        "--to",
        metavar="SEGMENT",
        default="ground",
        help=tr("segment that carries it or is moved by it"),
    )
    action.add_argument(
        "--from-speed", metavar="M/S", type=float, help=tr("speed at which a pulse begins")
    )
    action.add_argument(
        "--replace", action="store_true", help=tr("take away a motion that the segment has already")
    )
    action.add_argument("-o", "--output", metavar="FILE", help=tr("write here instead of in place"))


def _list(arguments: argparse.Namespace) -> int:
    from solver.bodies.library import CATEGORIES, entries

    found = entries(arguments.category)
    if arguments.json:
        rows = [
            {k: getattr(e, k) for k in ("id", "category", "name", "basis", "source", "note")}
            for e in found
        ]
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return 0
    width = max(len(e.id) for e in found)
    for category, heading in CATEGORIES.items():
        here = [e for e in found if e.category == category]
        if here:
            print(f"{tr(heading)} ({category})")
            print("".join(f"  {e.id:<{width}}  {e.basis:<9}  {tr(e.name)}\n" for e in here), end="")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from solver.bodies.library import entry
    from solver.bodies.library.describe import details
    from solver.project.saving import plain

    one = entry(arguments.entry)
    if arguments.json:
        print(json.dumps(plain(one), indent=2, ensure_ascii=False))
    else:
        print(details(one))
    return 0


def _insert(arguments: argparse.Namespace) -> int:
    from solver.bodies.library import insert, occupant
    from solver.bodies.library.seating import hanging

    project, _ = opened(arguments.project)
    target = _target(arguments, project)
    x, y, z = arguments.at
    new = insert(
        project,
        arguments.entry,
        arguments.prefix,
        attach_to=arguments.to,
        at=(x, y, z),
        on=arguments.on,
        from_speed=arguments.from_speed,
        replace=arguments.replace,
    )
    who = occupant(new, arguments.on) if arguments.on is not None else None
    if who is not None and (short := hanging(new, who)) is not None:
        print(short)
    return _written(new, target)


def _measured(arguments: argparse.Namespace) -> int:
    from solver.bodies.library.pulses import insert_pulse, led_by, read_pulse
    from solver.exchange.measured.pulses import read_channel_pulse

    project, _ = opened(arguments.project)
    target = _target(arguments, project, arguments.csv)
    try:
        filter_ = None if arguments.filter == "none" else float(arguments.filter)
    except ValueError:
        raise CommandError(
            "'{filter}' is no filter class; give 60, 180 or none.", filter=arguments.filter
        ) from None
    cut: dict[str, Any] = {"filter_": filter_, "begin_s": arguments.begin, "end_s": arguments.end, "zero_until_s": arguments.zero_until}  # fmt: skip
    if arguments.channel or not arguments.unit:
        pulse = read_channel_pulse(arguments.csv, arguments.channel, arguments.unit, **cut)
    else:
        columns = (arguments.columns[0], arguments.columns[1])
        pulse = read_pulse(arguments.csv, arguments.unit, time_unit=arguments.time_unit, columns=columns, **cut)  # fmt: skip
    new = (
        led_by(
            project, pulse, arguments.to, arguments.component, arguments.scale, arguments.from_speed
        )
        if arguments.in_place
        else insert_pulse(
            project,
            pulse,
            arguments.prefix,
            attach_to=arguments.to,
            component=arguments.component,
            scale=arguments.scale,
            from_speed=arguments.from_speed or 0.0,
            replace=arguments.replace,
        )
    )
    known = pulse.facts()
    print(
        tr(
            "Peak {peak:.2f} g at {peak_s:.1f} ms, speed change {speed_change:.3f} m/s ({note}).",
            peak=known.peak / 9.80665,
            peak_s=known.peak_s * 1e3,
            speed_change=known.speed_change,
            note=pulse.note,
        )
    )
    return _written(new, target)


def _car(arguments: argparse.Namespace) -> int:
    from solver.editing.cars import ASKED, asked_car, car_into, described

    if arguments.list:
        print("\n".join(str(described(name)) for name in ASKED))
        return 0
    output = arguments.output or arguments.into
    if output is None:
        raise CommandError("Name a file to write with -o, or a project with --into.")
    if arguments.road is not None and arguments.into is None:
        raise CommandError("A new project has no plane to set a car down on: leave --road out.")
    project = None if arguments.into is None else opened(arguments.into)[0]
    target = writable(output, "project") if project is None else _target(argparse.Namespace(output=output, project=arguments.into), project)  # fmt: skip
    shape = replace(
        asked_car(dict(map(_number, arguments.set)), arguments.front_axle, arguments.rear_axle),
        at_m=tuple(arguments.at), yaw_rad=math.radians(arguments.yaw),
    )  # fmt: skip
    return _written(car_into(project, shape, arguments.prefix, arguments.road), target)


def _include(arguments: argparse.Namespace) -> int:
    from solver.editing.including import include
    from solver.project.geometry import Frame, Orientation

    project, _ = opened(arguments.project)
    target = _target(arguments, project, arguments.file)
    turned = Orientation(angles_rad=(math.radians(arguments.yaw), 0.0, 0.0))
    frame = Frame(position_m=tuple(arguments.at), orientation=turned)
    made = include(project, arguments.file, arguments.name, on=arguments.to, frame=frame, onto=arguments.onto, home=target)  # fmt: skip
    print(tr("Included {file} as '{id}'.", file=arguments.file, id=made.includes[-1].id))
    return _written(made, target)


def _included(arguments: argparse.Namespace) -> int:
    from solver.editing.including import changed_by_hand
    from solver.project.linked import SHORT, standing

    project, _ = opened(arguments.project)
    for one in project.includes:
        by_hand = len(changed_by_hand(project, one.id))
        words = [tr(SHORT[standing(one)]), *([tr("{number} changed by hand", number=by_hand)] if by_hand else [])]  # fmt: skip
        print(f"{one.id}  {one.file}  {', '.join(words)}")
    if not project.includes:
        print(tr("Nothing is included."))
    return 0


def _update(arguments: argparse.Namespace) -> int:
    from solver.editing.including import update

    project, _ = opened(arguments.project)
    target = _target(arguments, project)
    for name in arguments.names or [one.id for one in project.includes]:
        done = update(project, name, overwrite=arguments.overwrite, home=target)
        project = done.project
        print(f"{name}: {done}")
    return _written(project, target)


def _let_go(arguments: argparse.Namespace) -> int:
    from solver.editing.including import let_go

    project, _ = opened(arguments.project)
    return _written(let_go(project, arguments.name), _target(arguments, project))


def _number(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise CommandError("'{change}' is not of the form NAME=VALUE.", change=text) from None


def _target(arguments: argparse.Namespace, project: Project, *inputs: str) -> Path:
    """Give the project to write, which is the one that was read if no other is named."""
    others: list[str | Path] = [*inputs, *files_of(project, arguments.project)[1:]]
    return writable(arguments.output or arguments.project, "project", *others)


def _written(project: Project, target: Path) -> int:
    """Write a project and say what its check finds; errors that it had before do not stop it."""
    try:
        problems = checked(project)
    except ProjectError as failure:
        problems = failure.problems
    save_project(project, target)
    print_problems(problems)
    print(tr("Wrote {target}.", target=target))
    return 0
