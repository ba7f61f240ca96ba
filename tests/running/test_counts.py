"""What runs count stays below the table that `python -m benchmarks.counts --write` renews."""

from __future__ import annotations

import pickle

import numba
import numpy as np
import pytest

from benchmarks import counts, history

TABLE = counts.kept()


def test_the_table_is_of_what_is_counted() -> None:
    assert list(TABLE) == [name for name, _ in counts.runs()]


@pytest.mark.parametrize("name", TABLE)
def test_a_run_asks_for_no_more_than_it_did(name: str) -> None:
    found = counts.counted(dict(counts.runs())[name])
    kept = TABLE[name]
    assert (
        list(found) == list(kept) == ["steps", "evaluations", "rejected", "events", "allocations"]
    )
    above = {
        what: f"{count}, {kept[what]} in the table"
        for what, count in found.items()
        if count > counts.most(kept[what])
    }
    assert not above
    assert kept["allocations"] == 0


def test_an_allocation_is_seen_in_machine_code() -> None:
    def without(x: float) -> float:
        return 2.0 * x

    def with_one(n: int) -> float:
        return np.ones(n).sum()

    for function, given, is_seen in ((without, 1.0, False), (with_one, 3, True)):
        made = numba.njit(function)
        made(given)
        (one,) = made.overloads.values()
        code = pickle.dumps(one.library.serialize_using_object_code())
        assert bool(counts._ALLOCATES.search(code)) is is_seen


def test_the_page_keeps_the_last_ten_measurements() -> None:
    page = "# Performance\n"
    for k in range(history.ROWS + 2):
        for name in history.COLUMNS:
            history.note(name, f"{name} {k}")
        page = f"# Performance\n\n{history.section(page)}\n## Another\n\n| a | b |\n|---|---|\n"
    rows = [line for line in page.splitlines() if line.startswith("| 2")]
    assert len(rows) == history.ROWS
    for k, row in enumerate(rows, start=2):
        assert all(f" {name} {k} |" in row for name in history.COLUMNS)
    history._noted.clear()
