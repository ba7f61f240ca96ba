"""Set-up scripts are sound, and nothing in the tree belongs to one machine."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import stories
from tools.check import PARTS

ROOT = Path(__file__).parent.parent.parent


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
    assert {
        "ruff",
        "format",
        "mypy",
        "scripts",
        "imports",
        "docs",
        "words",
        "kernels",
        "pytest",
    } == set(PARTS)


def requirements() -> list[str]:
    """Give all that the program, its extras and its building ask for, with what holds for Python itself."""
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = whole["project"]
    found = [*whole["build-system"]["requires"], *project["dependencies"]]
    found += [one for extra in project["optional-dependencies"].values() for one in extra]
    return [*(one for one in found if not one.startswith("manikin[")), f"Python{project['requires-python']}"]  # fmt: skip


def test_an_upper_bound_has_its_reason() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text()
    _, _, told = page.partition("## Upper bounds")
    reasons = dict(re.findall(r"^\| (\S+) \| below ([\d.]+) \| .{20,} \|$", told, re.M))
    bounds = {}
    for requirement in requirements():
        # a package that is not made for Windows may say so
        ranged = re.fullmatch(
            r"([\w-]+)>=[\d.]+(?:,<([\d.]+))?(?:; sys_platform != 'win32')?", requirement
        )
        assert ranged, requirement
        if ranged[2]:
            bounds[ranged[1]] = ranged[2]
    assert bounds == reasons
    assert bounds["PySide6-Essentials"] == "6.12", "the known bad Qt is kept out"


def test_every_dependency_has_a_reason() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text()
    for requirement in requirements():
        assert re.split(r"[><=]", requirement)[0] in page


def test_the_kept_versions_fit_what_is_asked_for() -> None:
    """`make lock` renews them."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    kept: dict[str, list[str]] = {}
    for line in lines[1:]:
        # names and versions alone: no address, no file, no hash
        found = re.fullmatch(r"([a-z0-9][a-z0-9.-]*)==([\w.+!]+)(?: ; ([^#;@/]+))?", line)
        assert found, line
        kept.setdefault(found[1], []).append(found[2])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = dict(project["optional-dependencies"])
    del extras["peers"]
    for text in [*project["dependencies"], *(one for extra in extras.values() for one in extra)]:
        asked = Requirement(text)
        if asked.name == "manikin":
            continue
        versions = kept.get(canonicalize_name(asked.name), [])
        assert versions, f"{text}: make lock"
        assert all(one in asked.specifier for one in versions), f"{text}: {versions}"


def test_nothing_belongs_to_one_machine() -> None:
    machine = re.compile(
        r"/(?:work|farm|home/\w+|root)/|(?:https?:)?//[\w.-]*(?:pypi|debian)\.", re.I
    )
    for file in tracked():
        if file.suffix in {".png", ".webp", ".h5", ".npz", ".xz", ".mo"} or file == Path(__file__):
            continue
        found = machine.search(file.read_text(encoding="utf-8"))
        assert not found, f"{file.relative_to(ROOT)}: {found and found.group()}"


def fake(folder: Path, **programs: str) -> dict[str, str]:
    """Give an environment in which some programs are replaced by short scripts."""
    folder.mkdir()
    for name, body in programs.items():
        script = folder / name.replace("_", "-")
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


needs_make = pytest.mark.skipif(sys.platform == "win32", reason="has no make")
SET_UP_BY = ("pyproject.toml", "constraints.txt", "tools/setup.sh")


def set_up(tmp_path: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the set-up in a copy, where it can reach no package index."""
    (tmp_path / "tree" / "tools").mkdir(parents=True)
    for name in SET_UP_BY:
        (tmp_path / "tree" / name).write_bytes((ROOT / name).read_bytes())
    return subprocess.run(
        ["bash", "tools/setup.sh"],
        cwd=tmp_path / "tree", env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.skipif(not Path("/usr/bin/apt-get").exists(), reason="Debian and its relatives")
def test_missing_libraries_without_root_end_with_the_line_to_type(tmp_path: Path) -> None:
    environment = fake(tmp_path / "bin", dpkg_query="exit 1", id="echo 1000", sudo="exit 1")
    done = set_up(tmp_path, environment)
    assert done.returncode == 1
    line = done.stderr.strip().splitlines()[-1].strip()
    assert line.startswith("sudo apt-get install --no-install-recommends libgl1 ")
    assert "xvfb" in line
    assert not (tmp_path / "tree" / ".venv").exists()


@pytest.mark.skipif(not Path("/usr/bin/apt-get").exists(), reason="Debian and its relatives")
def test_missing_libraries_are_installed_by_root(tmp_path: Path) -> None:
    log = tmp_path / "apt.log"
    environment = fake(
        tmp_path / "bin",
        dpkg_query='case "$4" in xvfb*) exit 1;; esac; echo installed',
        id="echo 0",
        apt_get=f'echo "$@" >> "{log}"',
python3=f'case "$*" in *"-m venv"*) exit 9;; esac; exec "{sys.executable}" "$@"',
    )  # fmt: skip
    done = set_up(tmp_path, environment)
    assert done.returncode == 9, "stopped where the environment would be made"
    assert log.read_text().splitlines() == [
        "update -q",
        "install -y -q --no-install-recommends xvfb",
    ]


@needs_make
def test_no_python_is_said_plainly(tmp_path: Path) -> None:
    old = {f"python3{v}": "exit 1" for v in ("", ".11", ".12", ".13")}
    done = set_up(tmp_path, fake(tmp_path / "bin", **old))
    assert done.returncode == 1
    assert "needs Python 3.11" in done.stderr


@needs_make
def test_a_python_that_is_named_is_taken_or_refused(tmp_path: Path) -> None:
    done = set_up(tmp_path, fake(tmp_path / "bin", odd="exit 1") | {"PYTHON": "odd"})
    assert done.returncode == 1
    assert "'odd' is none" in done.stderr


@needs_make
def test_a_python_that_is_named_makes_another_environment(tmp_path: Path) -> None:
    python = f'case "$*" in *"-m venv"*) exit 9;; esac; exec "{sys.executable}" "$@"'
    environment = fake(tmp_path / "bin", named=python, dpkg_query="echo installed")
    old = tmp_path / "tree" / ".venv" / "bin" / "python"
    old.parent.mkdir(parents=True)
    old.write_text('#!/bin/sh\necho "(3, 10)"\n')
    old.chmod(0o755)
    kept = b"".join((ROOT / name).read_bytes() for name in SET_UP_BY)
    stamp = f"{hashlib.sha256(kept).hexdigest()}  {tmp_path / 'tree'}\n"
    (old.parent.parent / "manikin-stamp").write_text(stamp)
    assert set_up(tmp_path, environment | {"PYTHON": "named"}).returncode == 9
    assert not old.exists()


@pytest.mark.skipif(not Path("/usr/bin/apt-get").exists(), reason="Debian and its relatives")
def test_a_helpful_library_that_a_system_lacks_is_not_asked_for(tmp_path: Path) -> None:
    environment = fake(
        tmp_path / "bin",
        dpkg_query='case "$4" in libosmesa6*) exit 1;; esac; echo installed',
        id="echo 0",
        apt_get="exit 100",
        apt_cache="exit 100",
python3=f'case "$*" in *"-m venv"*) exit 9;; esac; exec "{sys.executable}" "$@"',
    )  # fmt: skip
    assert set_up(tmp_path, environment).returncode == 9


def test_files_keep_their_bytes_on_every_system() -> None:
    """Git on Windows changes ends of lines of what is not marked: scripts fail, and bytes that are compared differ."""
    names = ["tools/setup.sh", "sample_projects/frontal.json", "solver/base/places.py"]
    said = subprocess.run(
        ["git", "check-attr", "text", *names], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert [line.rpartition(" ")[2] for line in said] == ["unset"] * len(names)


def test_who_plays_a_story_finds_its_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(stories.STAGE, raising=False)
    assert stories.stage() is None, "as usual"
    chosen = stories.Stage((1280, 800), 150, contrast=True, german=True)
    for name, value in chosen.environment().items():
        monkeypatch.setenv(name, value)
    assert stories.stage() == chosen
    assert chosen.room == (853, 533)
    assert {"optimum", "no_mouse", "tours"} <= set(stories.stories())
