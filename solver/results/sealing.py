"""Seal attributes with a checksum: HDF5 has one for all that it keeps, but not for texts in attributes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from solver.results.gate import attribute

SEAL = "checksum"
"""Attribute that holds the checksum of others beside it."""
OF_FILE = ("app_version", "created_utc", "message", "project_sha256", "run", "status")
OF_CHANNEL = ("axis", "cfc", "quantity", "segment", "unit")
"""Attributes that are sealed."""


def seal(attrs: Any, values: Mapping[str, Any], names: Sequence[str]) -> None:
    """Write attributes, and a checksum of those that are named."""
    attrs.update(values)
    attrs[SEAL] = _sum({name: values[name] for name in names})


def sealed(attrs: Any, names: Sequence[str]) -> dict[str, Any]:
    """Read attributes; raises ValueError where they are not what was written.

    Files of older versions have no seal, and may lack some.
    """
    found = {name: attribute(attrs, name) for name in names if name in attrs}
    if SEAL in attrs and int(attribute(attrs, SEAL)) != _sum(found):
        raise ValueError("changed")
    return found


def _sum(values: Mapping[str, Any]) -> int:
    plain = {name: np.asarray(value).tolist() for name, value in values.items()}
    return zlib.crc32(json.dumps(plain, sort_keys=True, default=repr).encode("utf-8", "replace"))
