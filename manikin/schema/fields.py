"""Say once what a field of the document is: its unit, default, range, label and help.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TypedDict


class Element(TypedDict, total=False):
    """Be something with an id that stands in one of the document's lists."""

    name: str
    """Name (""): What people read; the id where empty."""
    group: str
    """Group (""): Heading in the outline, such as Occupant or Seat; nested by slashes."""
    note: str
    """Note (""): Anything worth knowing about this element."""
    source: str
    """Source (""): Where the numbers come from."""
