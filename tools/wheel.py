"""Put `solver` and `app` within `manikin` in a wheel, so that one name is installed and not three; and compiled kernels, where asked.

`MANIKIN_KERNELS=all` compiles all kernels while the wheel is built, for this Python, this system and the common level
of its processors (`docs/compiled.md`). Without it the wheel is one for all.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {"manikin": "", "solver": "solver", "app": "app", "docs": "solver/_shipped/docs"}
"""Packages of the checkout, and its pages, and where they lie within the one that is installed."""

KERNELS = "MANIKIN_KERNELS"
"""Variable that says which kernels the wheel carries compiled: `all` or `none`."""

_IMPORTED = re.compile(r"^(\s*(?:from|import) )(solver|app)\b", re.MULTILINE)
_EXAMPLE = re.compile(r"^```python\n.*?^```", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"""(?<=["'])(solver|app)\.(?=[\w"'])""")
_LEVEL = "from manikin.solver.engine.jit.level import level; print(level().chosen, level().name)"


def installed(text: str) -> str:
    """Give a module's text with the names that its imports have in a wheel."""
    return _NAMED.sub(r"manikin.\1.", _IMPORTED.sub(r"\1manikin.\2", text))


def page_installed(text: str) -> str:
    """Give a page whose examples have the names of what is installed."""
    return _EXAMPLE.sub(lambda found: installed(found[0]), text)


def carries_kernels() -> bool:
    """Whether the wheel shall carry compiled kernels."""
    wanted = os.environ.get(KERNELS, "none")
    if wanted not in ("all", "none"):
        raise ValueError(f"{KERNELS} is 'all' or 'none', not '{wanted}'")
    return wanted == "all"


def lay_out(root: Path, package: Path) -> None:
    """Write the packages of a checkout into a folder, as they are installed."""
    for name, place in PLACES.items():
        source = root / name
        for file in sorted(source.rglob("*")):
            if file.is_dir() or "__pycache__" in file.parts:
                continue
            target = package / place / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            content = file.read_bytes()
            as_installed = {".py": installed, ".md": page_installed}.get(file.suffix)
            if as_installed is not None:
                content = as_installed(content.decode("utf-8")).encode("utf-8")
            target.write_bytes(content)


def compile_in(package: Path, resources: Path, *names: str) -> None:
    """Compile the kernels of a package that is laid out, all or the named ones, into its own folder."""
    shipped = package / "solver" / "_shipped"
    told = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    told |= {"PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(shipped / "kernels")}

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-B", *words], cwd=package.parent, env=told, text=True,
            stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
        return done.stdout

    # what the schema reads; the wheel has it from elsewhere
    shutil.copytree(resources, shipped / "resources")
    with tempfile.TemporaryDirectory() as claims:
        chosen, _, level = run("-c", _LEVEL).strip().partition(" ")
        if chosen != "common":
            raise RuntimeError(f"no kernels for a wheel are compiled here: this is a '{level}'")
        words = [claims, *names] if names else []
        run("-m", "manikin.solver.running.warm", *words)
    shutil.rmtree(shipped / "resources")


class Within(BuildHookInterface[Any]):
    """Lay the packages out as they are installed, in a folder that goes into the wheel."""

    def dependencies(self) -> list[str]:
        """What has to be there to compile kernels: all that the program has."""
        return list(self.metadata.core.dependencies) if carries_kernels() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the folder; a checkout that is installed in place stays as it is."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        package = Path(self._folder.name) / "manikin"
        lay_out(Path(self.root), package)
        if carries_kernels():
            compile_in(package, Path(self.root) / "resources")
            build_data["pure_python"] = False
            build_data["infer_tag"] = sys.platform != "linux"
            if sys.platform == "linux":
                build_data["tag"] = _linux_tag()
        build_data["force_include"][str(package)] = "manikin"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        if version != "editable":
            self._folder.cleanup()


def _linux_tag() -> str:
    """Name any Linux with the GNU C library: kernels are linked to nothing of it but what is found as they are loaded."""
    from packaging.tags import sys_tags

    here = next(tag for tag in sys_tags() if tag.platform.startswith("linux_"))
    machine = here.platform.removeprefix("linux_")
    return f"{here.interpreter}-{here.abi}-manylinux_2_17_{machine}"
