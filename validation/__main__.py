"""Run all cases and print the book, or write it with `--write`."""

from __future__ import annotations

import sys
from pathlib import Path

from validation import (
    gold_standard,
    mechanisms,
    near_side,
    neck_rear,
    passenger,
    people,
    rear_seat,
    restraints,
    rotation,
    saloon,
    side,
    slow,
    small_motions,
    tissues,
    volunteers,
)

PAGE = Path(__file__).parent.parent / "docs" / "validation.md"

HEAD = """# Validation book

This page is produced by a command (`make validation`), which runs every case through the engine as a
user runs it. A case holds when what was achieved lies within the tolerance of the reference.

Beyond these cases the tests check identities on random models: forward dynamics against d'Alembert's
principle, Pinocchio and MuJoCo; joint loads by cutting every joint; constraints, springs and joint
torques by the rates of their energies; the same bits every time.

| case | source | quantity | reference | achieved | tolerance | verdict |
|---|---|---|---|---|---|---|
"""


def main() -> int:
    """Run the cases; give 1 if any of them fails."""
    cases = [
        *rotation.cases(),
        *mechanisms.cases(),
        *small_motions.cases(),
        *tissues.cases(),
        *restraints.cases(),
    ]
    failed = sum(not case.passed for case in cases)
    rows = "\n".join(case.row() for case in cases)
    verdict = f"\n\n{len(cases)} cases, {failed or 'none'} of which fail.\n"
    parts = (
        restraints.convergence(),
        volunteers.section(),
        neck_rear.section(),
        people.section(),
        saloon.section(),
        passenger.section(),
        gold_standard.section(),
        slow.section(),
        side.section(),
        near_side.section(),
        rear_seat.section(),
    )
    page = HEAD + rows + verdict + "\n" + "\n".join(parts)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page, encoding="utf-8", newline="\n")
        drawn = (volunteers, neck_rear, people, saloon, passenger, gold_standard, slow, side, near_side, rear_seat)  # fmt: skip
        for one in drawn:
            one.picture(PAGE.parent / one.PICTURE)
        print(f"wrote {PAGE.relative_to(PAGE.parent.parent)}")
    else:
        print(page)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
