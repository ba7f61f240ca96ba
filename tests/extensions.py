"""Packages that add to the program, installed without a network: on the path, with what an installer writes beside them."""

from __future__ import annotations

import tomllib
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parent.parent / "docs" / "example_extension"


def installed(folder: Path, source: Path = EXAMPLE) -> tuple[str, str]:
    """Install a package into a folder as an installer does in place, and give the folders that the path of Python needs."""
    told = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = told["name"].replace("-", "_")
    info = folder / f"{name}-{told['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {told['name']}\nVersion: {told['version']}\n",
        encoding="utf-8",
    )
    lines = []
    for group, entries in told["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in entries.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return str(folder), str(source)
