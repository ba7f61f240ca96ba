"""The guide window: topics, search, reference of elements."""

from __future__ import annotations

TITLE = "Guide"
SEARCH = "Search the guide"
TOPICS = "Topics"
ELEMENTS = "Elements and their fields"
BACK = "Back to the page before (Alt+Left)"
AHEAD = "On to the page after (Alt+Right)"
PAGE = "Page of the guide"
HELP = "Help"
HELP_TIP = "What the guide tells of this (F1)"
NOTHING_FOUND = "Nothing of this is in the guide. Try another word, or fewer of them."
MISSING = (
    "This page of the guide is missing from the installation. Install Manikin again to have it."
)
HIT = "{section}  ·  {page}"

# the reference of elements
PART_OF = "Part of:"
UNIT = "in {unit}"
REQUIRED = "needed"
USUAL = "usually {value}"
RANGE = "range {range}"
