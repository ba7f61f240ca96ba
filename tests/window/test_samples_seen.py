"""Open every sample, one after the other in the same window, and see each drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.base.places import samples
from tests.window.test_window import pixels

pytestmark = pytest.mark.window

SAMPLES = sorted(samples().rglob("*.json"))


@pytest.mark.parametrize("file", SAMPLES, ids=lambda f: f.stem)
def test_every_sample_opens_and_is_seen(lasting_window: Any, file: Path) -> None:
    window = lasting_window
    before = pixels(window.bench.viewport) if window.bench.has_project() else None
    window.open_file(file)
    assert window.bench.document.path == file
    picture = pixels(window.bench.viewport)
    assert picture.std(axis=(0, 1)).min() > 4.0
    assert colours_in(picture) > 500
    assert before is None or (picture != before).any(axis=-1).mean() > 0.01, "as before"


def colours_in(picture: np.ndarray[Any, Any]) -> int:
    """Count the different colours of a picture."""
    seen = np.zeros(1 << 24, bool)
    seen[picture @ (1 << 16, 1 << 8, 1)] = True
    return int(seen.sum())
