"""Shipped files are found from a checkout and from an installed wheel, in any folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from solver.base import places

ROOT = Path(__file__).parent.parent.parent
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_the_checkout_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (places.samples() / "sled.json").is_file()
    assert (places.resources() / "contours.json").is_file()


def test_a_broken_installation_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(places, "_PACKAGE", tmp_path / "solver")
    with pytest.raises(places.NotShipped, match="install Manikin again"):
        places.samples()


@pytest.mark.slow
def test_an_unpacked_wheel_finds_its_samples_and_runs(tmp_path: Path) -> None:
    subprocess.run(
        [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "-o",
            str(tmp_path),
            str(ROOT),
        ],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    assert {name.partition("/")[0] for name in names} == {"manikin", f"manikin-{VERSION}.dist-info"}
    assert {f"manikin-{VERSION}.dist-info/licenses/{one}" for one in ("LICENSE", "NOTICE")} <= names
    assert "manikin/py.typed" in names
    shipped = "manikin/solver/_shipped"
    assert f"{shipped}/sample_projects/sled.json" in names
    assert f"{shipped}/resources/contours.json" in names
    assert f"{shipped}/docs/guide.md" in names
    assert f"{shipped}/docs/pictures/window.png" in names
    assert f"{shipped}/resources/signs/tick_dark.png" in names
    assert not any(name.endswith(".pot") for name in names), "made where it is needed"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    program = (
        "import manikin, manikin.solver.base.places as p, manikin.__main__ as m, sys;"
        "from manikin.app.shell.window import MainWindow;"
        "from manikin.solver.running import warm;"
        "assert '_shipped' in str(p.samples()), p.samples();"
        "assert [one.name for one in warm.parts()];"
        "assert manikin.Problem.__module__.startswith('manikin.solver.');"
        "assert not {'solver', 'app'} & set(sys.modules);"
        "sys.exit(m.main(['sample', 'sled', '-o', 'copy.json']) or m.main(['check', 'copy.json']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # nothing of the checkout is reached
    left = [
        f"{name}: {line}"
        for name in names
        if name.endswith(".py")
        for line in (tmp_path / "site" / name).read_text(encoding="utf-8").splitlines()
        if re.match(r"\s*(from|import) (solver|app)\b", line)
    ]
    assert left == []


@pytest.mark.skipif(sys.platform != "linux", reason="the folder is named by the system")
def test_the_cache_folder_follows_the_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert places.user_cache() == tmp_path / "manikin"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert places.user_cache() == Path.home() / ".cache" / "manikin"
