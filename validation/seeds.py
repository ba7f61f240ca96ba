"""What the seed documents describe, and where it is: run the evidence of every row, and write the page `docs/seeds.md`.

`python -m validation.seeds` runs it, `--write` writes the page, `--rows N27 V6` looks at some rows alone. The rows stand in one table,
`validation/data/seeds.txt`. Evidence is a row of the validation book, whose achieved figure is shown, or tests that hold the row.
"""

from __future__ import annotations

import fnmatch
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from validation.case import Case

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "seeds.md"
TABLE = HERE / "data" / "seeds.txt"

VERDICTS = ("works", "partly", "not")
COUNTS = {"C": 31, "U": 19, "V": 54, "K": 22, "N": 66}
"""Rows of each seed, by the letter with which their names begin."""

HEAD = """# What the seeds describe, and where it is

Five documents stand at the root of this program: the first volume of the Calspan CVS-IV (000), the proceedings of the NATO institute at Tróia, 1993 (001), the
head and neck of the University of Cincinnati (002), VARISEG (003), and the point-contact joint of Queen's (004). This page lists what
they describe, row by row, where it is in the program, the printed figure where one survives, and ours.

It is produced by a command (`python -m validation.seeds --write`), which runs the evidence of each row: cases of the [validation book](validation-cases.md), and tests
of the engine. *works* stands where all of it holds; what is there only in part, or not at all, says so. Many figures and tables of these documents
are lost in print; there closed forms and independent integrations take their place.
"""


@dataclass
class Row:
    """One row: its name, where it stands in its seed, what it is, its page, evidence, printed figure, verdict and remark."""

    name: str
    where: str
    what: str
    page: str
    evidence: tuple[str, ...]
    printed: str
    verdict: str
    remark: str
    ours: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether all of its evidence holds."""
        return not self.faults

    def line(self) -> str:
        """The row of the page."""
        page, _, anchor = self.page.partition("#")
        told = f"[{anchor.replace('-', ' ') or page.removesuffix('.md')}]({self.page})"
        verdict = self.verdict if self.is_sound else "**fails**"
        remark = " ".join((self.remark, *self.faults)).strip()
        ours = "; ".join(self.ours) or "–"
        cells = (self.name, self.where, self.what, told, self.printed or "–", ours, verdict, remark)
        return "| " + " | ".join(cells) + " |"


def rows() -> list[tuple[str, list[Row]]]:
    """All rows under their headings, as the table has them."""
    out: list[tuple[str, list[Row]]] = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            out.append((line[3:], []))
        elif line and not line.startswith("#"):
            name, where, what, page, evidence, printed, verdict, remark = (
                one.strip() for one in line.split("|")
            )
            parts = tuple(one.strip() for one in evidence.split(" ; ") if one.strip())
            out[-1][1].append(Row(name, where, what, page, parts, printed, verdict, remark))
    return out


def look(all_rows: Sequence[Row]) -> None:
    """Run the evidence of rows, and write into each what was found."""
    evidence = [one for row in all_rows for one in row.evidence]
    tests = sorted({one.removeprefix("test: ") for one in evidence if one.startswith("test: ")})
    failed = failed_tests(tests) if tests else {}
    cases = book() if any(one.startswith("book: ") for one in evidence) else []
    for row in all_rows:
        for one in row.evidence:
            kind, _, what = one.partition(": ")
            if kind == "test":
                _tested(row, what, failed)
            else:
                _booked(row, what, cases)


def _tested(row: Row, what: str, failed: dict[str, str]) -> None:
    name = what.partition("::")[2].replace("_", " ").removeprefix("test ")
    shown = f"`{Path(what.partition('::')[0]).stem}`" + (f": {name}" if name else "")
    if what in failed:
        row.faults.append(f"Fails: {shown} ({failed[what]}).")
    else:
        row.ours.append(shown)


def _booked(row: Row, what: str, cases: Iterable[Case]) -> None:
    title, _, quantity = what.partition(" / ")
    found = [one for one in cases if one.title == title and fnmatch.fnmatch(one.quantity, quantity)]
    if not found:
        row.faults.append(f"The book has no row '{what}'.")
    for one in found if len(found) <= 4 else ():
        row.ours.append(f"{one.achieved:.7g} {one.unit}".strip())
    if len(found) > 4:
        row.ours.append(f"{len(found)} rows of the book")
    row.faults += [f"Fails: {one.title}, {one.quantity}." for one in found if not one.passed]


def book() -> list[Case]:
    """All rows of the validation book, run now."""
    from validation.__main__ import ROWS

    return [case for made in ROWS.values() for case in made()]


def failed_tests(tests: Sequence[str]) -> dict[str, str]:
    """Run tests by file or name; gives those that did not pass, with why."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "tests.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            f"--junitxml={told}",
        ]
        subprocess.run([*command, *tests], cwd=HERE.parent, check=False, capture_output=True)
        found = list(ElementTree.parse(told).iter("testcase")) if told.exists() else []
    out: dict[str, str] = {}
    for test in tests:
        file, _, name = test.partition("::")
        module = file.removesuffix(".py").replace("/", ".")
        mine = [
            one
            for one in found
            if (one.get("classname") or "").startswith(module)
            and (not name or (one.get("name") or "").partition("[")[0] == name)
        ]
        wrong = [
            one for one in mine if one.find("failure") is not None or one.find("error") is not None
        ]
        if not mine:
            out[test] = "it did not run"
        elif wrong:
            out[test] = f"{len(wrong)} of {len(mine)}"
    return out


def page(parts: Sequence[tuple[str, list[Row]]]) -> str:
    """The text of the page."""
    counts = {one: sum(row.verdict == one for _, each in parts for row in each) for one in VERDICTS}
    whole = sum(counts.values())
    out = [HEAD, f"Of {whole} rows {counts['works']} work, {counts['partly']} in part, {counts['not']} not.\n"]  # fmt: skip
    for title, each in parts:
        out += [f"\n## {title}\n", "| row | where | what | in the program | printed | ours | verdict | |", "|---|---|---|---|---|---|---|---|"]  # fmt: skip
        out += [row.line() for row in each]
    return "\n".join(out) + "\n"


def main(words: Sequence[str]) -> int:
    """Run the rows; give 1 if evidence of any fails."""
    parts = rows()
    if "--rows" in words:
        names = [one for one in words[words.index("--rows") + 1 :] if not one.startswith("--")]
        parts = [(title, [row for row in each if row.name in names]) for title, each in parts]
    every = [row for _, each in parts for row in each]
    look(every)
    text = page(parts)
    if "--write" in words and "--rows" not in words:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    for row in every:
        for fault in row.faults:
            print(f"{row.name}: {fault}", file=sys.stderr)
    return int(any(not row.is_sound for row in every))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
