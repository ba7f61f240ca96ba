"""Every word of the window can be said in another language."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.window
def test_no_word_of_the_window_is_said_elsewhere(remembered: Path) -> None:
    environment = {**os.environ, "MANIKIN_HOME": str(remembered), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.window.translated"],
        cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
