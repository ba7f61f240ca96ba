"""A case of the book: a quantity, its reference, what was achieved, what is allowed; and what came of a test on people or dummies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One line of the book; `reference` of zero asks for an error below the tolerance."""

    title: str
    source: str
    quantity: str
    reference: float
    achieved: float
    tolerance: float
    unit: str = ""

    @property
    def passed(self) -> bool:
        """Whether the achieved figure is within the tolerance."""
        return abs(self.achieved - self.reference) <= self.tolerance

    def row(self) -> str:
        """The line."""
        unit = f" {self.unit}" if self.unit else ""
        reference = f"{self.reference:.9g}{unit}" if self.reference else "0"
        achieved = f"{self.achieved:.9g}{unit}" if self.reference else f"{self.achieved:.1e}{unit}"
        verdict = "holds" if self.passed else "**fails**"
        return (
            f"| {self.title} | {self.source} | {self.quantity} | {reference} | {achieved} "
            f"| {self.tolerance:.1e}{unit} | {verdict} |"
        )


@dataclass(frozen=True)
class Verdict:
    """What came of one figure of a test on people or dummies: a line of the book's first table."""

    test: str
    """The heading under which the page has it."""
    numbers: str
    """What was known of the test when the numbers of body and restraints were chosen."""
    found: str
    asked: str
    holds: bool
    reason: str = ""

    def row(self) -> str:
        """The line."""
        anchor = "".join(c for c in self.test.lower().replace(" ", "-") if c.isalnum() or c == "-")
        verdict = "holds" if self.holds else "**fails**"
        return f"| [{self.test}](#{anchor}) | {self.numbers} | {self.found} | {self.asked} | {verdict} | {self.reason} |"
