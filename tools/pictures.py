"""Take the pictures of the documentation: `python -m tools.pictures`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from solver.places import samples

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SIZE = (1240, 700)


def main() -> int:
    """Open the sled sample in the window with the upper torso selected, and keep what is seen."""
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication

    from app.window import MainWindow

    application = QApplication(["manikin"])
    application.setStyle("Fusion")
    window = MainWindow()
    window.studio.set_scheme(Qt.ColorScheme.Light)
    window.resize(*SIZE)
    window.show()
    window.open_file(samples() / "sled.json")
    window.document.select("segments/upper_torso")
    application.processEvents()
    PICTURES.mkdir(parents=True, exist_ok=True)
    file = PICTURES / "window.png"
    # quality 0 is the smallest file; PNG loses nothing
    taken = window.grab().save(str(file), "PNG", 0)
    window.close()
    print(f"wrote {file}" if taken else f"'{file}' could not be written.")
    return 0 if taken else 1


if __name__ == "__main__":
    raise SystemExit(main())
