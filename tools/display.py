"""A virtual display for what draws: one for each process, as windows of two share no focus."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

SIZE = "1366x768x24"


def open_display() -> Callable[[], None]:
    """Start a virtual display where none is, and in each worker; give what ends it."""
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    if sys.platform != "linux" or not shutil.which("Xvfb"):
        return _nothing
    if os.environ.get("DISPLAY") and not is_worker:
        return _nothing
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", SIZE, "-nolisten", "tcp"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as answer:
        number = answer.readline().strip()
    if number:
        os.environ["DISPLAY"] = f":{number}"
        os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

    def end() -> None:
        server.terminate()
        server.wait()

    return end


def _nothing() -> None:
    """End nothing."""
