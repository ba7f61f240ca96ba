"""Every page has its place in the site, and links lead somewhere; `make docs` builds it, warnings being errors."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from app.features.guide.pages import slugs
from solver.injury import CRITERIA
from solver.project.contact import StrapLaw
from solver.project.document import Project
from tools.docs import ROOT
from tools.site import links
from tools.site.__main__ import BESIDE, HERE, among_pages
from tools.site.gallery import GROUPS, linked

PAGES = HERE / "pages"
APART = {"README.md", *BESIDE}
"""Pages that stand beside docs; those of the site lie as if in docs."""


def pages() -> list[Path]:
    return [*(ROOT / name for name in sorted(APART)), *sorted(PAGES.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]  # fmt: skip


@cache
def anchors(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return set(slugs(re.findall(r"^#{1,4} +(.+?)\s*$", text, re.M)))


def in_trees(text: str) -> list[str]:
    """The pages that the trees of contents of a page name."""
    trees = re.findall(r"^```\{toctree\}\n(.*?)^```", text, re.M | re.S)
    lines = [line.strip() for tree in trees for line in tree.splitlines()]
    return [line for line in lines if line and not line.startswith(":")]


def test_every_page_has_a_place_in_the_site() -> None:
    trees = [in_trees(one.read_text(encoding="utf-8")) for one in PAGES.glob("*.md")]
    named = [page for tree in trees for page in tree]
    assert len(named) == len(set(named)), "a page has two places"
    there = {page.stem for page in pages()} - {"README", "index"}
    assert not there - set(named), "name these pages in one of tools/site/pages"
    assert set(named) - there == {"notebooks/*"}


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        name, _, anchor = target.partition("#")
        places = [page.parent] if page.parent != PAGES else [PAGES, ROOT / "docs", ROOT]
        found = [place / name for place in places if (place / name).exists()] if name else [page]
        assert found, target
        if anchor:
            assert anchor in anchors(found[0]), target


def test_files_that_pages_name_are_there() -> None:
    trees = "app|benchmarks|docs|manikin|resources|sample_projects|solver|tests|tools|validation"
    lost = []
    for page in [*pages(), *sorted((ROOT / "docs" / "notebooks").glob("*.md"))]:
        for name in re.findall(rf"`((?:{trees})/[\w./-]+)`", page.read_text(encoding="utf-8")):
            if not (ROOT / name).exists() and not (ROOT / f"{name}.py").exists():
                lost.append(f"{page.relative_to(ROOT)}: {name}")
    assert not lost, lost


def test_the_gallery_shows_every_sample() -> None:
    shown = [name for group in GROUPS.values() for name in group]
    assert sorted(shown) == sorted(file.stem for file in (ROOT / "sample_projects").glob("*.json"))


def test_the_page_of_features_counts_right() -> None:
    def kinds(field: str) -> list[type]:
        (union, _) = get_args(Project.model_fields[field].annotation)
        return list(get_args(get_args(union)[0]))

    laws = kinds("contact_laws")
    webbing = sum(issubclass(one, StrapLaw) for one in laws)
    text = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
    found = re.search(
        r"(\w+) kinds of joint .* (\w+) contact laws\s+and (\w+) of webbing", text, re.S
    )
    words = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    assert found
    assert [words.index(one) + 1 for one in found.groups()] == [len(kinds("joints")), len(laws) - webbing, webbing]  # fmt: skip
    assert f"{len(CRITERIA)} criteria of" in text


def test_pages_that_are_named_become_links_and_code_stays() -> None:
    words = "see docs/trust.md, `docs/trust.md`\n```\ndocs/trust.md\n```\nand docs/nothing.md"
    expected = words.replace("see docs/trust.md", "see [Trust](trust.md)")
    assert linked(words, ROOT / "docs") == expected


def test_links_that_are_there_stay_and_are_not_nested() -> None:
    text = "[docs/trust.md](docs/trust.md), [what docs/trust.md says](docs/trust.md#files)"
    expected = "[Trust](trust.md), [what docs/trust.md says](trust.md#files)"
    assert linked(among_pages(text), ROOT / "docs") == expected


def test_broken_links_of_built_pages_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="b.html#here">b</a><a href="#top">t</a><a href="https://x.org">x</a>'
    )
    (tmp_path / "b.html").write_text('<p id="here">B</p>')
    assert links.broken(tmp_path) == []
    (tmp_path / "b.html").write_text(
        '<a href="a.html#no">a</a><a href="c.html">c</a><img src="d.png">'
        '<script src="https://x.org/s.js"></script><link rel="stylesheet" href="//y.org/s.css">'
    )
    assert len(links.broken(tmp_path)) == 6
