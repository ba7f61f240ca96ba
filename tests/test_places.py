"""Shipped files are found from a checkout and from an installed wheel, in any folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from solver import places

ROOT = Path(__file__).parent.parent


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
    assert "solver/_shipped/sample_projects/sled.json" in names
    assert "solver/_shipped/resources/contours.json" in names
    assert "solver/_shipped/docs/guide.md" in names
    assert "solver/_shipped/docs/pictures/window.png" in names
    assert "solver/_shipped/resources/signs/tick_dark.png" in names
    assert not any(name.startswith(("tests/", "tools/")) for name in names)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    program = (
        "import solver.places as p, app.front_door as f, sys;"
        "assert '_shipped' in str(p.samples()), p.samples();"
        "sys.exit(f.main(['sample', 'sled', '-o', 'copy.json']) or f.main(['check', 'copy.json']))"
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


@pytest.mark.skipif(sys.platform != "linux", reason="the folder is named by the system")
def test_the_cache_folder_follows_the_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert places.user_cache() == tmp_path / "manikin"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert places.user_cache() == Path.home() / ".cache" / "manikin"
