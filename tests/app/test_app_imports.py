"""No circle of folders in the window, and nothing below the shell that knows it.

All imports count: those inside functions, and those for the type checker alone.
"""

from __future__ import annotations

import builtins

from tests.tools.test_circles import circle, graph


def packages(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    """Give of every folder within `app`, and of every feature, which others it imports."""

    def folder(module: str) -> str:
        parts = module.split(".")
        return ".".join(parts[:3] if parts[1:2] == ["features"] else parts[:2])

    made: dict[str, set[str]] = {}
    for module, others in arrows.items():
        here = folder(module)
        made.setdefault(here, set()).update({folder(one) for one in others} - {here})
    del made["app"]
    return made


def test_no_folders_of_the_window_import_each_other_in_a_circle() -> None:
    arrows = packages(graph("app"))
    assert len(arrows) > 30
    assert circle(arrows) == []


def test_only_the_front_door_and_the_shell_know_the_shell() -> None:
    knows = [a for a, others in graph("app").items() if any("app.shell" in b for b in others)]
    assert {name for name in knows if not name.startswith("app.shell.")} == {"app.front_door"}


def test_the_shell_knows_features_by_the_one_list() -> None:
    for name, others in graph("app").items():
        if name.startswith("app.shell."):
            known = {one for one in others if one.startswith("app.features.")}
            assert known <= {"app.features.all", "app.features.feature"}, name


def test_qt_watches_no_imports() -> None:
    """Its watch reads the source of each module that is loaded after it, in tests as in the program (`app/quick_qt`)."""
    assert builtins.__import__.__name__ == "__import__"
