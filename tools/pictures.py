"""Take the pictures of the documentation: `python -m tools.pictures`."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from solver.places import samples

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SIZE = (1240, 700)


def main() -> int:
    """Take the pictures of outputs and reports, then of the window."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    of_outputs()
    return of_window()


def of_outputs() -> None:
    """Solve the sled sample; keep a plot of it and the first page of its report."""
    from solver.cli import main as command
    from solver.plots.style import styled
    from solver.report import report
    from solver.report.pdf_pages import figures
    from solver.results import open_results

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sled.h5"
        command(["run", str(samples() / "sled.json"), "-o", str(file), "--quiet"])
        names = ["head_acceleration_resultant", "chest_acceleration_resultant"]
        names += ["harnesses/*/tension/1", "segments/head/position/[xz]@vehicle"]
        target = str(PICTURES / "plot.png")
        command(["plot", str(file), "--y", *names, "-o", target, "--size", "7.6", "6.6"])
        with open_results(file) as run, styled():
            figures(report(run).content)[0].savefig(PICTURES / "report.png", dpi=140)
    print(f"wrote {PICTURES / 'report.png'}")


def of_window() -> int:
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
    file = PICTURES / "window.png"
    # quality 0 is the smallest file; PNG loses nothing
    taken = window.grab().save(str(file), "PNG", 0)
    window.close()
    print(f"wrote {file}" if taken else f"'{file}' could not be written.")
    return 0 if taken else 1


if __name__ == "__main__":
    raise SystemExit(main())
