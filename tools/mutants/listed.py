"""The list of single faults: data, one file for each part of the program."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from solver.engine.jit.compiled import ROOMS

ROOT = Path(__file__).resolve().parent.parent.parent
LISTS = Path(__file__).parent / "faults"


class Misfit(Exception):
    """A fault that does not fit the tree: the list is to be mended."""


@dataclass(frozen=True)
class Fault:
    """One change of one place, and the tests that stand nearest to it."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    breaks: str

    @property
    def is_kernel(self) -> bool:
        """Whether compiled code changes."""
        parts = Path(self.file).parts
        return parts[:2] == ("solver", "engine") and parts[2] in ROOMS

    def put_in(self, text: str) -> str:
        """The file's text with the fault in it."""
        count = text.count(self.old)
        if count != 1:
            raise Misfit(f"{self.name}: its text occurs {count} times in {self.file}, not once")
        return text.replace(self.old, self.new)


def read_faults() -> tuple[Fault, ...]:
    """Read all lists, in the order of their names."""
    faults: list[Fault] = []
    for file in sorted(LISTS.glob("*.toml")):
        for row in tomllib.loads(file.read_text(encoding="utf-8"))["fault"]:
            faults.append(Fault(**row | {"tests": tuple(row["tests"])}))
    return tuple(faults)
