"""The guide is read inside the window, and F1 opens it where it reports what has the keyboard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app import texts
from app.features.guide import pages
from app.features.guide.window import Browser, GuideWindow
from app.look import DARK, LIGHT
from solver.analysis.equilibrium import Health, SettleError
from solver.base.places import docs, samples
from solver.bodies.library.entries import CATEGORIES
from solver.project import LISTS, Project, validated
from solver.project.changes import value_at
from solver.project.fields import Part
from solver.project.schema import models
from tests.everything import everything
from tests.rows import rows
from tests.window.waiting import turns, until_active, until_exposed
from tests.words import literals

pytestmark = pytest.mark.one_window

LEFT = Qt.MouseButton.LeftButton
DIALOGS = {
    "preferences": "guide#as-you-like-it",
    "body": "bodies",
    "library": "library",
    "settle": "settle",
    "keys": "guide#the-scene",
}
"""What F1 opens in some dialogs."""


def exists(topic: str) -> bool:
    page, _, anchor = topic.partition("#")
    if page.startswith("element:"):
        model = pages.by_name().get(page.removeprefix("element:"))
        return model is not None and (not anchor or anchor in model.model_fields)
    slugs = [section.slug for section in pages.sections(page)]
    return bool(slugs) and (not anchor or anchor in slugs)


@rows("file", sorted(docs().glob("*.md")), ids=lambda f: f.stem)
def test_all_links_of_the_pages_lead_somewhere(file: Path) -> None:
    text = re.sub(r"```.*?```|`[^`]*`", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        if target.endswith(".png"):
            assert (docs() / target).is_file(), target
            continue
        page, _, anchor = target.partition("#")
        topic = f"{Path(page).stem or file.stem}#{anchor}" if anchor else Path(page).stem
        assert exists(topic), target


def test_of_headings_that_are_alike_each_has_a_name() -> None:
    assert list(pages.slugs(["Run", "What runs?", "run", "`run`"])) == [
        "run",
        "what-runs",
        "run-1",
        "run-2",
    ]
    (function, class_) = (s for s in pages.sections("manikin") if s.title in ("run", "Run"))
    assert (function.slug, class_.slug) == ("run", "run-1")


def test_the_guide_calls_things_as_the_window_does() -> None:
    guide = pages.text_of("guide")
    known = {word.replace("&", "").rstrip("…").partition(": {")[0] for word in literals()}
    known |= {field.title for model in models() for field in model.model_fields.values()}
    known |= set(CATEGORIES.values())
    named = re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", guide)
    named += [one for one in re.findall(r"\*\*([^*]+)\*\*", guide) if "→" in one]
    assert len(named) > 15
    for path in named:
        for one in path.replace("\n", " ").rstrip("▾ ").split(" → "):
            assert one.rstrip("…") in known, f"nothing is called '{one}'"


@pytest.mark.window
def test_keys_of_the_guide_are_those_of_the_window(window: Any) -> None:
    guide = pages.text_of("guide")
    keys = {command.key for command in window.menus.commands.values()}
    keys |= {
        key
        for _, rows in texts.words.MORE_KEYS
        for keys, _ in rows
        for key in re.split(r", |\+", keys)
    }
    keys |= {"Enter", "Esc", "Shift", "Ctrl", "Alt", "X", "Y", "Z"}
    named = set(re.findall(r"`((?:(?:Ctrl|Shift|Alt)\+)*(?:[A-Z0-9+-]|F\d+|[A-Z][a-z]+))`", guide))
    assert len(named) > 40
    assert named <= keys, named - keys


def test_the_guide_tells_of_every_panel_and_dialog() -> None:
    topics = {word for word in literals() if re.fullmatch(r"[a-z]+#[a-z0-9-]+", word)}
    assert len(topics) > 12
    assert not [topic for topic in (*topics, *DIALOGS.values()) if not exists(topic)]


def test_every_page_is_listed_with_its_title() -> None:
    titles = [pages.title_of(page) for page in pages.PAGES]
    assert len(set(titles)) == len(titles)
    assert all(title[0].isupper() for title in titles)


@rows("model", models(), ids=lambda m: m.__name__)
def test_the_reference_of_a_model_tells_of_all_its_fields(model: type[Part]) -> None:
    page = pages.page(model, LIGHT, "metric", next(iter(model.model_fields)))
    for name, info in model.model_fields.items():
        if name != "kind":
            assert f"name='{name}'" in page
            assert str(info.title) in page or "&" in str(info.title)
    assert LIGHT.accent_soft in page or "kind" in model.model_fields
    for other in re.findall(r"element:(\w+)", page):
        assert other in pages.by_name()
    # sections of beams are theirs; numbers of sections belong to papers
    assert not re.search(r"[Ss]ections? \d", page)
    assert not re.search(r"\(\s*\)", page)


def test_elements_are_called_as_in_the_insert_menu() -> None:
    titles = {name: pages.title(model) for name, model in pages.by_name().items()}
    assert titles["PinJoint"] == texts.making.MAKERS["joints.pin"][0]
    assert titles["Function"] == "Function"
    assert titles["Load"] == "Load"
    assert titles["ThreePoints"] == "Three points"
    assert len(set(titles.values())) > len(titles) - 6


def test_every_field_of_every_element_leads_to_its_reference() -> None:
    project = validated(everything())
    count = 0
    for name in LISTS:
        for item in getattr(project, name):
            path = f"{name}/{item.id}"
            assert pages.place_of(project, path) == type(item).__name__
            for field in type(item).model_fields:
                found = pages.place_of(project, f"{path}/{field}")
                part = value_at(project, f"{path}/{field}")
                is_part = isinstance(part, Part)
                wanted = type(part).__name__ if is_part else f"{type(item).__name__}#{field}"
                assert found == wanted
                count += 1
    assert count > 500
    assert pages.place_of(project, "") == ""


def test_words_are_found_in_headings_first() -> None:
    found = [(page, section.slug) for page, section in pages.sections_with("injury figures")]
    assert found[0] == ("guide", "injury-figures") or found[1] == ("guide", "injury-figures")
    assert len(found) > 5
    assert not list(pages.sections_with("xyzzy"))
    assert not list(pages.sections_with("   "))


# in a window


@pytest.fixture
def guide(window: Any, qtbot: Any) -> GuideWindow:
    window.menus.run("help.guide")
    found: GuideWindow = window.findChild(GuideWindow)
    until_exposed(found)
    found.activateWindow()
    until_active(found)
    return found


def key(window: Any, widget: QWidget) -> GuideWindow:
    """Give a widget the keyboard and press F1."""
    window.activateWindow()
    until_active(window)
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_F1)
    found: GuideWindow = window.findChild(GuideWindow)
    return found


@pytest.mark.window
def test_pages_fit_their_width_without_reaching_out(guide: GuideWindow, qtbot: Any) -> None:
    browser, asked = guide.browser, []
    load = browser.loadResource

    def watched(kind: int, url: QUrl) -> Any:
        asked.append(browser.document().baseUrl().resolved(url))
        return load(kind, url)

    browser.loadResource = watched  # type: ignore[method-assign]
    for page in pages.PAGES:
        browser.open(page)
        assert pages.title_of(page) in browser.toPlainText()
        assert (
            "This page of the guide is missing from the installation. Install Manikin again to have it."
            not in browser.toPlainText()
        )
    assert all(url.isLocalFile() for url in asked)
    browser.open("guide")
    for width in (700, 1100):
        guide.resize(width, 700)
        turns()
        assert browser.document().idealWidth() <= browser.viewport().width() + 1


@pytest.mark.window
def test_a_heading_comes_to_the_top(guide: GuideWindow) -> None:
    browser = guide.browser
    browser.open("guide#curves")
    first = browser.cursorForPosition(browser.viewport().rect().topLeft()).block()
    assert first.text() == "Curves" or first.next().text() == "Curves"
    assert guide.topics.currentItem().text(0) == "Curves"


@pytest.mark.window
def test_links_are_followed_and_the_way_back_is_known(guide: GuideWindow) -> None:
    browser = guide.browser
    browser.open("guide#building-a-model")
    place = browser.verticalScrollBar().value()
    assert place > 0
    browser.anchorClicked.emit(QUrl("bodies.md"))
    assert browser.topic == "bodies"
    browser.anchorClicked.emit(QUrl("element:PinJoint#friction"))
    assert "Pin joint" in browser.toPlainText()
    assert not guide.ahead.isEnabled()
    QTest.mouseClick(guide.back, LEFT)
    assert browser.topic == "bodies"
    QTest.keyClick(guide, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert browser.topic == "guide#building-a-model"
    assert browser.verticalScrollBar().value() == place
    QTest.mouseClick(guide.ahead, LEFT)
    assert browser.topic == "bodies"


@pytest.mark.window
def test_the_search_lists_where_words_stand(guide: GuideWindow) -> None:
    QTest.keyClicks(guide.search, "retractor")
    tree = guide.topics
    words = [tree.topLevelItem(i).text(0) for i in range(tree.topLevelItemCount())]
    assert words[0] == "Retractor"
    assert len(words) > 3
    QTest.keyClick(guide.search, Qt.Key.Key_Return)
    assert guide.browser.topic == "element:Retractor"
    guide.search.setText("xyzzy")
    assert (
        tree.topLevelItem(0).text(0)
        == "Nothing of this is in the guide. Try another word, or fewer of them."
    )
    guide.search.clear()
    assert tree.topLevelItemCount() > len(pages.PAGES)


@pytest.mark.own_window
@pytest.mark.window
def test_the_guide_follows_colours_and_units(window: Any, guide: GuideWindow) -> None:
    guide.browser.open("element:Segment#mass_kg")
    assert "in kg" in guide.browser.toPlainText()
    window.application.choose("scheme", "dark")
    window.application.choose("units", "inch_pound")
    assert guide.browser.theme == DARK
    assert "in lb" in guide.browser.toPlainText()


@pytest.mark.window
def test_a_page_that_is_not_shipped_says_so(
    guide: GuideWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "text_of", lambda page: "")
    guide.browser.open("engine")
    assert (
        guide.browser.toPlainText().strip()
        == "This page of the guide is missing from the installation. Install Manikin again to have it."
    )


@pytest.mark.own_window
@pytest.mark.window
def test_f1_tells_of_the_field_the_element_and_the_panel(window: Any, seated_file: Path) -> None:
    assert window.features["guide"].topic_for() == "guide#the-first-five-minutes"
    window.open_file(seated_file)
    window.bench.document.select("segments/head")
    mass = window.panels["inspector"].form.rows["segments/head/mass_kg"].editor
    found = key(window, mass)
    assert found.browser.topic == "element:Segment#mass_kg"
    position = (
        window.panels["inspector"].form.rows["segments/head/surfaces/head/semi_axes_m"].editor
    )
    assert key(window, position.lines[1]).browser.topic == "element:Ellipsoid#semi_axes_m"
    window.bench.document.select("joints/knee_r")
    assert key(window, window.panels["outline"].tree).browser.topic == "element:PinJoint"
    window.bench.document.select("")
    assert key(window, window.bench.viewport).browser.topic == "guide#the-scene"
    for name in ("plots", "injury", "runs"):
        window.panels.open(name)
        focusable = [
            w for w in window.panels[name].findChildren(QWidget)
            if w.isVisible() and w.focusPolicy() & Qt.FocusPolicy.TabFocus
        ]  # fmt: skip
        if focusable:
            assert key(window, focusable[0]).browser.topic == window.panels.find(name).topic
    assert len(window.findChildren(GuideWindow)) == 1


@pytest.mark.window
def test_f1_on_a_problem_tells_of_its_field(window: Any, seated_file: Path, qtbot: Any) -> None:
    window.open_file(seated_file)
    with qtbot.waitSignal(window.bench.document.checked, timeout=20_000):
        window.bench.document.edit("belts/lap/law", "webing", "webbing")
    window.panels.open("problems")
    tree = window.panels["problems"].tree
    tree.setCurrentItem(tree.topLevelItem(0))
    assert key(window, tree).browser.topic == "element:Belt#law"


@pytest.mark.own_window
@pytest.mark.window
@pytest.mark.parametrize("name", ["preferences", "body", "library", "settle", "keys"])
def test_f1_in_a_dialog_tells_of_it(
    window: Any, name: str, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Project) -> Health:
        raise SettleError("not now")

    # a look at the start may compile the solver, which takes minutes on a machine at work
    monkeypatch.setattr("app.features.placing.settle_dialog.look", refuse)
    window.open_file(samples() / "lap_belt.json")
    do = {"preferences": "edit.preferences", "body": "place.body", "library": "place.library", "settle": "place.settle", "keys": "help.keys"}  # fmt: skip
    before = set(window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly))
    window.menus.run(do[name])
    after = set(window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly))
    dialog = next(w for w in after - before if w.isWindow())
    dialog.activateWindow()
    until_active(dialog)
    QTest.keyClick(dialog, Qt.Key.Key_F1)
    assert window.findChild(GuideWindow).browser.topic == DIALOGS[name]
    if name == "settle":
        qtbot.waitUntil(lambda: not dialog.is_busy, timeout=20_000)
    dialog.close()


def test_fields_of_some_elements_have_a_picture(qtbot: Any) -> None:
    browser = Browser()
    qtbot.addWidget(browser)
    browser.resize(800, 600)
    browser.open("element:ThreePoints#p2_m")
    (address,) = re.findall(r'src="(drawn:[^"]*)"', browser.toHtml())
    assert address == "drawn:ThreePoints/p2_m/light"
    image = browser.loadResource(2, QUrl(address))
    assert not image.isNull()
    assert image.width() <= 2 * browser._room()
    browser.set_look(DARK, "metric")
    assert browser.loadResource(2, QUrl(address)) != image
    browser.open("element:Segment#mass_kg")
    assert "drawn:" not in browser.toHtml()
