"""Put `solver` and `app` within `manikin` in a wheel, so that one name is installed and not three."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {"manikin": "", "solver": "solver", "app": "app"}
"""Packages of the checkout, and where they lie within the one that is installed."""

_IMPORTED = re.compile(r"^(\s*(?:from|import) )(solver|app)\b", re.MULTILINE)
_NAMED = re.compile(r"""(?<=["'])(solver|app)\.(?=[\w"'])""")


def installed(text: str) -> str:
    """Give a module's text with the names that its imports have in a wheel."""
    return _NAMED.sub(r"manikin.\1.", _IMPORTED.sub(r"\1manikin.\2", text))


class Within(BuildHookInterface[Any]):
    """Lay the packages out as they are installed, in a folder that goes into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the folder; a checkout that is installed in place stays as it is."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        top = Path(self._folder.name)
        for package, place in PLACES.items():
            source = Path(self.root) / package
            for file in sorted(source.rglob("*")):
                if file.is_dir() or "__pycache__" in file.parts:
                    continue
                target = top / place / file.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                content = file.read_bytes()
                if file.suffix == ".py":
                    content = installed(content.decode("utf-8")).encode("utf-8")
                target.write_bytes(content)
        build_data["force_include"][str(top)] = "manikin"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        if version != "editable":
            self._folder.cleanup()
