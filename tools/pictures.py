"""Take the pictures of the documentation: `python -m tools.pictures`."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from solver.base.places import resources, samples

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SIZE = (1240, 700)
_OF_FRONT = 24
"""So few runs of the default sample's optimum show what a front is."""


def main() -> int:
    """Take the pictures of outputs and reports, then of the window."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    of_movement()
    of_outputs()
    of_aircraft()
    return of_window()


def of_movement() -> None:
    """Film the default sample from beside the car, small enough for the first page."""
    from PIL import Image

    from app.front_door import main as command

    with tempfile.TemporaryDirectory() as folder:
        file, pictures = Path(folder) / "frontal.h5", Path(folder) / "frames"
        command(["run", str(samples() / "frontal.json"), "-o", str(file), "--quiet"])
        seen = ["--ride", "vehicle", "--size", "600x380", "--rate", "12", "--speed", "0.04"]
        command(["movie", str(file), "-o", str(pictures), *seen])
        first, *others = (Image.open(one).convert("RGB") for one in sorted(pictures.iterdir()))
        target = PICTURES / "crash.webp"
        first.save(target, save_all=True, append_images=others, duration=1000 // 12, loop=0, quality=45, method=6)  # fmt: skip
    print(f"wrote {target}, {target.stat().st_size / 1e3:.0f} kB")


def of_aircraft() -> None:
    """Draw both tests of the dummy in the aircraft seat from the side, as they go on."""
    from matplotlib.figure import Figure

    import manikin as mk
    from validation.strips import draw

    drawing = Figure(figsize=(11.0, 5.0), layout="constrained")
    times = {"aircraft_dummy": (0, 80, 120, 150, 180), "aircraft_14g": (0, 60, 85, 110, 150)}
    for number, (name, at_ms) in enumerate(times.items(), 1):
        model = mk.sample(name)
        draw(drawing.add_subplot(2, 1, number), model.project, mk.run(model), at_ms)
    drawing.savefig(PICTURES / "aircraft.png", dpi=90)


def of_outputs() -> None:
    """Solve the sled sample; keep a plot of it and the first page of its report."""
    from solver.cli import main as command
    from solver.report import report
    from solver.report.pdf_page import figures
    from solver.report.plots.curves import styled
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
        crash = Path(folder) / "crash.h5"
        command(["run", str(samples() / "frontal_5f.json"), "-o", str(crash), "--quiet"])
        of_story(crash)
    print(f"wrote {PICTURES / 'report.png'}")


def of_story(crash: Path) -> None:
    """Keep the first page of what is told of a frontal crash."""
    from solver.report import report
    from solver.report.pdf_page import figures
    from solver.report.plots.curves import styled
    from solver.results import open_results

    with open_results(crash) as run, styled():
        content = report(run, explained=True).content
        (title,) = (story.title for story in content.stories)
        told = (
            page for page in figures(content) if title in {one.get_text() for one in page.texts}
        )
        next(told).savefig(PICTURES / "explained.png", dpi=110)


def of_window() -> int:
    """Play the first five minutes in the window: welcome, model, run, curves, injury figures."""
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication

    from app.application import Application
    from app.settings import Settings
    from app.shell.window import MainWindow

    application = QApplication(["manikin"])
    application.setStyle("Fusion")
    folder = tempfile.TemporaryDirectory()
    os.environ["MANIKIN_HOME"] = folder.name
    window = MainWindow(Application(Settings(Path(folder.name))))
    window.application.set_scheme(Qt.ColorScheme.Light)
    window.resize(*SIZE)
    window.show()
    taken = True

    def take(name: str) -> None:
        nonlocal taken
        for _ in range(20):
            application.processEvents()
            time.sleep(0.02)
        file = PICTURES / f"{name}.png"
        # quality 0 is the smallest file; PNG loses nothing
        saved = window.grab().save(str(file), "PNG", 0)
        taken = taken and saved
        print(f"wrote {file}" if saved else f"'{file}' could not be written.")

    while any(card.picture.pixmap().isNull() for card in window.panels["welcome"].cards):
        application.processEvents()
    take("welcome")
    window.open_file(samples() / "frontal.json")
    while not window.bench.run_view.is_on:
        # the run that comes with the sample
        application.processEvents()
        time.sleep(0.02)
    window.bench.run_view.switch(False)
    window.bench.document.select("segments/driver_upper_torso")
    take("window")
    window.menus.run("place.person")
    take("people")
    of_crash(window, application)
    window.bench.document.select("")
    window.bench.run_view.run()
    while window.bench.run_view.runs.running() is not None:
        application.processEvents()
        time.sleep(0.02)
    window.menus.run("run.study")
    page = window.panels["result"]
    while not page.rows or any(one.picture.icon().isNull() for one in page.rows):
        application.processEvents()
        time.sleep(0.02)
    window.bench.run_view.player.pause()
    window.bench.run_view.go(0.075)
    take("result")
    window.panels.open("plots")
    take("study")
    window.panels.open("injury")
    take("injury")
    panel = window.panels["injury"]
    while not panel.tree.topLevelItemCount():
        application.processEvents()
        time.sleep(0.02)
    rows = (panel.tree.topLevelItem(n) for n in range(panel.tree.topLevelItemCount()))
    panel.ask_why(next(row for row in rows if panel._figures[id(row)].part == "upper_torso"))
    take("why")
    of_studies(window, application, take)
    of_bench(window, application)
    of_imported(window, application, take)
    # nobody is there to be asked whether it is saved
    window.bench.document.history.setClean()
    window.close()
    return 0 if taken else 1


def of_imported(window: Any, application: Any, take: Callable[[str], None]) -> None:
    """Show a deck beside its cards, those of its head marked."""
    window.bench.document.history.setClean()
    window.bench.import_asked.emit(resources() / "data" / "decks" / "sled.ain")
    window.bench.document.select("segments/H")
    view = window.bench.viewport
    while not (view.isVisible() and view.picture.is_fine):
        application.processEvents()
        time.sleep(0.02)
    take("imported")


def of_crash(window: Any, application: Any) -> None:
    """Show the choices of a new crash beside the scene, and leave them."""
    from PySide6.QtGui import QPainter

    dialog = window.features["crash"].ask()
    while dialog.shown is None:
        application.processEvents()
        time.sleep(0.02)
    for _ in range(40):
        application.processEvents()
        time.sleep(0.02)
    picture = window.grab()
    with QPainter(picture) as painter:
        painter.drawPixmap(window.mapFromGlobal(dialog.pos()), dialog.grab())
    picture.save(str(PICTURES / "new_crash.png"), "PNG", 0)
    print(f"wrote {PICTURES / 'new_crash.png'}")
    dialog.reject()


def of_bench(window: Any, application: Any) -> None:
    """Show a dummy that has passed its bench tests, with the figures and curves of its neck."""
    bench = window.features["certify"].open()
    bench.run_all.click()
    while bench.is_busy:
        application.processEvents()
        time.sleep(0.02)
    neck = bench.tree.topLevelItem(1)
    neck.setExpanded(True)
    bench.tree.setCurrentItem(neck)
    for _ in range(20):
        application.processEvents()
        time.sleep(0.02)
    bench.grab().save(str(PICTURES / "certify.png"), "PNG", 0)
    print(f"wrote {PICTURES / 'certify.png'}")
    bench.close()


def of_studies(window: Any, application: Any, take: Callable[[str], None]) -> None:
    """Ask a sample what its tolerances do and what decides, and let it swing in a mode."""
    window.open_file(samples() / "lap_belt.json")
    window.panels.give_half(True)
    studies, modes = window.features["studies"], window.features["modes"]
    for name, title in (
        ("tolerances", "studies"),
        ("what_decides", "decides"),
        ("belt_and_bag_front", "front"),
    ):
        if title == "front":
            window.open_file(samples() / "frontal.json")
        studies.show(name)
        if title == "front":
            studies.panel.count.setValue(_OF_FRONT)
        studies.run()
        while studies.going is not None:
            application.processEvents()
            time.sleep(0.02)
        take(title)
    window.panels.give_half(False)
    window.open_file(samples() / "frontal.json")
    where, tree = modes.panel.where, modes.panel.tree
    where.setCurrentIndex(where.findData("rest"))
    modes.find("rest")
    while modes.linear is None:
        application.processEvents()
        time.sleep(0.02)
    swings = [n for n, mode in enumerate(modes.linear.modes) if mode.kind == "oscillation"]
    tree.setCurrentItem(tree.topLevelItem(swings[0]))
    tree.verticalScrollBar().setValue(swings[0] - 1)
    begun = time.monotonic()
    while time.monotonic() - begun < 1.0:
        application.processEvents()
    # what stands still is drawn finely
    modes.swing.stop()
    take("modes")
    modes.rest()


if __name__ == "__main__":
    raise SystemExit(main())
