"""Write a file in a thread of its own, while the window tells of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app import texts
from app.jobs.task import Task

if TYPE_CHECKING:
    from app.window import MainWindow


def write_behind(window: MainWindow, file: Path, write: Callable[[], object]) -> Task:
    """Write; the status line tells of beginning and end, a notice of what went wrong."""
    task = Task(write, window)
    task.done.connect(lambda _: window.say(texts.files.WRITTEN.format(file=file.name)))
    task.failed.connect(lambda failure: window.studio.tell_task(window, failure))
    window.say(texts.files.WRITING.format(file=file.name))
    task.start()
    return task
