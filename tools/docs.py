"""Produce the pages and the types that follow from the code; `--check` only says whether they are up to date."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from solver.bodies.library.describe import library_markdown
from solver.project.checks import checks_markdown
from solver.project.schema import project_file_markdown
from tools import schema
from tools.body_differences import body_differences_markdown
from tools.manual import commands_markdown, decks_markdown, variseg_markdown
from tools.mutants.score import mutants_markdown
from tools.public import manikin_markdown
from tools.results_page import results_file_markdown

ROOT = Path(__file__).resolve().parent.parent

PAGES: dict[str, Callable[[], str]] = {
    "docs/project-file.md": project_file_markdown,
    "docs/results-file.md": results_file_markdown,
    "docs/checks.md": checks_markdown,
    "docs/commands.md": commands_markdown,
    "docs/body-differences.md": body_differences_markdown,
    "docs/decks.md": decks_markdown,
    "docs/variseg.md": variseg_markdown,
    "docs/library.md": library_markdown,
    "docs/manikin.md": manikin_markdown,
    "docs/mutants.md": mutants_markdown,
    **schema.pages(),
}


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` list those that are out of date."""
    stale = []
    for name, produce in PAGES.items():
        page, text = ROOT / name, produce()
        if page.is_file() and page.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in arguments:
            page.write_text(text, encoding="utf-8", newline="\n")
            print(f"wrote {name}")
    if "--check" in arguments and stale:
        print(f"Out of date: {', '.join(stale)}. Run 'python -m tools.docs'.")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
