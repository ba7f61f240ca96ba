"""Libraries that not every installation has: which extra brings each, and what is said where one is missing."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from solver.base.words import Refusal, Sentence

LIBRARIES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "app": ("PySide6", "pyqtgraph"),
    "pictures": ("vtkmodules", "imageio_ffmpeg"),
    "studies": ("SALib", "pymoo", "bayes_opt", "threadpoolctl"),
    "cluster": ("distributed",),
    "frames": ("pandas",),
    "xarray": ("xarray",),
    "parquet": ("pyarrow",),
    "c3d": ("c3d",),
    "fmi": ("fmpy", "pythonfmu3"),
    "gym": ("gymnasium",),
    "mujoco": ("mujoco",),
})  # fmt: skip
"""Extras of `pyproject.toml`, each with what it brings by the names under which that is imported."""


class MissingLibrary(Refusal, ImportError):
    """Say in a sentence which library is not installed, and what brings it."""


@contextmanager
def needed(extra: str, refusal: Callable[[Sentence], Exception] = MissingLibrary) -> Iterator[None]:
    """Import what an extra brings; raises `refusal` with the line to type where it is not installed."""
    try:
        yield
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        if name not in LIBRARIES[extra]:
            raise
        raise refusal(_sentence(extra, name)) from None


def require(extra: str, refusal: Callable[[Sentence], Exception] = MissingLibrary) -> None:
    """Raise `refusal` now where something that an extra brings is wanted later, and is not installed."""
    sentence = missing(extra)
    if sentence is not None:
        raise refusal(sentence)


def missing(extra: str) -> Sentence | None:
    """Say what of an extra is not installed; None where all of it is. Nothing is loaded."""
    for name in LIBRARIES[extra]:
        if importlib.util.find_spec(name) is None:
            return _sentence(extra, name)
    return None


def _sentence(extra: str, library: str) -> Sentence:
    return Sentence(
        "This needs the library {library}, which is not installed. Type: pip install 'manikin[{extra}]'",
        library=library, extra=extra,
    )  # fmt: skip
