"""What became of drawn faults, and the part of the page that tells it."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from tools.mutants.drawing import SCOPES, Drawn

FILE = Path(__file__).parent / "drawn.json"
EQUIVALENT = Path(__file__).parent / "equivalent.toml"
"""Drawn faults that change nothing, and why: by hand."""

ASKED = {"app": 80, "solver": 90}
"""Share of drawn faults that the nearest tests have to find (%)."""

INTRO = """
## Drawn faults

The faults above were thought of by anyone who mended something. These are drawn: `python -m tools.mutants --drawn 40 --seed 46 --in app`
(`make mutants DRAWN=40 SEED=46 IN=app`) finds all places of `app` where one thing can be changed (`tools/mutants/changes.py`:
comparisons, `and` and `or`, branches, signs, sums and products, constants, calls and assignments that are left out, values
given back, swapped arguments, another attribute of the same class) and draws 40, each place as likely as any other. Texts,
annotations, messages, logs, sizes in pixels, and what only an eye sees are no places; `KERNELS=no` leaves kernels out, as it was for the draw below.

For each of them two dozen tests are tried until one fails, first those whose text has most in common with that of the changed
function, those that solve something later. They stand in the five nearest files, and in those few that know the function by its name:
`tests/window` and `tests/app` for `app`, all others for `solver`, and what beside the window imports its module (`tools/mutants/nearest.py`).
A process has the program loaded; for each fault a child of it exchanges the changed function, which takes seconds (`tools/mutants/swapped.py`);
what is made as modules are loaded is tried in a Python of its own. Each outcome is written down at once, so the command goes on
where it was stopped, and tests that have found something are run without any fault at the end. What was killed stays so; `--unsure`
tries the others again, `--only NAME --by TEST` with tests of one's choice, as most below were. *Changes nothing*: why is said; these do not count.

Tests that were there when this was first drawn found 33 of 39 in `app` (85 %) and at least 41 of 58 in `solver` (71 %); each of the others has a test since.
"""


@dataclass(frozen=True)
class Row:
    """One drawn fault and what became of it."""

    file: str
    function: str
    line: int
    kind: str
    old: str
    new: str
    killed: bool
    by: str
    """First test that failed."""
    tests: int
    """How many were tried."""
    seconds: float


@dataclass
class Draws:
    """All that is known."""

    rows: dict[str, Row] = field(default_factory=dict)
    draws: dict[str, dict[str, object]] = field(default_factory=dict)
    """Of each part: its seed, and the names of what was drawn."""
    sound: set[str] = field(default_factory=set)
    """Tests that have found a fault and pass without any."""

    def keep(self, scope: str, seed: int, drawn: list[Drawn]) -> None:
        """Note what was drawn."""
        self.draws[scope] = {"seed": seed, "names": [one.name for one in drawn]}

    def names(self, scope: str) -> list[str]:
        """Give the names of what was drawn of a part."""
        found = self.draws.get(scope, {}).get("names", [])
        assert isinstance(found, list)
        return found

    def forget(self, is_void: Callable[[Row], bool]) -> None:
        """Let faults be tried again."""
        self.rows = {name: row for name, row in self.rows.items() if not is_void(row)}

    def share(self, scope: str) -> float:
        """The share of faults that were found among those that change something (%)."""
        same = equivalent()
        tried = [self.rows[n] for n in self.names(scope) if n in self.rows and n not in same]
        return 100.0 * sum(one.killed for one in tried) / len(tried) if tried else 0.0


def read_draws() -> Draws:
    """Read what is known of earlier runs."""
    if not FILE.is_file():
        return Draws()
    known = json.loads(FILE.read_text(encoding="utf-8"))
    rows = {name: Row(**row) for name, row in known["rows"].items()}
    return Draws(rows, known["draws"], set(known.get("sound", ())))


def write_draws(known: Draws) -> None:
    """Write it down: of faults, those that are drawn now."""
    kept = {name for scope in SCOPES for name in known.names(scope)}
    rows = {n: asdict(known.rows[n]) for n in sorted(known.rows) if n in kept}
    sound = sorted(known.sound & {row["by"] for row in rows.values()})
    data = {"draws": known.draws, "rows": rows, "sound": sound}
    text = json.dumps(data, indent=1, ensure_ascii=False)
    made = FILE.with_suffix(f".{os.getpid()}")
    made.write_text(text + "\n", encoding="utf-8", newline="\n")
    made.replace(FILE)


def equivalent() -> dict[str, str]:
    """The drawn faults that change nothing, and why."""
    if not EQUIVALENT.is_file():
        return {}
    faults: dict[str, str] = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["faults"]
    return faults


def drawn_markdown() -> str:
    """Tell what was drawn and what became of it."""
    known, same = read_draws(), equivalent()
    lines = [
        INTRO,
        "| part | seed | drawn | killed | survived | change nothing | not run | killed (%) | asked (%) |",
    ]
    lines.append("|---|---|---|---|---|---|---|---|---|")
    parts = [scope for scope in SCOPES if known.names(scope)]
    for scope in parts:
        names = known.names(scope)
        run = [known.rows[n] for n in names if n in known.rows and n not in same]
        killed, idle = sum(one.killed for one in run), sum(n in same for n in names)
        lines.append(
            f"| {scope} | {known.draws[scope]['seed']} | {len(names)} | {killed} | {len(run) - killed} | {idle} "
            f"| {len(names) - len(run) - idle} | {known.share(scope):.0f} | {ASKED[scope]} |"
        )
    for scope in parts:
        lines += [
            f"\n### Drawn in {scope}\n",
            "| fault | place | what is changed | outcome | s |",
            "|---|---|---|---|---|",
        ]
        lines += map(partial(_told, known, same), known.names(scope))
    return "\n".join(lines) + "\n"


def _told(known: Draws, same: dict[str, str], name: str) -> str:
    row = known.rows.get(name)
    if row is None:
        return f"| {name} | | | not run | |"
    where = f"`{row.function or 'top'}` in {row.file.partition('/')[2]}"
    word = (
        f"killed by {row.by}"
        if row.killed
        else f"changes nothing: {same[name]}"
        if name in same
        else f"**survived** {row.by}"
    )
    return f"| {name} | {where} | {row.kind}: {_code(row.old)} → {_code(row.new)} | {word} | {row.seconds:.0f} |"


def _test(name: str) -> str:
    """Show a test: its file, and its name without a case."""
    file, _, rest = name.partition("::")
    return f"{Path(file).stem} `{rest.partition('[')[0]}`" if rest else name


def _code(text: str) -> str:
    """Show a piece of code in a cell of a table."""
    line = " ".join(text.split()).replace("|", "\\|")
    return f"`{line if len(line) <= 60 else line[:57] + '…'}`"
