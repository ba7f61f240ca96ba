"""Set-up scripts are sound, and nothing in the tree belongs to one machine."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tools.check import PARTS

ROOT = Path(__file__).parent.parent


def tracked() -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    return [ROOT / n for n in names if (ROOT / n).is_file()]


@pytest.mark.parametrize("script", ["tools/setup.sh", ".ci/run"])
def test_scripts_parse(script: str) -> None:
    subprocess.run(["bash", "-n", script], cwd=ROOT, check=True)


def test_ci_runs_what_everybody_runs() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert "make test" in (ROOT / ".ci" / "run").read_text()
    assert {"ruff", "format", "mypy", "imports", "docs", "pytest"} == set(PARTS)


def test_the_known_bad_qt_is_kept_out() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (qt,) = [d for d in project["dependencies"] if d.startswith("PySide6")]
    assert qt == "PySide6-Essentials>=6.8,<6.12"
    for requirement in [*project["dependencies"], *project["optional-dependencies"]["dev"]]:
        assert re.fullmatch(r"[\w-]+>=[\d.]+,<[\d.]+", requirement), requirement


def test_every_dependency_has_a_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    page = (ROOT / "docs" / "dependencies.md").read_text()
    for requirement in [*project["dependencies"], *project["optional-dependencies"]["dev"]]:
        assert re.split(r"[><=]", requirement)[0] in page


def test_nothing_belongs_to_one_machine() -> None:
    machine = re.compile(
        r"/(?:work|farm|home/\w+|root)/|(?:https?:)?//[\w.-]*(?:pypi|debian)\.", re.I
    )
    for file in tracked():
        if file.suffix in {".png", ".h5", ".npz"} or file == Path(__file__):
            continue
        found = machine.search(file.read_text(encoding="utf-8"))
        assert not found, f"{file.relative_to(ROOT)}: {found and found.group()}"
