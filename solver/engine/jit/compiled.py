"""Which kernels are compiled, and where they are kept.

A wheel may carry compiled kernels within the package; these are only read. What is not among them is compiled on
this machine, into the user's cache. Each module's kernels are kept in a folder named after all that goes into them: the module, the
modules of kernels that it imports, these in turn, and what compiles them. Numba alone would run the
old code of a changed kernel from the cache of an unchanged one that calls it. As the folder's name
vouches for the sources, it is good for every place and time at which they are installed; and a
changed module leaves what does not import it as it is.

Numba is not loaded here: who only asks does not wait for it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import time
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from solver.base.places import user_cache
from solver.engine.jit.level import level

ROOMS = ("jit", "maths", "dynamics", "forces", "integrate")
"""Packages of the engine that hold kernels, and what compiles them."""

KEPT = 3
"""Caches of other versions of a module that are kept, besides those of the last day."""

ENGINE = Path(__file__).resolve().parent.parent

_DAY_S = 86_400.0
# an installed solver lies within the public library
_IMPORTED = re.compile(
    rb"^\s*(?:from|import) (?:manikin\.)?solver\.engine\.([a-z_]+)((?:\.[a-z_]+)*)\b", re.MULTILINE
)


def fingerprint(*sources: Path) -> str:
    """Name the state of modules' kernels: all sources that go into them, and what compiles them."""
    digest = hashlib.sha256(_compiler().encode())
    found, left = set[Path](), list(sources)
    while left:
        file = left.pop()
        if file not in found:
            found.add(file)
            left += read(file)[1]
    for file in sorted(found):
        digest.update(f"{file.parent.name}/{file.name}".encode())
        digest.update(read(file)[0])
    return digest.hexdigest()[:20]


def _compiler() -> str:
    """What compiles them, and for what; machines that agree in it may have each other's."""
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')} {sys.platform}"
    to = level()
    return f"{version('numba')} {version('llvmlite')} {python} {to.cpu} {to.features}"


@cache
def read(source: Path) -> tuple[bytes, list[Path]]:
    """A digest of a module, and the modules of kernels that it imports."""
    text = source.read_bytes()
    imported: list[Path] = []
    for match in _IMPORTED.finditer(text):
        room, *names = (match[1] + match[2]).decode().split(".")
        if room in ROOMS:
            whole = ENGINE.joinpath(room, *names)
            one = whole.with_suffix(".py")
            # who imports from a package may have any of its modules
            imported += [one] if one.is_file() else sorted(whole.rglob("*.py"))
    return hashlib.sha256(text).digest(), imported


@cache
def folder_of(source: Path) -> Path:
    """Give the folder where a module's kernels are kept in their present state; it may not exist yet."""
    return BASE / f"{name_of(source)}-{fingerprint(source)}"


def shipped_folder_of(source: Path) -> Path:
    """Give the folder of those that came with the package; mostly it does not exist."""
    return SHIPPED / folder_of(source).name


def name_of(source: Path) -> str:
    """A module's name, within the engine where it is one of its own."""
    inside = source.is_relative_to(ENGINE)
    parts = source.relative_to(ENGINE).parts if inside else source.parts[-2:]
    return ".".join(parts).removesuffix(".py")


@cache
def _mark(kernel: Any) -> Path:
    code = kernel.py_func.__code__
    return folder_of(Path(code.co_filename).resolve()) / f"{code.co_name}.compiled"


def is_compiled(kernel: Any) -> bool:
    """Whether a kernel has been compiled in its present state, here or where the package was built."""
    mark = _mark(kernel)
    return mark.exists() or (SHIPPED / mark.parent.name / mark.name).exists()


def mark_compiled(kernel: Any) -> None:
    """Note that a kernel is in the cache, and clear out what other versions of its module left."""
    mark = _mark(kernel)
    if mark.exists():
        return
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    module = mark.parent.name.rpartition("-")[0]
    others = [f for f in BASE.glob(f"{module}-*") if f != mark.parent]
    for old in sorted(others, key=_age_s)[KEPT:]:
        if _age_s(old) > _DAY_S:
            shutil.rmtree(old, ignore_errors=True)


def _age_s(folder: Path) -> float:
    try:
        return time.time() - folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _all_mark() -> str:
    rooms = (source for room in ROOMS for source in sorted((ENGINE / room).rglob("*.py")))
    return f"all-{fingerprint(ENGINE.parent / 'running' / 'warm.py', *rooms)}"


def are_all_compiled() -> bool:
    """Whether nothing is left to be compiled."""
    mark = _all_mark()
    return (BASE / mark).exists() or (SHIPPED / mark).exists()


def mark_all_compiled() -> None:
    """Note that nothing is left to be compiled."""
    BASE.mkdir(parents=True, exist_ok=True)
    for old in BASE.glob("all-*"):
        if _age_s(old) > _DAY_S:
            old.unlink(missing_ok=True)
    (BASE / _all_mark()).touch()


_given = os.environ.get("NUMBA_CACHE_DIR")
BASE = Path(_given) if _given else user_cache() / "kernels"
"""Where compiled kernels are kept."""

SHIPPED = ENGINE.parent / "_shipped" / "kernels"
"""Where a wheel carries them; a checkout has none. They are trusted as the package is within which they lie."""
