"""Keep pages of plots that people have made, from one start to the next."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from app.curves.curves import CLASSES, Corridor, Measured, Wanted
from app.curves.pages import Page, PlotSpec
from app.home import home
from solver.base.atomic import write_atomic
from solver.base.units import UnitError, unit

T = TypeVar("T", Measured, Corridor)


class Templates:
    """Read and write one small file; what is damaged in it counts as not kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or home()) / "plot_pages.json"

    def all(self) -> dict[str, Page]:
        """The pages by title."""
        try:
            data = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        pages = data.items() if isinstance(data, dict) else ()
        return {str(title): page for title, value in pages if (page := _page(value))}

    def keep(self, title: str, page: Sequence[PlotSpec]) -> None:
        """Keep a page under a title, in place of one of the same title; OSError where it cannot."""
        self._write({**self.all(), title: tuple(page)})

    def drop(self, title: str) -> None:
        """Forget a page; OSError where it cannot."""
        self._write({name: page for name, page in self.all().items() if name != title})

    def _write(self, pages: dict[str, Page]) -> None:
        data = {title: [_plain(spec) for spec in page] for title, page in pages.items()}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(self._file, json.dumps(data, indent=1, ensure_ascii=False))


def _plain(spec: PlotSpec) -> dict[str, Any]:
    out: dict[str, Any] = {"curves": [[w.name, w.cfc] for w in spec.curves]}
    if spec.across is not None:
        out["across"] = [spec.across.name, spec.across.cfc]
    if spec.tests:
        out["tests"] = [_columns(one, "time", "value") for one in spec.tests]
    if spec.corridors:
        out["corridors"] = [_columns(one, "time", "lower", "upper") for one in spec.corridors]
    return out


def _columns(one: Measured | Corridor, *names: str) -> dict[str, Any]:
    return {
        "name": one.name,
        "unit": one.unit,
        **{name: [float(x) for x in getattr(one, name)] for name in names},
    }


def _page(value: Any) -> Page:
    specs = value if isinstance(value, list) else []
    return tuple(spec for one in specs if (spec := _spec(one)) is not None)


def _spec(value: Any) -> PlotSpec | None:
    if not isinstance(value, dict) or not isinstance(value.get("curves"), list):
        return None
    curves = tuple(w for one in value["curves"] if (w := _wanted(one)) is not None)
    tests = tuple(_read(Measured, value.get("tests"), "time", "value"))
    corridors = tuple(_read(Corridor, value.get("corridors"), "time", "lower", "upper"))
    if not (curves or tests or corridors):
        return None
    return PlotSpec(curves, _wanted(value.get("across")), tests, corridors)


def _wanted(value: Any) -> Wanted | None:
    match value:
        case [str(name), cfc] if cfc is None or cfc in CLASSES:
            return Wanted(name, cfc)
    return None


def _read(model: Callable[..., T], value: Any, *names: str) -> Iterator[T]:
    """Read tests or corridors; one whose columns are not sound is left out."""
    for one in value if isinstance(value, list) else []:
        try:
            columns = [np.asarray(one[name], float) for name in names]
            unit(one["unit"])
        except (KeyError, TypeError, ValueError, UnitError):
            continue
        sound = columns[0].ndim == 1 and all(c.shape == columns[0].shape for c in columns)
        rising = sound and len(columns[0]) > 1 and bool(np.all(np.diff(columns[0]) > 0.0))
        if rising and all(np.isfinite(c).all() for c in columns):
            yield model(str(one["name"]), str(one["unit"]), *columns)
