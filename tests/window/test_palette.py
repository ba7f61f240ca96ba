"""Find anything by a few letters, and the commands of one menu by *More…*."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.shell.offers import Offer, Offers
from solver.base.places import samples
from solver.base.words import LANGUAGE, catalogue, tr

pytestmark = [pytest.mark.window, pytest.mark.one_window]


@pytest.fixture
def belted(window: Any) -> Any:
    window.open_file(samples() / "sled.json")
    return window


def found(window: Any, text: str) -> list[Offer]:
    return Offers(window.bench, window.menus).find(text)


def test_a_field_is_found_by_its_name_and_by_its_value(belted: Any) -> None:
    document = belted.bench.document
    head = next(one for one in document.project.segments if one.id.endswith("head"))
    by_name = next(one for one in found(belted, "mass head") if one.aside.endswith("kg"))
    assert by_name.words == "Head › Mass"
    assert by_name.aside == f"{head.mass_kg:.4g} kg"
    assert by_name.words in {one.words for one in found(belted, f"head {head.mass_kg:.3g}")}
    by_name.do()
    assert document.selection == f"segments/{head.id}"
    assert document.field.endswith("mass_kg")


def test_words_begin_words_where_they_are_short(belted: Any) -> None:
    short = [one for one in found(belted, "hic") if not one.aside.startswith("Guide")]
    assert not [one for one in short if "vehicle" in one.words.casefold()]
    assert found(belted, "ehicl"), "four letters are looked for inside words, too"


def test_what_is_called_just_so_comes_first(belted: Any) -> None:
    assert found(belted, "settle")[0].words == "Settle…"
    assert found(belted, "head")[0].words == "Head"


def test_the_field_of_what_is_selected_comes_first(belted: Any) -> None:
    document = belted.bench.document
    last = document.project.segments[-1]
    document.select(f"segments/{last.id}")
    masses = [one for one in found(belted, "mass") if one.aside.endswith(" kg")]
    assert masses[0].aside == f"{last.mass_kg:.4g} kg"
    assert len(masses) > 1


def test_a_preference_is_found_with_what_it_may_be(window: Any) -> None:
    dark = next(one for one in found(window, "colours dark") if ": " in one.words)
    dark.do()
    try:
        assert window.application.settings.value("scheme") == "dark"
    finally:
        window.application.choose("scheme", "system")


def test_values_of_several_words_and_switches_are_found(belted: Any) -> None:
    """An id with a bar, a number with its unit, off: each of its words begins one of the value."""
    document = belted.bench.document
    pelvis = next(one for one in document.project.joints if one.parent == "lower_torso")
    document.select(f"joints/{pelvis.id}")
    words = {one.words for one in found(belted, "parent lower_torso")}
    assert any(one.endswith("› Parent") for one in words)
    assert any(one.aside == "off" for one in found(belted, "locked at start off"))
    head = next(one for one in document.project.segments if one.id.endswith("head"))
    shown = f"{head.mass_kg:.4g} kg"
    assert shown in {one.aside for one in found(belted, f"mass {shown}")}
    contact = next(one for one in document.project.contacts if one.kind == "plane")
    document.select(f"contacts/{contact.id}")
    assert any(one.words.endswith("› Plane") for one in found(belted, "plane lower torso on seat"))


def test_english_words_find_in_german_too(belted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as german:
        german.setenv(LANGUAGE, "de")
        catalogue.cache_clear()
        dark = tr("Dark").casefold()
        offers = [found(belted, typed) for typed in ("colours dark", f"farben {dark}")]
        by_name = found(belted, "mass_kg head")
    catalogue.cache_clear()
    for each in offers:
        assert [one for one in each if one.words.casefold().endswith(f": {dark}")]
    assert [one for one in by_name if one.aside.endswith(" kg")]
    assert dark != "dark"


def test_the_guide_is_searched(window: Any) -> None:
    asked: list[str] = []
    window.bench.help_asked.connect(lambda topic, _: asked.append(topic))
    one = next(one for one in found(window, "head restraint rear") if one.aside.startswith("Guide"))
    one.do()
    assert "#" in asked[-1]


def test_more_lists_the_commands_of_its_menu_by_keys_alone(belted: Any, qtbot: Any) -> None:
    assert "insert.constraints.gear" in belted.menus.commands
    before = len(belted.bench.document.project.segments)
    belted.menus.run("insert.more")
    palette = next(one for one in belted.findChildren(type(belted.commands.palette("insert"))))
    assert "Gear" in palette.shown()
    assert "Save" not in palette.shown()
    QTest.keyClicks(palette.field, "segment")
    assert palette.shown()[0] == "Segment"
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: len(belted.bench.document.project.segments) == before + 1, timeout=60_000
    )
