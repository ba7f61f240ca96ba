"""What is said of a file while it is read or written."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from solver.base.words import Sentence
from solver.exchange.trees.xml import Element


@dataclass
class Told:
    """Hold what became of a file's parts: sentences about what was changed or left out."""

    lines: list[Sentence] = field(default_factory=list)
    unread: dict[str, dict[str, int]] = field(default_factory=dict)
    """By tag: what of it nothing has read, and the line on which that stands first."""

    def say(self, template: str, **values: Any) -> None:
        """Note a sentence once."""
        told = Sentence(template, **values)
        if told not in self.lines:
            self.lines.append(told)

    def rest(self, one: Element, idle: Collection[str], as_tag: str = "") -> None:
        """Note the attributes of an element that nothing has read and that do something."""
        for name in one.given.unread():
            if name not in idle:
                self.unread.setdefault(as_tag or one.tag, {}).setdefault(name, one.line)

    def rest_within(self, one: Element, idle: Collection[str]) -> None:
        """Note the children of an element that nothing has asked for and that do something."""
        for child in one.children:
            if not child.seen and child.tag not in idle:
                self.unread.setdefault(one.tag, {}).setdefault(f"<{child.tag}>", child.line)

    def close(self) -> tuple[Sentence, ...]:
        """Give all sentences, last those about what nothing has read."""
        for tag, names in self.unread.items():
            self.say(
                "<{tag}>: not read: {names} (first on line {line}).",
                tag=tag, names=", ".join(names), line=min(names.values()),
            )  # fmt: skip
        return tuple(self.lines)
