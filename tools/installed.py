"""Build the wheel, install it in new environments, and run every example of the documents there: `make installed`.

In one environment all extras are installed; in another nothing but what a bare `pip install manikin` brings. Neither knows
the checkout: examples are those of the pages that the wheel carries, and the tests that run them have the names of what is
installed, as the program itself (`tools/wheel.py`).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tools import wheel

ROOT = Path(__file__).resolve().parent.parent

TESTS = (
    "tests/__init__.py",
    "tests/commands_of_pages.py",
    "tests/manikin/__init__.py",
    "tests/manikin/test_manikin.py",
    "tests/manikin/test_notebooks.py",
    "tests/manikin/test_pages.py",
    "tests/manikin/test_scripts.py",
    "tests/manikin/test_tutorials.py",
    "tests/scripts",
    "tools/__init__.py",
    "tools/notebooks.py",
    "README.md",
)
"""What is taken from the checkout beside the wheel: the tests that run examples, with what they need."""

BARE = (
    "tests/__init__.py",
    "tests/base/__init__.py",
    "tests/base/test_extras.py",
    "pyproject.toml",
)

EXAMPLES = "example or notebook_runs or script_runs or tutorial or command or same_name or page"
WITHOUT = "bare or do_without or does_without"

SETTINGS = """[pytest]
addopts = -p no:cacheprovider --timeout=600
markers =
    slow: takes more than a few seconds
"""


def main() -> int:
    """Build, install and run; print how long each part took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, help="one that is built already")
    parser.add_argument(
        "-k", dest="chosen", default=EXAMPLES, help="only some examples, as pytest names them"
    )
    asked = parser.parse_args()
    taken: list[tuple[str, float, bool]] = []

    def timed(what: str, work: Sequence[str | Path], where: Path, **more: str) -> bool:
        begun = time.monotonic()
        print(f"=== {what}", flush=True)
        done = subprocess.run(
            [str(word) for word in work], cwd=where, env=_plain() | more, check=False
        )
        taken.append((what, time.monotonic() - begun, done.returncode == 0))
        return done.returncode == 0

    with tempfile.TemporaryDirectory(prefix="manikin-installed-") as name:
        top = Path(name)
        built = asked.wheel
        if built is None:
            words: list[str | Path] = [
                sys.executable,
                "-m",
                "build",
                "--wheel",
                "--no-isolation",
                "-o",
                top,
                ROOT,
            ]
            if not timed("wheel", words, ROOT):
                return 1
            (built,) = top.glob("*.whl")
        for kind, extra, files, chosen in (
            ("all", "[all]", TESTS, asked.chosen),
            ("bare", "", BARE, WITHOUT),
        ):
            place = top / kind
            python = _environment(place / "env")
            needs = ["pytest", "pytest-timeout"]
            if extra:
                needs += ["ipykernel", "nbclient", "nbformat", "pytest-xdist"]
            installing: list[str | Path] = [*_installer(python), f"{built}{extra}", *needs]
            if not timed(f"install {kind}", installing, top):
                continue
            tree = _tree(place / "tree", files, python)
            timed(
                f"examples {kind}",
                [python, "-m", "pytest", "-q", "-rfE", "-k", chosen, *(["-n", "2"] if extra else []),
                 *(one for one in files if Path(one).stem.startswith(("test_", "commands_")))],
                tree,
            )  # fmt: skip
    print("\npart             result   seconds")
    for what, seconds, is_good in taken:
        print(f"{what:<16} {'passed' if is_good else 'FAILED'} {seconds:>9.1f}")
    return 0 if all(is_good for *_, is_good in taken) else 1


def _plain() -> dict[str, str]:
    """Give the surroundings without what leads to the checkout."""
    led = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in led} | {"MPLBACKEND": "agg"}  # fmt: skip


def _environment(folder: Path) -> Path:
    """Make an environment, and give its Python."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _installer(python: Path) -> list[str]:
    return [str(python), "-m", "pip", "install", "--disable-pip-version-check", "-q"]


def _tree(folder: Path, files: Sequence[str], python: Path) -> Path:
    """Lay out tests, with the names of what is installed, beside the pages that the wheel carries."""
    for name in files:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        elif source.suffix == ".py":
            target.write_text(wheel.installed(source.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            shutil.copy(source, target)
    where = "from manikin.solver.base import places; print(places.docs())"
    found = subprocess.run(
        [str(python), "-c", where], cwd=folder, env=_plain(), capture_output=True, text=True, check=True
    )  # fmt: skip
    pages = Path(found.stdout.strip())
    if pages.is_relative_to(ROOT) or not pages.is_relative_to(python.parent.parent.resolve()):
        raise RuntimeError(f"the environment reaches '{pages}', which it should not know")
    shutil.copytree(pages, folder / "docs")
    (folder / "pytest.ini").write_text(SETTINGS, encoding="utf-8")
    return folder


if __name__ == "__main__":
    sys.exit(main())
