"""Say where the field of a form stands, so that the form can be turned to another element."""

from __future__ import annotations


class Place:
    """Hold a word of a path and the place above it; the first may hold several words."""

    __slots__ = ("_above", "word")

    def __init__(self, word: str, above: Place | None = None) -> None:
        self.word, self._above = word, above

    def below(self, word: str) -> Place:
        """Give the place of something inside."""
        return Place(word, self)

    @property
    def path(self) -> str:
        """Give the whole path, as it is now."""
        above = "" if self._above is None else self._above.path
        return f"{above}/{self.word}" if above else self.word
