"""What a measured test holds, and its injury figures: channels."""

from __future__ import annotations

import argparse
import json

from solver.base.words import tr
from solver.cli.common import Commands, command


def add_channels(commands: Commands) -> None:
    """Add this command to the parser."""
    read = command(commands, "channels", tr("List a test's channels, or its injury figures."), _channels)  # fmt: skip
    read.add_argument("test", metavar="TEST", help=tr("test: ISO-MME (folder, .zip, .mme, .001), NHTSA (.ev5, .uds), .c3d, table (.csv), .mot, .sto, or what ATB printed"))  # fmt: skip
    read.add_argument("--find", metavar="WORDS", default="", help=tr("list what has all of these words in its name or code"))  # fmt: skip
    read.add_argument("--figures", action="store_true", help=tr("work out every injury figure whose channels are there (SAE J211 signs)"))  # fmt: skip
    read.add_argument("--json", action="store_true", help=tr("print the numbers as JSON"))


def _channels(arguments: argparse.Namespace) -> int:
    from solver.exchange.measured.figures import figures_of, listed
    from solver.exchange.measured.reading import read_test

    made = read_test(arguments.test)
    words = arguments.find.lower().split()
    chosen = [one for one in made.channels if all(word in f"{one.name} {one.code}".lower() for word in words)]  # fmt: skip
    figures, missing = figures_of(chosen) if arguments.figures else ((), ())
    if arguments.json:
        print(json.dumps({
            "kind": made.kind, "about": dict(made.about), "notes": [str(one) for one in made.notes],
            "channels": [{"name": c.name, "code": c.code, "unit": c.unit, "class": c.filtered_to, "samples": len(c.time), "first_s": float(c.time[0]),
                          "last_s": float(c.time[-1]), "least": float(c.value.min()), "most": float(c.value.max())} for c in chosen],
            "figures": [{"who": f.who, "part": f.part, "criterion": f.criterion, "value": f.value, "unit": f.unit, "t1_s": f.t1, "t2_s": f.t2} for f in figures],
        }, indent=2))  # fmt: skip
        return 0
    for name, value in made.about:
        print(f"{name}: {' '.join(value.split())[:200]}")
    if arguments.figures:
        rows = [*listed(figures)]
        wide = [max((len(row[k]) for row in rows), default=0) for k in range(3)]
        for row in rows:
            print("  ".join(f"{word:<{wide[k]}}" if k < 3 else word for k, word in enumerate(row)).rstrip())  # fmt: skip
        for one in missing:
            print(one)
    else:
        for c in chosen:
            class_ = f"CFC {c.filtered_to}" if c.filtered_to else ""
            rate = (len(c.time) - 1) / (c.time[-1] - c.time[0])
            print("  ".join(filter(None, (
                c.name, c.code, class_, f"{len(c.time)} × {rate:.6g} Hz, {1e3 * c.time[0]:g}…{1e3 * c.time[-1]:g} ms", f"{c.value.min():.4g}…{c.value.max():.4g} {c.unit}",
            ))))  # fmt: skip
    for one in made.notes:
        print(one)
    return 0
