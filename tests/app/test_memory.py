"""Memory that was freed is given back to the system."""

from __future__ import annotations

from typing import Any

import pytest

from app import memory


class Library:
    """Notes what the C library is asked for."""

    def __init__(self) -> None:
        self.asked = list[tuple[int, ...]]()

    def mallopt(self, name: int, value: int) -> int:
        self.asked.append((name, value))
        return 1

    def malloc_trim(self, pad: int) -> int:
        self.asked.append((pad,))
        return 1


def test_large_blocks_go_back_at_once_where_there_is_glibc(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    monkeypatch.setattr(memory, "_library", lambda: library)
    memory.hold_little()
    # malloc.h: M_MMAP_THRESHOLD is -3, M_TRIM_THRESHOLD -1, M_ARENA_MAX -8
    assert dict[Any, Any](library.asked) == {-3: 1 << 20, -1: 1 << 24, -8: 2}
    library.asked.clear()
    memory.give_back()
    assert library.asked == [(0,)]
    monkeypatch.setattr(memory, "_library", lambda: None)
    memory.hold_little()
    memory.give_back()
