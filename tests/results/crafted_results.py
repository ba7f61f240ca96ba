"""Results files that no run has written: what people, programs and enemies may make of one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from solver.results.hdf5 import SEAL

Change = Callable[[Any, str, np.random.Generator], None]


def _instead(make: Callable[[Any, np.random.Generator], Any]) -> Change:
    """Put something else in the place of a dataset."""

    def change(file: Any, name: str, rng: np.random.Generator) -> None:
        old = file[name][()] if isinstance(file[name], h5py.Dataset) else np.zeros(3)
        del file[name]
        new = make(np.asarray(old), rng)
        if new is not None:
            file[name] = new

    return change


def _attribute(file: Any, name: str, rng: np.random.Generator) -> None:
    """Give an attribute another type."""
    attrs = file[name].attrs
    if len(attrs):
        key = sorted(attrs)[int(rng.integers(len(attrs)))]
        attrs[key] = [np.nan, b"\xff\xfe", np.zeros((2, 2)), 2**62, ""][int(rng.integers(5))]


def _root(file: Any, _: str, rng: np.random.Generator) -> None:
    _attribute(file, "/", rng)


def _link(file: Any, name: str, rng: np.random.Generator) -> None:
    """Let a name lead elsewhere."""
    del file[name]
    file[name] = [
        h5py.SoftLink("/none"),
        h5py.SoftLink("/"),
        h5py.ExternalLink("none.h5", "/"),
        h5py.ExternalLink(file.filename, "/time"),
    ][int(rng.integers(4))]


def _empty_promise(file: Any, name: str, _: np.random.Generator) -> None:
    """Say that there are very many values, of which none is stored."""
    shape = getattr(file[name], "shape", (3,)) or (3,)
    del file[name]
    file.create_dataset(name, (10**10, *shape[1:]), "f8", chunks=(1000, *shape[1:]))


def _project(file: Any, _: str, rng: np.random.Generator) -> None:
    """Put another text in the place of the project."""
    whole = json.loads(file["project"][()])
    for list_ in ("segments", "joints", "contacts", "runs"):
        whole[list_] = whole.get(list_, [])[:-1]
    texts = [b"", b"[]", b"\xff\xfe", b"{", b"null", b'{"runs": 5}', json.dumps(whole).encode()]
    del file["project"]
    file["project"] = np.bytes_(texts[int(rng.integers(len(texts)))] or b" ")


CHANGES: tuple[Change, ...] = (
    _instead(lambda _, __: None),
    _instead(lambda old, _: old[:-1] if old.ndim else 0),
    _instead(lambda old, _: old[:0] if old.ndim else np.zeros(0)),
    _instead(lambda old, _: np.full(old.shape, np.nan)),
    _instead(lambda old, _: np.full(old.shape, 1e300)),
    _instead(lambda old, _: np.full(old.shape, -7)),
    _instead(lambda old, _: np.full(old.shape, b"\xff")),
    _instead(lambda old, rng: rng.permutation(old) if old.ndim else old),
    _instead(lambda _, __: h5py.Empty("f8")),
    _attribute,
    _root,
    _link,
    _empty_promise,
    _project,
)


def crafted(whole: Path, copy: Path, seed: int) -> str:
    """Change a results file in one or two places; gives what was done."""
    rng = np.random.default_rng(seed)
    shutil.copy(whole, copy)
    done = []
    with h5py.File(copy, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        for place in ["/", *names]:
            file[place].attrs.pop(SEAL, None)
        for _ in range(1 + seed % 2):
            name = names[int(rng.integers(len(names)))]
            change = CHANGES[int(rng.integers(len(CHANGES)))]
            if file.get(name) is not None:
                change(file, name, rng)
                done.append(f"{getattr(change, '__name__', '')} {name}")
    return "; ".join(done)
