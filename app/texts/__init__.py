"""Words that several files share, by subject; all others stand where they are said.

They are kept by `msgid` and shown by `tr`, which fills their gaps.
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
