"""Small screen, big letters, no mouse: 1366 by 768 at 150 %, or another stage, by keys alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication

from tools.stories import USUAL, stage

pytestmark = pytest.mark.window


def test_everything_by_keys_on_a_small_screen_with_big_letters(
    qapp: QGuiApplication, tmp_path: Path
) -> None:
    on, screen = stage(), qapp.primaryScreen().size()
    if on is None and (screen.width(), screen.height()) != USUAL:
        pytest.skip("the screen is not 1366 by 768: `make test` opens one that is")
    scale = on.environment() if on else {"QT_SCALE_FACTOR": "1.5"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.window.keyboard_story", str(tmp_path)],
        env=os.environ | scale | {"MANIKIN_HOME": str(tmp_path / "home")},
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
