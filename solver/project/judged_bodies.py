"""Which bodies injury figures can be compared with: dummies of the library, then those of which limits alone are known.

Names alone are read here, for the fields of outputs; `bodies/dummies.py` looks through the entries, `injury/reference.py` reads the limits.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from typing import Any

from solver.base.places import resources

_HEAD = re.compile(r'\s*\{\s*"dummy"\s*:\s*')


def entry_in(text: str) -> Any:
    """The entry that begins the file of a dummy; none where the file does not begin with one."""
    found = _HEAD.match(text)
    return json.JSONDecoder().raw_decode(text, found.end())[0] if found else None


@functools.cache
def bodies_of_the_library(kind: str) -> tuple[str, ...]:
    """Name the bodies of the library, "dummies" or those as "printed", in the order in which they are offered."""
    text = (resources() / "bodies.json").read_text(encoding="utf-8")
    return tuple(json.loads(text)[kind])


def judged_bodies() -> dict[str, str]:
    """Name the bodies with limits, and say what they are called."""
    own = {id_: str(judged.get("name", id_)) for id_, judged in _dummies().items()}
    return own | {one["id"]: one["name"] for one in injury_data()["bodies"]}


def judged_necks() -> tuple[str, ...]:
    """Name the bodies with intercepts of Nij."""
    own = (name for name, judged in _dummies().items() if judged.get("neck"))
    return (*own, *(one["body"] for one in injury_data()["necks"]))


@functools.cache
def injury_data() -> Mapping[str, Any]:
    """What `resources/injury.json` holds."""
    data: Mapping[str, Any] = json.loads((resources() / "injury.json").read_text(encoding="utf-8"))
    return data


@functools.cache
def _dummies() -> dict[str, Mapping[str, Any]]:
    """Give, unchecked, what the dummies' entries say of their limits, by the names used there."""
    found = dict[str, Mapping[str, Any]]()
    for name in bodies_of_the_library("dummies"):
        text = (resources() / "dummies" / f"{name}.json").read_text(encoding="utf-8")
        judged = (entry_in(text) or {}).get("judged_as")
        if isinstance(judged, dict) and isinstance(judged.get("id"), str):
            found[judged["id"]] = judged
    return found
