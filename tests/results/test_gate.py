"""Every HDF5 file passes one gate: it gives out no other file, and asks for no more room than it has bytes for."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from solver.results.hdf5 import attribute, opened, words
from solver.results.layout import ResultsError

ROOT = Path(__file__).parent.parent.parent
ALLOWED = {"solver/results/hdf5.py", "solver/results/stored.py"}
"""Where HDF5 may be opened: through the gate, or in memory, to fill what comes with the program."""


def test_nobody_opens_hdf5_but_the_gate() -> None:
    found = set()
    for room in ("app", "manikin", "solver", "tools", "benchmarks", "validation"):
        for file in (ROOT / room).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if "h5py" not in text and "read_hdf" not in text:
                continue
            for node in ast.walk(ast.parse(text)):
                opens = isinstance(node, ast.Attribute) and node.attr in (
                    "File",
                    "read_hdf",
                    "HDFStore",
                )
                imports = isinstance(node, ast.ImportFrom) and node.module == "h5py" and any(
                    one.name == "File" for one in node.names
                )  # fmt: skip
                low = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "h5f" and node.attr == "open"  # fmt: skip
                # types of arguments are named as strings of a type checker, too
                if (opens and _is_called(text, node)) or imports or low:
                    found.add(file.relative_to(ROOT).as_posix())
    assert found == ALLOWED


def _is_called(text: str, node: ast.AST) -> bool:
    assert isinstance(node, ast.Attribute)
    line = text.splitlines()[(node.end_lineno or 1) - 1].encode()[node.end_col_offset or 0 :]
    return line.startswith(b"(")


def _external_storage(file: Any, secret: Path) -> None:
    size = secret.stat().st_size
    file.create_dataset("time", (size,), "u1", external=[(str(secret), 0, size)])


def _external_link(file: Any, secret: Path) -> None:
    with h5py.File(secret.with_name("other.h5"), "w") as other:
        other["time"] = np.zeros(3)
    file["group/time"] = h5py.ExternalLink(str(secret.with_name("other.h5")), "/time")


def _virtual(file: Any, secret: Path) -> None:
    layout = h5py.VirtualLayout((3,), "f8")
    layout[:] = h5py.VirtualSource(str(secret.with_name("other.h5")), "time", (3,))
    file.create_virtual_dataset("time", layout)


def _soft_link(file: Any, _: Path) -> None:
    file["time"] = h5py.SoftLink("/")


def _promise(file: Any, _: Path) -> None:
    """Ask for 6 GB, of which a piece is stored."""
    data = file.create_dataset("time", (800_000_000,), "f8", chunks=(1000,))
    data[:1000] = 1.0


def _packed(file: Any, _: Path) -> None:
    """Pack zeros beyond what any file of this size may ask for."""
    data = file.create_dataset("time", (2**17, 2**12), "u1", chunks=(2**15, 2**12), compression="gzip", compression_opts=9)  # fmt: skip
    for n in range(4):
        data[n * 2**15 : (n + 1) * 2**15] = 0


def _large_piece(file: Any, _: Path) -> None:
    """Keep one number in a piece of a gigabyte."""
    data = file.create_dataset("time", (1,), "f8", maxshape=(None,), chunks=(2**27,), compression="gzip")  # fmt: skip
    data.id.write_direct_chunk((0,), b"\x78\x9c" + bytes(100))


def _other_packing(file: Any, _: Path) -> None:
    file.create_dataset("time", data=np.zeros(100), compression="lzf")


def _nothing(file: Any, _: Path) -> None:
    file["time"] = h5py.Empty("f8")


@pytest.mark.parametrize(("craft", "said"), [
    (_external_storage, "'time' leads into another file"),
    (_external_link, "'group/time' leads into another file"),
    (_virtual, "'time' leads into another file"),
    (_soft_link, "or to another name"),
    (_promise, "'time' has not all of its values"),
    (_packed, "'time' has not all of its values"),
    (_large_piece, "'time' has not all of its values"),
    (_other_packing, "is packed in a way that is not known"),
    (_nothing, "'time' has not all of its values"),
])  # fmt: skip
def test_what_leads_elsewhere_or_asks_for_too_much_is_not_opened(
    tmp_path: Path, craft: Callable[[Any, Path], None], said: str
) -> None:
    secret, path = tmp_path / "secret", tmp_path / "crafted.h5"
    secret.write_bytes(b"a word that nobody should see")
    with h5py.File(path, "w") as file:
        craft(file, secret)
    assert path.stat().st_size < 700_000
    with pytest.raises(ResultsError, match=said):
        opened(path, "results file")


def test_an_honest_file_is_opened_packed_or_not(tmp_path: Path) -> None:
    path = tmp_path / "it.h5"
    with h5py.File(path, "w") as file:
        file["a"] = np.arange(3.0)
        file["again"] = file["a"]
        file.create_dataset("b/packed", data=np.zeros(50_000), compression="gzip", shuffle=True)
        file.create_dataset("none", (0, 3), "f8", maxshape=(None, 3))
    with opened(path, "results file") as file:
        assert file["again"][:].tolist() == [0.0, 1.0, 2.0]
        assert not file["b/packed"][:].any()


def test_texts_are_no_longer_than_the_file(tmp_path: Path) -> None:
    """Each of many places may name the same long text."""
    path = tmp_path / "it.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("few", data=["ab", "ü"], dtype=h5py.string_dtype())
        data = file.create_dataset("many", (2000,), h5py.string_dtype())
        data[0] = "x" * 60_000
        file.attrs["list"] = ["a", "b"]
        file.attrs["one"] = "a"
    raw = bytearray(path.read_bytes())
    with h5py.File(path) as file:
        place, size = file["many"].id.get_offset(), 16
    raw[place : place + 2000 * size] = 2000 * raw[place : place + size]
    path.write_bytes(raw)
    with opened(path, "results file") as file:
        assert words(file["few"]) == [b"ab", "ü".encode()]
        assert file["many"][1999] == b"x" * 60_000, "120 MB in 100 kB"
        with pytest.raises(ValueError, match="too much"):
            words(file["many"])
        assert attribute(file.attrs, "one") == "a"
        with pytest.raises(ValueError, match="list"):
            attribute(file.attrs, "list")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "text").write_text("no HDF5")
    for name, said in (("none", "There is no file"), ("pipe", "no ordinary file"), ("text", "it is not HDF5"), (".", "is a folder")):  # fmt: skip
        with pytest.raises(ResultsError, match=said):
            opened(tmp_path / name, "study file")
