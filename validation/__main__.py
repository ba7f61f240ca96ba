"""Run all cases and print the book, or write it with `--write`; with `--only NAME ...` only some modules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from validation import (
    beams,
    bones,
    chest_belts,
    closures,
    gold_standard,
    impacts,
    levels,
    mechanisms,
    modal,
    near_side,
    neck_rear,
    passenger,
    people,
    published,
    ramp,
    reaches,
    rear_seat,
    restraints,
    rotation,
    saloon,
    servo,
    side,
    slow,
    small_motions,
    syntheses,
    tissues,
    topology,
    vehicles,
    volunteers,
)

DOCS = Path(__file__).parent.parent / "docs"
PAGE, CASES = DOCS / "validation.md", DOCS / "validation-cases.md"

HEAD = """# Validation book

What the program was held against, where it holds and where it fails. Three pages go with it: {cases} [closed forms, other equations of the same problem
and printed results of other programs](validation-cases.md); [levels of neck and spine](spine-levels.md), each loaded alone; and
[what was tried and given up](tried.md).

Beyond these the tests check identities on random models: forward dynamics against d'Alembert's principle, Pinocchio and MuJoCo; joint loads by cutting
every joint; constraints, springs and joint torques by the rates of their energies; the same bits every time.

The table and the sections below are tests on dummies, cadavers and volunteers. The command that writes them (`make validation`) runs each as a user runs it.
A figure is worth as much as what was known when the numbers of body and restraints were chosen: the second column says it.

| test | what was known | found | asked | verdict | why not |
|---|---|---|---|---|---|
"""

CASES_HEAD = """# Closed forms and printed results

Cases of the [validation book](validation.md) that have a reference in figures. A case holds when what was achieved lies within the tolerance of the reference.

The command `make validation` runs every case through the engine as a user runs it. Where that is not so the source says it: the program that printed Table 3.2
ends a step at marks of 1 or 5 ms, which no run of ours does; there a driver of the tests calls the kernels, and beside its rows stand those of the same settings
as a user runs them, read from frames.

References are closed, published, or *independent*: other equations of the same problem, typed in apart from the engine and integrated by
SciPy (`tests/published.py`). The data of such problems are those of the paper that is named.

| case | source | quantity | reference | achieved | tolerance | verdict |
|---|---|---|---|---|---|---|
"""


ROWS = {
    "rotation": rotation.cases, "mechanisms": mechanisms.cases, "impacts": impacts.cases, "small_motions": small_motions.cases,
    "beams": beams.cases,
    "tissues": tissues.cases, "restraints": restraints.cases, "published": published.cases, "reaches": reaches.cases,
    "servo": servo.cases,
    "closures": closures.cases,
    "vehicles": vehicles.cases,
    "syntheses": syntheses.cases, "topology": topology.cases, "modal": modal.cases,
}  # fmt: skip
"""Modules whose cases stand in the table, in its order."""
HELD = (volunteers, neck_rear, people, saloon, passenger, gold_standard, ramp, slow, chest_belts, bones, side, near_side, rear_seat)  # fmt: skip
"""Tests on people and dummies, in the page's order: what came of each, its section and its picture."""


def main() -> int:
    """Run the cases; give 1 if any of them fails."""
    if "--only" in sys.argv:
        names = [word for word in sys.argv[sys.argv.index("--only") + 1 :] if word != "--write"]
        tested = {one.__name__.rpartition(".")[2]: one for one in HELD}
        if not names or set(names) - set(ROWS) - set(tested):
            print(f"--only takes names of these: {', '.join((*ROWS, *tested))}")
            return 2
        for name in [name for name in names if name in tested]:
            again(tested[name], "--write" in sys.argv)
        closed_forms = [name for name in names if name in ROWS]
        return only(closed_forms) if closed_forms else 0
    cases = [case for made in ROWS.values() for case in made()]
    rows = [case.row() for case in cases]
    closed = CASES_HEAD + "\n".join(rows) + f"\n\n{told(rows)}\n\n{restraints.convergence()}"
    verdicts = [one.row() for held in HELD for one in held.verdicts()]
    page = (
        HEAD.format(cases=len(rows))
        + "\n".join(verdicts)
        + "\n\n"
        + "\n".join(held.section() for held in HELD)
    )
    if "--write" in sys.argv[1:]:
        for file, text in ((CASES, closed), (PAGE, page)):
            file.write_text(text.rstrip() + "\n", encoding="utf-8", newline="\n")
            print(f"wrote {file.relative_to(DOCS.parent)}")
        for held in HELD:
            held.picture(DOCS / held.PICTURE)
        levels.write()
    else:
        print(closed, page, sep="\n")
    return int(not all(case.passed for case in cases))


def told(rows: list[str]) -> str:
    """Say how many rows there are, and how many of them fail."""
    failed = sum("**fails**" in row for row in rows)
    return f"{len(rows)} cases, {failed or 'none'} of which fail."


def only(names: list[str]) -> int:
    """Run some modules again and, with `--write`, put their rows in the place of their old ones; all else stays."""
    made = {name: [case.row() for case in ROWS[name]()] for name in names}
    new = [row for rows in made.values() for row in rows]
    print("\n".join(new))
    if "--write" in sys.argv:
        page = CASES.read_text(encoding="utf-8")
        table, rest = page.split(HEAD_END, 1)[1].split("\n\n", 1)
        old = table.splitlines()
        for name, rows in made.items():
            titles = {row.split(" | ")[0] for row in rows}
            places = [n for n, row in enumerate(old) if row.split(" | ")[0] in titles]
            at = places[0] if places else len(old)
            old = [row for row in old if row.split(" | ")[0] not in titles]
            old[at:at] = rows
            print(f"{name}: {len(rows)} rows")
        body = CASES_HEAD + "\n".join(old) + "\n\n" + told(old)
        CASES.write_text(body + rest.partition("fail.")[2], encoding="utf-8", newline="\n")
    return int(any("**fails**" in row for row in new))


def again(held: Any, is_written: bool) -> None:
    """Run a test on people or dummies again and put its verdicts, section and picture in the place of the old ones, or behind those before it."""
    made = [one.row() for one in held.verdicts()]
    section = held.section().rstrip()
    print("\n".join(made))
    if not is_written:
        print(section)
        return
    title = section.partition("\n")[0]
    head, *sections = PAGE.read_text(encoding="utf-8").rstrip().split("\n\n## ")
    rows = head.splitlines()
    order = [one.TITLE for one in HELD]
    before = order[: order.index(held.TITLE)]
    own = made[0].split("](")[0]
    left = [row for row in rows if not row.startswith(own + "](")]
    place = max(n for n, row in enumerate(left) if any(row.startswith(f"| [{one}](") for one in before)) + 1  # fmt: skip
    left[place:place] = made
    titles = [f"## {one.partition(chr(10))[0]}" for one in sections]
    texts = [f"## {one}" for one in sections]
    if title in titles:
        texts[titles.index(title)] = section
    else:
        texts.insert(max(titles.index(f"## {one}") for one in before if f"## {one}" in titles) + 1, section)  # fmt: skip
    PAGE.write_text("\n\n".join(["\n".join(left), *texts]) + "\n", encoding="utf-8", newline="\n")
    held.picture(DOCS / held.PICTURE)


HEAD_END = CASES_HEAD[-len("|---|---|---|---|---|---|---|\n") :]


if __name__ == "__main__":
    raise SystemExit(main())
