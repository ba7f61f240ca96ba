"""What is said of a file while it is read or written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from solver.words import Sentence


@dataclass
class Told:
    """Hold what became of a file's parts: sentences about what was changed or left out."""

    lines: list[Sentence] = field(default_factory=list)

    def say(self, template: str, **values: Any) -> None:
        """Note a sentence once."""
        told = Sentence(template, **values)
        if told not in self.lines:
            self.lines.append(told)
