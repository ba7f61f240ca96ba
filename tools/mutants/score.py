"""What became of each fault of the list when it was last put in, and the page that tells it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.drawn import drawn_markdown
from tools.mutants.listed import Fault, read_faults

FILE = Path(__file__).parent / "score.json"
ASKED = 85
"""Share of faults that tests have to find (%)."""

INTRO = """# Faults that tests find

How many faults put into the code on purpose (mutation testing) the tests find. The page is written by `make mutants`. It puts one fault at a time into a copy of the program, runs the tests that
stand nearest to it, and notes whether one of them fails (*killed*) or all pass (*survived*).
`make mutants ONLY='belt*'` takes the faults of these names, `make mutants KERNELS=no` leaves out those
in compiled code: of that only what calls the fault is compiled again. The faults are data in
`tools/mutants/faults`: name, file, old and new text, tests, and what the fault breaks. What is not run
keeps its outcome, or has none yet. Seconds are those of the machine with whatever else it did.
"""


@dataclass(frozen=True)
class Outcome:
    """Whether a test failed, and how long that took."""

    killed: bool
    seconds: float


def read_score() -> dict[str, Outcome]:
    """Read what is known of earlier runs."""
    if not FILE.is_file():
        return {}
    return {n: Outcome(*row) for n, row in json.loads(FILE.read_text(encoding="utf-8")).items()}


def write_score(score: dict[str, Outcome], faults: Iterable[Fault]) -> None:
    """Write the outcomes of the faults that are in the list."""
    rows = [
        f"  {json.dumps(f.name)}: {json.dumps([score[f.name].killed, score[f.name].seconds])}"
        for f in faults
        if f.name in score
    ]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8", newline="\n")


def mutants_markdown() -> str:
    """Tell the score, and each fault with its outcome."""
    faults, score = read_faults(), read_score()
    lines = [INTRO, "| part | faults | killed | survived | not run | killed (%) |"]
    lines.append("|---|---|---|---|---|---|")
    rooms = sorted({_room(f) for f in faults})
    for room in rooms:
        lines.append(_counted(room, [f for f in faults if _room(f) == room], score))
    lines.append(_counted("**all**", list(faults), score))
    lines.append(f"\nAsked for: {ASKED} % killed of those that were run.")
    for room in rooms:
        lines += [f"\n## {room}\n", "| fault | what it breaks | outcome | s |", "|---|---|---|---|"]
        lines += [_told(f, score.get(f.name)) for f in faults if _room(f) == room]
    return "\n".join(lines) + "\n" + drawn_markdown()


def share(faults: Iterable[Fault], score: dict[str, Outcome]) -> float:
    """The share of killed faults among those that were run (%)."""
    known = [score[f.name].killed for f in faults if f.name in score]
    return 100.0 * sum(known) / len(known) if known else 0.0


def _room(fault: Fault) -> str:
    return "/".join(Path(fault.file).parts[:2]).removesuffix(".py")


def _counted(name: str, faults: list[Fault], score: dict[str, Outcome]) -> str:
    known = [score[f.name].killed for f in faults if f.name in score]
    killed, run = sum(known), len(known)
    told = f"{share(faults, score):.0f}" if run else "–"
    return f"| {name} | {len(faults)} | {killed} | {run - killed} | {len(faults) - run} | {told} |"


def _told(fault: Fault, outcome: Outcome | None) -> str:
    where = f"`{fault.name}` in {Path(fault.file).name}"
    if outcome is None:
        return f"| {where} | {fault.breaks} | not run | |"
    word = "killed" if outcome.killed else "**survived**"
    return f"| {where} | {fault.breaks} | {word} | {outcome.seconds:.0f} |"
