"""What opening a results file says against it."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.results import ResultsError, open_results


def refused(path: Path) -> str:
    with pytest.raises(ResultsError) as failure:
        open_results(path)
    sentence = str(failure.value)
    assert len(sentence.splitlines()) == 1
    assert sentence.endswith(".")
    return sentence
