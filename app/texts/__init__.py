"""Words that several files share, by subject; all others stand where they are said.

Sentences with gaps are filled by `format`, so that another language may put the gaps elsewhere.
"""

from app.texts import (
    comparing,
    editing,
    editors,
    elements,
    files,
    forms,
    making,
    outputs,
    panels,
    plots,
    preferences,
    scene,
    study,
    tour,
    window,
)

__all__ = [
    "comparing",
    "editing",
    "editors",
    "elements",
    "files",
    "forms",
    "making",
    "outputs",
    "panels",
    "plots",
    "preferences",
    "scene",
    "study",
    "tour",
    "window",
]
