"""Everything that the window says in English, by subject; labels and help of fields stand in the schema.

Whoever shows words takes them from here: `texts.plots.SAVE`. Sentences with gaps are filled by
`format`, so that another language may put the gaps elsewhere.
"""

from app.texts import (
    actions,
    comparing,
    editing,
    editors,
    elements,
    files,
    forms,
    guide,
    making,
    outputs,
    panels,
    plots,
    preferences,
    scene,
    study,
    tour,
    whatif,
    window,
)

__all__ = [
    "actions",
    "comparing",
    "editing",
    "editors",
    "elements",
    "files",
    "forms",
    "guide",
    "making",
    "outputs",
    "panels",
    "plots",
    "preferences",
    "scene",
    "study",
    "tour",
    "whatif",
    "window",
]
