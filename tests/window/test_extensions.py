"""Panels of other packages in the window: named in the menus, loaded when first seen."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel

from solver.base import extensions
from tests.extensions import installed

pytestmark = pytest.mark.window


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the example, and a package whose panel fails."""
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "pyproject.toml").write_text(
        '[project]\nname = "bad"\nversion = "1.0"\n[project.entry-points."manikin.panels"]\n"Bad one" = "no_such_module:PANEL"\n',
        encoding="utf-8",
    )
    for folder in (*installed(tmp_path / "one"), *installed(tmp_path / "two", bad)):
        monkeypatch.syspath_prepend(folder)
    extensions.forget()
    yield
    monkeypatch.undo()
    extensions.forget()
    for name in [one for one in sys.modules if one.startswith("manikin_example")]:
        del sys.modules[name]


def test_a_panel_of_another_package_is_loaded_when_it_is_seen(
    added: None, window: Any, qtbot: Any, tmp_path: Path
) -> None:
    assert "view.panel.added_kinetic_energy" in window.menus.commands
    assert window.menus.where(window.menus.commands["view.go_added_bad_one"]) == "View › Go to"
    assert "manikin_example" not in sys.modules
    chain = tmp_path / "two.chain"
    chain.write_text("0.5 1\n0.25 2\n", encoding="utf-8")
    window.open_file(chain)
    assert [one.id for one in window.bench.document.project.segments] == ["rod_1", "rod_2"]
    assert "manikin_example.panel" not in sys.modules
    good, bad = (
        next(one for one in window.features["extensions"].panels if one._extension.name == name)
        for name in ("Kinetic energy", "Bad one")
    )
    window.menus.run("view.go_added_kinetic_energy")
    qtbot.waitUntil(lambda: good.inside is not None, timeout=60_000)
    assert good.inside.text() == "two: no run yet"
    exchange = window.features["exchange"]
    exchange.write(tmp_path / "back.chain")
    assert (tmp_path / "back.chain").read_text(encoding="utf-8") == "0.5 1\n0.25 2\n"
    exchange.write(tmp_path / "two.fmu")
    assert "The project has no outputs" in window.notice.words.text()
    document = window.bench.document
    document.edit("title", "A chain", "Title")
    assert good.inside.text() == "A chain: no run yet"
    window.menus.run("run.run")
    qtbot.waitUntil(lambda: good.inside.text().endswith(" J"), timeout=240_000)
    window.menus.run("view.go_added_bad_one")
    qtbot.waitUntil(lambda: bad.inside is not None, timeout=60_000)
    assert isinstance(bad.inside, QLabel)
    assert bad.inside.text() == (
        "The panel 'Bad one' of bad 1.0 cannot be used: ModuleNotFoundError: No module named 'no_such_module'."
    )
