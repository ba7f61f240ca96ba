"""Keep pages of plots that people have made, from one start to the next."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.home import home
from app.plots.curves import CLASSES, Wanted


@dataclass(frozen=True, slots=True)
class PlotSpec:
    """Say what one plot shows: curves, and what lies across; None for time."""

    curves: tuple[Wanted, ...]
    across: Wanted | None = None


Page = tuple[PlotSpec, ...]


class Templates:
    """Read and write one small file; what is damaged in it counts as not kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or home()) / "plot_pages.json"

    def all(self) -> dict[str, Page]:
        """Give the pages by title."""
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
        part = self._file.with_suffix(".part")
        part.write_text(json.dumps(data, indent=1, ensure_ascii=False), encoding="utf-8")
        part.replace(self._file)


def _plain(spec: PlotSpec) -> dict[str, Any]:
    out: dict[str, Any] = {"curves": [[w.name, w.cfc] for w in spec.curves]}
    if spec.across is not None:
        out["across"] = [spec.across.name, spec.across.cfc]
    return out


def _page(value: Any) -> Page:
    specs = value if isinstance(value, list) else []
    return tuple(spec for one in specs if (spec := _spec(one)) is not None)


def _spec(value: Any) -> PlotSpec | None:
    if not isinstance(value, dict) or not isinstance(value.get("curves"), list):
        return None
    curves = tuple(w for one in value["curves"] if (w := _wanted(one)) is not None)
    return PlotSpec(curves, _wanted(value.get("across"))) if curves else None


def _wanted(value: Any) -> Wanted | None:
    match value:
        case [str(name), cfc] if cfc is None or cfc in CLASSES:
            return Wanted(name, cfc)
    return None
