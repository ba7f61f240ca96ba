"""The files of the project itself: one version everywhere, a licence, workflows that a forge understands."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_one_version_stands_everywhere() -> None:
    (cited,) = re.findall(r"^version: (.+)$", _text("CITATION.cff"), re.MULTILINE)
    newest = re.findall(r"^## (\d+\.\d+\.\d+)", _text("CHANGELOG.md"), re.MULTILINE)[0]
    assert cited == newest == PROJECT["version"]


def test_the_licence_is_one_everywhere() -> None:
    assert PROJECT["license"] == "Apache-2.0"
    assert "license: Apache-2.0" in _text("CITATION.cff")
    assert "Apache License\n                           Version 2.0" in _text("LICENSE")


def test_every_library_has_its_licence_in_the_page_of_libraries() -> None:
    page = _text("docs/dependencies.md").lower()
    wanted = [
        *PROJECT["dependencies"],
        *(one for part in PROJECT["optional-dependencies"].values() for one in part),
    ]
    names = {re.split(r"[<>=;\[ ]", one)[0].lower() for one in wanted}
    rows = [row for row in page.splitlines() if row.startswith("| ")]
    missing = {n for n in names if not any(re.search(rf"\b{re.escape(n)}\b", row) for row in rows)}
    assert not missing


@pytest.mark.parametrize(
    ("kind", "files"),
    [("github-workflows", ".github/workflows/*.yml"), ("dependabot", ".github/dependabot.yml")],
)
def test_a_forge_understands_the_workflows(kind: str, files: str, tmp_path: Path) -> None:
    def said(*names: Path) -> subprocess.CompletedProcess[str]:
        command = ["check_jsonschema", "--builtin-schema", f"vendor.{kind}", *map(str, names)]
        return subprocess.run(
            [sys.executable, "-m", *command], capture_output=True, text=True, check=False
        )

    found = sorted(ROOT.glob(files))
    assert found
    done = said(*found)
    assert done.returncode == 0, done.stdout
    wrong = tmp_path / found[0].name
    wrong.write_text(re.sub(r"^(jobs|updates):", r"\1s:", found[0].read_text(), flags=re.MULTILINE))
    assert said(wrong).returncode == 1
