"""Find out whether this machine can draw before drawing: VTK without graphics libraries crashes."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

from solver.base import extras
from solver.base.words import tr

_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libX11.so.6": "libx11-6",
}

_BY_PROCESSOR = {"LIBGL_ALWAYS_SOFTWARE": "1", "__GLX_VENDOR_LIBRARY_NAME": "mesa"}
"""What Mesa is told so that no graphics card is used; every new window asks again."""


def draw_by_processor(on: bool) -> None:
    """Let windows that are made from now on do without the graphics card, or with it again.

    What the person's own environment says is left alone.
    """
    for name, value in _BY_PROCESSOR.items():
        mark = f"MANIKIN_SET_{name}"
        if on and name not in os.environ:
            os.environ[name] = os.environ[mark] = value
        elif not on and mark in os.environ:
            del os.environ[name], os.environ[mark]


def drawn_by(window: Any) -> str:
    """Name what draws a VTK window, as its graphics library does; empty where that is not said."""
    lines = str(window.ReportCapabilities()).splitlines()
    found = (line.partition(":")[2].strip() for line in lines if "renderer string" in line)
    return next(found, "")


def why_not() -> str:
    """Say in a sentence why nothing can be drawn here; empty where it can."""
    lacking = extras.missing("pictures")
    if lacking is not None:
        return str(lacking)
    missing = _missing()
    if missing:
        packages = " ".join(_LIBRARIES[name] for name in missing)
        return tr(
            "The 3D picture needs the system libraries {libraries}. On Debian or Ubuntu: apt install {packages}.",
            libraries=", ".join(missing),
            packages=packages,
        )
    return ""


def _missing() -> list[str]:
    if sys.platform != "linux":
        return []
    return [name for name in _LIBRARIES if not _loads(name)]


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def off_screen_window() -> Any:
    """Make a VTK window that draws into memory; through EGL where there is no X display.

    It does not smooth edges: see `exposure`.
    """
    import vtkmodules.vtkRenderingOpenGL2 as backend
    from vtkmodules.vtkRenderingCore import vtkRenderWindow

    window: vtkRenderWindow
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        window = backend.vtkEGLRenderWindow()
    else:
        window = vtkRenderWindow()
    window.SetOffScreenRendering(True)
    window.SetShowWindow(False)
    window.SetMultiSamples(0)
    # nobody sees it: showing it would only wait for all that is being drawn
    window.SetSwapBuffers(False)
    return window
