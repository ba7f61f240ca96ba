"""Find out whether this machine can draw before drawing: VTK without graphics libraries crashes."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

from app import texts

_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libX11.so.6": "libx11-6",
}


def why_not() -> str:
    """Say in a sentence why nothing can be drawn here; empty where it can."""
    missing = _missing()
    if missing:
        packages = " ".join(_LIBRARIES[name] for name in missing)
        return texts.scene.NO_GRAPHICS.format(libraries=", ".join(missing), packages=packages)
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

    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        window = backend.vtkEGLRenderWindow()
    else:
        window = vtkRenderWindow()
    window.SetOffScreenRendering(True)
    window.SetShowWindow(False)
    window.SetMultiSamples(0)
    return window
