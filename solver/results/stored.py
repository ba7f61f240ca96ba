"""Runs that come with the samples: each of the model of its sample, and small.

A stored run keeps the numbers that are shown as whole steps: of 1 in 16,384 of the largest of their column (of a vector's
columns, they share it), of places and attitudes 1 in 131,072. What is smooth in time is written as differences of differences,
which are small numbers, and compressed. Times, events and injury figures stay as they were found; the project is not kept:
it is that of the sample, and a digest tells whether it is the model of the run.

`python -m tools.samples --runs` writes those again that show something else than the engine finds now.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import math
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.base.atomic import write_atomic
from solver.base.places import NotShipped, samples
from solver.results import ResultsError

Array = NDArray[Any]
"""Numbers of a dataset as they are stored, of any type."""

FOLDER, SUFFIX = "runs", ".h5.xz"
BITS, BITS_OF_PLACES = 14, 17
"""The largest of a column is cut into two to the power of so many steps, or up to half of these."""
_PLACES = ("position", "quaternion_wxyz")
_OF_THEIR_SIZE = {"integrator/time": 30, "integrator/step": 11}
"""Of what spans many powers of ten, so many binary digits of each number's fraction are kept; of other times all."""
_WHOLE = 52
_FEW = 60
"""Datasets of fewer numbers stay as they are."""
_EXACT = ("injury", "events")
_LEFT_OUT = "checkpoints"
"""What only a run that goes on needs."""
_ONLY_SAID = (
    "title",
    "note",
    "source",
    "group",
    "mirror",
    "studies",
    "assumed",
    "includes",
    "schema_version",
)
"""What no run depends on, and no run shows."""
_ROOMS = ("engine", "injury", "model", "running/outputs")
"""Where what a run finds comes from."""


def stored_file(sample: Path) -> Path | None:
    """The stored run of a sample; none where the file is no sample, or has none."""
    try:
        folder = samples().resolve()
    except NotShipped:
        return None
    found = folder / FOLDER / f"{sample.stem}{SUFFIX}"
    return found if sample.resolve().parent == folder and found.is_file() else None


@cache
def engine() -> str:
    """A mark of what computes runs: another one where a line of it is another."""
    here, digest = Path(__file__).resolve().parent.parent, hashlib.sha256()
    for file in sorted(file for room in _ROOMS for file in (here / room).rglob("*.py")):
        digest.update(file.relative_to(here).as_posix().encode())
        digest.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


def digest_of(sample: Path) -> str:
    """Give a digest of a sample with its stored run, empty where it has none; OSError where these cannot be read."""
    stored = stored_file(sample)
    if stored is None:
        return ""
    return hashlib.sha256(stored.read_bytes() + sample.read_bytes()).hexdigest()[:16]


def model_digest(project: bytes) -> bytes:
    """A digest of what a run of a project depends on, and of the names that it shows."""
    plain = json.dumps(_modelled(json.loads(project)), sort_keys=True)
    return hashlib.sha256(plain.encode()).digest()


def _modelled(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _modelled(one) for name, one in data.items() if name not in _ONLY_SAID}
    return [_modelled(one) for one in data] if isinstance(data, list) else data


_MARK = b"stored run 2\n"
_DIGEST, _LENGTH = 32, 8
"""Bytes of the model's digest and of the length of the file that holds what stays as it is."""
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 3, "lp": 0, "pb": 0}]


def pack(results: Path, file: Path) -> None:
    """Write a results file small."""
    from solver.results.hdf5 import opened, written

    with TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.h5"
        with opened(results, "results file") as source, written(bare, libver=None) as target:
            model = model_digest(source["project"][()])
            coded = _copied(source, target)
        rest = bare.read_bytes()
    content = _MARK + model + len(rest).to_bytes(_LENGTH, "big") + rest
    write_atomic(file, lzma.compress(content + _as_bytes(coded), filters=_FILTERS))


def unpack(file: Path, place: Path, project: bytes) -> None:
    """Write a stored run as a results file of its sample's project, as `simulation.project_bytes` gives it.

    ResultsError where it is damaged or of another model, OSError where the disk is full.
    """
    packed = file.read_bytes()
    try:
        data = io.BytesIO(lzma.decompress(packed))
        if data.read(len(_MARK)) != _MARK:
            raise ValueError("another format")
        is_of_it = data.read(_DIGEST) == model_digest(project)
        rest = io.BytesIO(data.read(int.from_bytes(data.read(_LENGTH), "big")))
        if is_of_it:
            _fill(rest, data, project)
    except (lzma.LZMAError, EOFError, OSError, ValueError, KeyError):
        raise ResultsError("'{path}' is damaged and cannot be opened.", path=file) from None
    if not is_of_it:
        raise ResultsError("'{path}' is a run of another model.", path=file)
    write_atomic(place, rest.getvalue())


def _copied(source: Any, target: Any) -> list[tuple[bytes, Array]]:
    """Copy a results file without the project, and of what is coded only its shape; give the codes."""
    target.attrs.update(source.attrs)
    codes = []
    for name, one, first in _each(source):
        if name == "project" or name.partition("/")[0] == _LEFT_OUT:
            continue
        if name != first:
            target[name] = target[first]
            continue
        if not hasattr(one, "dtype"):
            made = target.require_group(name)
        elif _is_coded(name, one):
            made = target.create_dataset(name, one.shape, one.dtype, track_times=False)
            codes.append(_code(name, one[()]))
        else:
            made = target.create_dataset(name, data=one[()], dtype=one.dtype, track_times=False)
        made.attrs.update(one.attrs)
    return codes


def _fill(file: io.BytesIO, codes: io.BytesIO, project: bytes) -> None:
    """Write what was coded, and the project, into a results file that lacks them."""
    import h5py

    from solver.results.hdf5 import OF_FILE, seal
    from solver.results.making import write_project

    with h5py.File(file, "r+") as target:
        empty = [
            (name, one)
            for name, one, first in _each(target)
            if name == first
            and hasattr(one, "dtype")
            and one.size
            and not one.id.get_storage_size()
        ]
        heads = [_head(name, one, codes) for name, one in empty]
        planes = np.frombuffer(codes.read(), np.uint8).reshape(8, -1)
        numbers = np.ascontiguousarray(planes.T).view("<u8").ravel()
        at = 0
        for (name, one), (order, exponents) in zip(empty, heads, strict=True):
            one[()] = _decoded(name, one, numbers[at : at + one.size], order, exponents)
            at += one.size
        write_project(target, project.decode())
        seal(target.attrs, dict(target.attrs), OF_FILE)


def _each(file: Any) -> list[tuple[str, Any, str]]:
    """What a file holds by name, with the first name of each: channels share their times."""
    import h5py

    found: list[tuple[str, Any, str]] = []
    names: dict[int, str] = {}

    def visited(name: str, _: Any) -> None:
        one = file[name]
        found.append((name, one, names.setdefault(h5py.h5o.get_info(one.id).addr, name)))

    file.visititems_links(visited)
    return found


def _is_coded(name: str, data: Any) -> bool:
    return (
        name.partition("/")[0] not in _EXACT
        and data.size > _FEW
        and data.dtype.kind in "fi"
        and data.dtype.itemsize == 8
        and bool(np.isfinite(data[()]).all())
    )


def _digits(name: str) -> int | None:
    """How many binary digits of its numbers' fractions a dataset keeps; none where it keeps steps of a column."""
    is_time = name.rpartition("/")[2] == "time"
    return _OF_THEIR_SIZE.get(name, _WHOLE if is_time else None)


def _bits(name: str) -> int:
    return BITS_OF_PLACES if name.rpartition("/")[2] in _PLACES else BITS


def _code(name: str, values: Array) -> tuple[bytes, Array]:
    """Write numbers as whole ones, column by column, each less what those before it foretell."""
    head, digits = b"", _digits(name)
    if values.dtype.kind == "i":
        whole = values
    elif digits is not None:
        left_out = _WHOLE - digits
        whole = (values.view(np.int64) + (1 << left_out >> 1)) >> left_out
    else:
        sizes = np.abs(values).max(axis=(0, *range(2, values.ndim)), keepdims=True)
        exponents = np.frexp(sizes)[1]
        head = exponents.astype("<i2").tobytes()
        whole = np.round(np.ldexp(values, _bits(name) - exponents)).astype(np.int64)
    tried = [whole.reshape(len(whole), -1)]
    for _ in range(3):
        tried.append(np.diff(tried[-1], axis=0, prepend=np.int64(0)))
    order = int(np.argmin([np.log2(1.0 + np.abs(one.astype(float))).sum() for one in tried]))
    best = tried[order]
    return bytes([order]) + head, ((best << 1) ^ (best >> 63)).T.ravel().view("<u8")


def _head(name: str, data: Any, codes: io.BytesIO) -> tuple[int, Array | None]:
    """Read how a dataset's numbers were coded: order of the differences, and exponents of the columns' sizes."""
    order = codes.read(1)[0]
    if data.dtype.kind == "i" or _digits(name) is not None:
        return order, None
    shape = tuple(n if at == 1 else 1 for at, n in enumerate(data.shape))
    return order, np.frombuffer(codes.read(2 * math.prod(shape)), "<i2").reshape(shape)


def _decoded(name: str, data: Any, codes: Array, order: int, exponents: Array | None) -> Array:
    """The numbers that `_code` wrote."""
    whole: Array = (
        ((codes >> 1).view(np.int64) ^ -(codes & 1).view(np.int64)).reshape(-1, len(data)).T
    )
    for _ in range(order):
        whole = np.cumsum(whole, axis=0)
    whole = np.ascontiguousarray(whole).reshape(data.shape)
    if data.dtype.kind == "i":
        return whole
    if exponents is None:
        return (whole << (_WHOLE - (_digits(name) or 0))).view(np.float64)
    numbers: Array = np.ldexp(whole.astype(np.float64), exponents.astype(int) - _bits(name))
    return numbers


def _as_bytes(codes: list[tuple[bytes, Array]]) -> bytes:
    """Put codes one behind another: their heads, then the lowest bytes of all numbers, then the next."""
    numbers = np.concatenate([np.zeros(0, "<u8"), *(one for _, one in codes)])
    planes = np.ascontiguousarray(numbers).view(np.uint8).reshape(-1, 8).T
    return b"".join(head for head, _ in codes) + planes.tobytes()
