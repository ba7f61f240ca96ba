"""Words that several files share stand in `app/texts`."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from app import texts
from solver.project import LISTS
from tests.words import APP


def test_every_list_of_elements_has_its_words() -> None:
    assert set(texts.elements.ONE) == set(texts.elements.MANY) == set(LISTS)


def modules() -> list[ModuleType]:
    """Give the modules of words."""
    return [getattr(texts, name) for name in texts.__all__]


def test_the_package_names_all_its_subjects() -> None:
    there = {file.stem for file in (APP / "texts").glob("*.py")} - {"__init__"}
    assert there == set(texts.__all__)


def strings(value: Any) -> Iterator[str]:
    """Give all texts in a text, a table or a tuple of them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from strings(one)


@pytest.mark.parametrize("module", modules(), ids=lambda m: m.__name__.rpartition(".")[2])
def test_every_word_is_used_and_its_gaps_have_names(module: ModuleType) -> None:
    subject = module.__name__.rpartition(".")[2]
    code = "\n".join(
        file.read_text(encoding="utf-8")
        for file in APP.rglob("*.py")
        if file.name != f"{subject}.py" or file.parent.name != "texts"
    )
    named = {name: value for name, value in vars(module).items() if name[0].isupper()}
    assert not [name for name in named if not re.search(rf"texts\.{subject}\.{name}\b", code)]
    for text in strings(list(named.values())):
        for _, gap, _, _ in string.Formatter().parse(text):
            assert gap is None or re.fullmatch(r"[a-z]\w*(\.\w+)?", gap), text
