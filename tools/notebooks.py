"""Run the notebooks of the docs: `make notebooks`, long, or short as the tests do; `ONLY=study` runs one.

A cell tagged `parameters` says how much is done. The notebook's own metadata, `short`, holds smaller values with which
what it claims still holds. With `--pictures FOLDER` the figures are written as well.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def read(file: Path) -> Any:
    """Read a notebook."""
    return nbformat.read(file, as_version=4)


def in_short(book: Any) -> Any:
    """Give a notebook smaller parameters, in a cell behind those it has."""
    short = book.metadata.get("short", {})
    for number, cell in enumerate(book.cells):
        if "parameters" in cell.metadata.get("tags", []):
            lines = "\n".join(f"{name} = {value!r}" for name, value in short.items())
            book.cells.insert(number + 1, nbformat.v4.new_code_cell(lines))
            book.metadata["ran"] = json.dumps(short)
            break
    return book


def execute(file: Path, short: bool, pictures: Path | None) -> float:
    """Run a notebook; gives the seconds it took, and raises what a cell raises."""
    from nbclient import NotebookClient

    book = in_short(read(file)) if short else read(file)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        NotebookClient(book, timeout=600, resources={"metadata": {"path": folder}}).execute()
    taken = time.monotonic() - begun
    shown = [output for cell in book.cells for output in cell.get("outputs", [])]
    for text in (one["text"] for one in shown if one.get("name") == "stdout"):
        print(text, end="")
    drawn = [one["data"]["image/png"] for one in shown if "image/png" in one.get("data", {})]
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        for number, picture in enumerate(drawn, start=1):
            (pictures / f"{file.stem}_{number}.png").write_bytes(base64.b64decode(picture))
    return taken


def main() -> int:
    """Run those that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="names of notebooks; all if none are given")
    parser.add_argument("--short", action="store_true", help="as the tests do")
    parser.add_argument("--pictures", type=Path, help="folder for the figures")
    chosen = parser.parse_args()
    os.environ["PYTHONPATH"] = str(ROOT)
    files = [file for file in NOTEBOOKS if not chosen.names or file.stem in chosen.names]
    if not files:
        print(f"There are {', '.join(file.stem for file in NOTEBOOKS)}.", file=sys.stderr)
        return 2
    for file in files:
        print(f"== {file.stem}")
        print(f"== {file.stem}: {execute(file, chosen.short, chosen.pictures):.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
