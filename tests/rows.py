"""Rows of data looked at in one test, which tells all that is wrong with any of them."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

_SAID = 2000
"""Characters that are told of one fault."""


def rows(
    names: str | Sequence[str],
    cases: Iterable[Any],
    ids: Callable[[Any], str] | Sequence[str] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let one test look at all cases, as `pytest.mark.parametrize` lets one look at each.

    What a case finds wrong is kept and told at the end with that of all others, each under its name. Fixtures are those of
    the whole test: rows share them, and leave them as they were. A row may be skipped; where all are, so is the test.
    """
    called = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
    listed = list(cases)
    assert listed, "no row, no test"

    def made(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def each(**fixtures: Any) -> None:
            faults, passed_over = [], []
            first: BaseException | None = None
            for number, case in enumerate(listed):
                values = (case,) if len(called) == 1 else tuple(case)
                row = dict(zip(called, values, strict=True))
                try:
                    test(**row, **fixtures)
                except pytest.skip.Exception as why:
                    passed_over.append(str(why))
                except (Exception, pytest.fail.Exception) as fault:  # noqa: BLE001 (whatever it is, it is told)
                    first = first or fault
                    faults.append(f"{_name(ids, number, case)}: {_told(fault)}")
            if faults:
                head = f"{len(faults)} of {len(listed)} rows:"
                raise AssertionError("\n".join([head, *faults])) from first
            if len(passed_over) == len(listed):
                pytest.skip(passed_over[0])

        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in called]
        assert len(left) + len(called) == len(signature.parameters), (
            "each name is one of the test's"
        )
        each.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        del each.__wrapped__
        return each

    return made


def _name(ids: Callable[[Any], str] | Sequence[str] | None, number: int, case: Any) -> str:
    if ids is None:
        return str(case)[:120]
    return ids(case) if callable(ids) else ids[number]


def _told(fault: BaseException) -> str:
    at = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{type(fault).__name__} at {at.filename}:{at.lineno}: {fault}"[:_SAID]
