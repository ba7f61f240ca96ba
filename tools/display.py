"""A virtual display for what draws: one for each process, as windows of two share no focus."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

SIZE = (1366, 768)


def open_display(*, always: bool = False, size: tuple[int, int] = SIZE) -> Callable[[], None]:
    """Start a virtual display where none is, in each worker, and where one of its own is asked for; give what ends it.

    Raises OSError where the display does not start.
    """
    own = always or "PYTEST_XDIST_WORKER" in os.environ
    if sys.platform != "linux" or not shutil.which("Xvfb"):
        return _nothing
    if os.environ.get("DISPLAY") and not own:
        return _nothing
    read, write = os.pipe()
    server = subprocess.Popen(
        [
            "Xvfb",
            "-displayfd",
            str(write),
            "-screen",
            "0",
            "{}x{}x24".format(*size),
            "-nolisten",
            "tcp",
        ],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as answer:
        number = answer.readline().strip()
    if not number:
        raise OSError(f"Xvfb did not start, it ended with {server.wait()}")
    before = {name: os.environ.get(name) for name in ("DISPLAY", "XAUTHORITY")}
    os.environ["DISPLAY"] = f":{number}"
    os.environ.pop("XAUTHORITY", None)
    os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

    def end() -> None:
        server.terminate()
        server.wait()
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    return end


def _nothing() -> None:
    """End nothing."""
