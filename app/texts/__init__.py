"""Words that several files share, by subject; all others stand where they are said.

They are kept by `msgid` and shown by `tr`, which fills their gaps.
"""

from app.texts import (
    elements,
    making,
    scene,
    words,
)

__all__ = [
    "elements",
    "making",
    "scene",
    "words",
]
