"""Faults drawn by a seed: each place of the program is as likely as any other, whatever it says.

A place has a number made from the seed and from what stands there; the least numbers are drawn. So a draw stays
the same where the program does, and changes only with what is drawn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.changes import Change, Spot, spots
from tools.mutants.listed import ROOT, Fault

SCOPES = ("app", "solver")


@dataclass(frozen=True)
class Drawn:
    """One fault that was drawn."""

    name: str
    """Number of the draw by what is changed and into what."""
    file: str
    spot: Spot
    change: Change

    @property
    def new(self) -> str:
        """What stands there instead."""
        return self.change.new

    def fault(self, tests: tuple[str, ...], root: Path = ROOT) -> Fault:
        """Give it as one of the list: with as many lines around it as make its text the only such one."""
        source = (root / self.file).read_bytes()
        start, end = self.change.start, self.change.end
        while source.count(source[start:end]) != 1:
            start = source.rfind(b"\n", 0, max(start - 1, 0)) + 1
            end = source.find(b"\n", end + 1) if b"\n" in source[end + 1 :] else len(source)
        new = source[start : self.change.start] + self.new.encode() + source[self.change.end : end]
        return Fault(
            self.name,
            self.file,
            source[start:end].decode(),
            new.decode(),
            tests,
            f"{self.change.kind}.",
        )


def draw(scope: str, count: int, seed: int, root: Path = ROOT, *, kernels: bool) -> list[Drawn]:
    """Draw faults in a part of the program."""
    found = sorted(_numbered(scope, seed, root), key=lambda one: one[0])
    drawn = (_made(number, file, spot) for number, file, spot in found)
    chosen = (one for one in drawn if kernels or not one.fault((), root).is_kernel)
    return [one for one, _ in zip(chosen, range(count), strict=False)]


def _numbered(scope: str, seed: int, root: Path) -> Iterator[tuple[str, str, Spot]]:
    for file in sorted((root / scope).rglob("*.py")):
        name = file.relative_to(root).as_posix()
        for spot in spots(file.read_bytes()):
            yield _digest(f"{seed}", name, spot.function, spot.text, f"{spot.number}"), name, spot


def _made(number: str, file: str, spot: Spot) -> Drawn:
    change = spot.changes[int(number, 16) % len(spot.changes)]
    return Drawn(
        _digest(file, spot.function, spot.text, f"{spot.number}", change.new)[:8],
        file,
        spot,
        change,
    )


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
