"""Pictures of half their size in each way: what is in them is looked at by tests that choose their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from solver.report import explaining, make


@pytest.fixture(scope="package", autouse=True)
def small_pictures() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (make, explaining):
            patch.setattr(module, "PICTURE_HEIGHT", module.PICTURE_HEIGHT // 2)
        yield
