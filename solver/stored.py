"""Runs that come with the samples: small, of known samples, and of a known state of the engine.

`python -m tools.samples --runs` makes them; a test compares them with what the engine finds now.
"""

from __future__ import annotations

import hashlib
import lzma
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from solver.places import NotShipped, samples
from solver.results import ResultsError
from solver.results.trajectory import Array
from solver.whole import write_whole

FOLDER, SUFFIX, MARKS = "runs", ".h5.xz", "engines.txt"
"""In `MARKS` stands for each sample by which state of the engine its run was found, or found again."""
BITS, BITS_OF_PLACES = 11, 14
"""So many of the 52 binary digits of a number's fraction are kept: what is left out is less than 1 in 4,000 of it,
and 1 in 30,000 of places."""
_PLACES = ("position", "quaternion_wxyz")
_FEW = 200
"""Datasets of fewer numbers stay as they are."""
_EXACT = ("injury", "integrator", "events")
_LEFT_OUT = "checkpoints"
"""What only a run that goes on needs."""
_ROOMS = ("dynamics", "forces", "injury", "integrate", "maths", "model", "outputs", "signals")
"""Where what a run finds comes from."""


def stored_file(sample: Path) -> Path | None:
    """Give the stored run of a sample; none where the file is no sample, or has none."""
    try:
        folder = samples().resolve()
    except NotShipped:
        return None
    found = folder / FOLDER / f"{sample.stem}{SUFFIX}"
    return found if sample.resolve().parent == folder and found.is_file() else None


@cache
def engine() -> str:
    """Give a mark of what computes runs: another one where a line of it is another."""
    here, digest = Path(__file__).resolve().parent, hashlib.sha256()
    for file in sorted(file for room in _ROOMS for file in (here / room).rglob("*.py")):
        digest.update(file.relative_to(here).as_posix().encode())
        digest.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


def marks() -> dict[str, str]:
    """Give for each sample the state of the engine that its stored run is known to be of."""
    try:
        lines = (samples() / FOLDER / MARKS).read_text(encoding="utf-8").splitlines()
    except (OSError, NotShipped):
        return {}
    return {name: mark for name, _, mark in (line.partition(" ") for line in lines)}


def digest_of(file: Path) -> str:
    """Give a digest of a stored run; OSError where it cannot be read."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 0, "pb": 0}]
"""Bytes of numbers that lie sorted by their place say nothing of those beside them."""


def pack(results: Path, file: Path) -> None:
    """Write a results file small: shorter numbers, no checkpoints, compressed."""
    from solver.results.gate import opened
    from solver.results.hdf5 import written

    with TemporaryDirectory() as folder:
        small = Path(folder) / "small.h5"
        with opened(results, "results file") as source, written(small, libver=None) as target:
            _copy(source, target)
        write_whole(file, lzma.compress(small.read_bytes(), filters=_FILTERS))


def unpack(file: Path, place: Path) -> None:
    """Write a stored run as a results file; ResultsError where it is damaged, OSError where the disk is full."""
    try:
        data = lzma.decompress(file.read_bytes())
    except (lzma.LZMAError, EOFError):
        raise ResultsError("'{path}' is damaged and cannot be opened.", path=file) from None
    write_whole(place, data)


def _copy(source: Any, target: Any) -> None:
    import h5py

    target.attrs.update(source.attrs)
    names: dict[int, str] = {}

    def copied(name: str, _: Any) -> None:
        top, one = name.partition("/")[0], source[name]
        if top == _LEFT_OUT:
            return
        first = names.setdefault(h5py.h5o.get_info(one.id).addr, name)
        if first != name:
            target[name] = target[first]
            return
        if isinstance(one, h5py.Group):
            made = target.require_group(name)
        else:
            values = one[()]
            is_long = one.dtype.kind == "f" and one.size > _FEW
            last = name.rpartition("/")[2]
            if is_long and top not in _EXACT and last != "time":
                bits = BITS_OF_PLACES if last in _PLACES else BITS
                made = target.create_dataset(
                    name,
                    data=_short(values, bits),
                    # each column by itself: what follows in time lies together
                    chunks=(one.shape[0], *(1 for _ in one.shape[1:])),
                    shuffle=True,
                    track_times=False,
                )
            else:
                made = target.create_dataset(name, data=values, dtype=one.dtype, track_times=False)
        made.attrs.update(one.attrs)

    source.visititems_links(copied)  # channels share datasets: each of their names is visited


def _short(values: Array, bits: int) -> Array:
    """Round numbers to fewer binary digits of their fraction."""
    drop = np.int64(52 - bits)
    whole = np.ascontiguousarray(values, np.float64).view(np.int64)
    half, mask = np.int64(1) << (drop - 1), ~((np.int64(1) << drop) - 1)
    return ((whole + half) & mask).view(np.float64)
