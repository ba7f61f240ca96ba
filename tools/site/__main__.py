"""Build the site into build/site/html and check its links: `python -m tools.site [--quick]`.

What follows from the code is written first. `--quick` leaves movies out and does not run the notebooks. Warnings are errors.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import time
from pathlib import Path

from sphinx.cmd.build import main as sphinx

from tools import docs
from tools.site import gallery, links

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "site"
HERE = Path(__file__).resolve().parent
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages that stand beside docs in the checkout."""


def main(arguments: list[str]) -> int:
    """Write the pages, draw the gallery, build, look at the links."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--quick", action="store_true", help="no movies, notebooks are not run")
    quick = asked.parse_args(arguments).quick
    begun = time.monotonic()
    docs.main([])
    source, html = BUILT / "source", BUILT / "html"
    gather(source)
    gallery.write(source, BUILT / "beside", BUILT / "drawn", with_movies=not quick)
    shutil.rmtree(html, ignore_errors=True)
    execution = [*("-D", "nb_execution_mode=off")] if quick else []
    cache = ("-D", f"nb_execution_cache_path={BUILT / 'notebooks'}")
    said = sphinx(["-b", "html", "-n", "-W", "--keep-going", "-q", "-j", "auto", "-c", str(HERE), "-d", str(BUILT / "doctrees"), *cache, *execution, str(source), str(html)])  # fmt: skip
    wrong = links.broken(html)
    print("\n".join(wrong))
    pages = len(list(html.rglob("*.html")))
    if said:
        print("Sphinx has warnings or errors; they stand above.")
    print(f"{pages} pages in {html.relative_to(ROOT)}, {len(wrong)} broken links, {time.monotonic() - begun:.0f} s")  # fmt: skip
    return 1 if said or wrong else 0


def gather(source: Path) -> None:
    """Put the pages, as they stand in the checkout and of the site alone, into one folder."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "docs", source)
    shutil.copytree(HERE / "pages", source, dirs_exist_ok=True)
    for name in BESIDE:
        text = (ROOT / name).read_text(encoding="utf-8")
        (source / name).write_text(among_pages(text), encoding="utf-8")
    for page in source.glob("*.md"):
        page.write_text(gallery.linked(page.read_text(encoding="utf-8"), source), encoding="utf-8")


def among_pages(text: str) -> str:
    """Text of a page beside docs as it stands among those of docs; a page that a link names by its path gets its title."""
    named = re.sub(r"\[(docs/[\w-]+\.md)\]\(\1\)", r"\1", text)
    return named.replace("](docs/", "](")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
