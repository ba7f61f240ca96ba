"""What the elements of a project are called."""

from __future__ import annotations

from solver.base.words import msgid
from solver.project.checks import ids

ONE, MANY = ({name: words[n] for name, words in ids.LIST_WORDS.items()} for n in (0, 1))
"""One element of a list, and several."""

PROJECT = msgid("Project")
START = msgid("Start")
GROUND = msgid("Ground")
AND = msgid("{one} and {other}")
