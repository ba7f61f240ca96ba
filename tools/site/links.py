"""Links of built pages: each leads to a page, an anchor or a picture of the site, and nothing is fetched from elsewhere."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "video": "src", "source": "src"}  # fmt: skip
"""Elements that a browser fetches as it shows a page, and the attribute that names what."""


class Page(HTMLParser):
    """The anchors of a page, what it links to and what it fetches."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.fetched: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element in."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        elif tag in FETCHED and FETCHED[tag] in given:
            self.fetched.add(given[FETCHED[tag]])


def broken(folder: Path) -> list[str]:
    """Name the links that lead nowhere, with their pages, and what would be fetched from other hosts."""
    pages = {
        file: Page(file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.html"))
    }
    found = []
    for file, page in pages.items():
        where = file.relative_to(folder)
        for link in sorted(page.links | page.fetched):
            parts = urlsplit(link)
            if parts.scheme == "data" or (parts.scheme in ("http", "https", "mailto") and link in page.links - page.fetched):  # fmt: skip
                continue
            if parts.scheme or parts.netloc:
                found.append(f"{where}: {link} is fetched from elsewhere")
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.is_file():
                found.append(f"{where}: there is no {link}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:  # fmt: skip
                found.append(f"{where}: no such place in its page: {link}")
    return found
