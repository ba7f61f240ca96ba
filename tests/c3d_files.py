"""Small C3D files as programs of different vendors write them: PC, DEC and SGI, numbers real or whole."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

PROCESSORS = {"intel": 84, "dec": 85, "sgi": 86}


def reals(values: Any, form: str) -> bytes:
    """Write numbers of four bytes."""
    flat = np.asarray(values, np.float32).ravel()
    if form != "dec":
        return flat.astype(">f4" if form == "sgi" else "<f4").tobytes()
    bits = (flat * np.float32(4.0)).view(np.uint32)
    return np.stack([bits >> 16, bits & 0xFFFF], axis=1).astype("<u2").tobytes()


def wholes(values: Any, form: str) -> bytes:
    """Write numbers of two bytes."""
    return np.asarray(values).astype(">i2" if form == "sgi" else "<i2").tobytes()


def _parameter(group: int, name: str, value: Any, form: str) -> tuple[bytes, bytes]:
    """Give what stands before a parameter's offset and behind it."""
    if isinstance(value, str):
        kind, dims, data = -1, (len(value),), value.encode()
    elif isinstance(value, list) and value and isinstance(value[0], str):
        width = max(map(len, value))
        kind, dims, data = -1, (width, len(value)), "".join(one.ljust(width) for one in value).encode()  # fmt: skip
    else:
        array = np.asarray(value)
        is_real = array.dtype.kind == "f"
        kind, dims = (4, array.shape) if is_real else (2, array.shape)
        data = (reals if is_real else wholes)(array.ravel(order="F"), form)
    body = struct.pack("bB", kind, len(dims)) + bytes(dims) + data + b"\0"
    return struct.pack("bb", len(name), group) + name.encode(), body


def c3d_bytes(
    points: Any, labels: Sequence[str], *, form: str = "intel", scale: float = -1.0, rate: float = 100.0, first: int = 1, units: str = "mm",
    analog: Any = None, analog_labels: Sequence[str] = (), analog_units: Sequence[str] = (), analog_scale: Sequence[float] = (), analog_offset: Sequence[int] = (),
    plates: Mapping[str, Any] | None = None,
) -> bytes:  # fmt: skip
    """Write points (T, N, 3; none seen where not a number) and analog samples (T, S, C): whole numbers where `scale` is above zero."""
    points = np.asarray(points, float)
    frames, count = points.shape[:2]
    samples, channels = (0, 0) if analog is None else np.shape(analog)[1:]
    order = ">" if form == "sgi" else "<"
    groups: dict[str, dict[str, Any]] = {
        "POINT": {
            "USED": np.int16(count), "FRAMES": np.int16(frames), "SCALE": np.float32(scale), "RATE": np.float32(rate), "UNITS": units, "LABELS": list(labels) or [""],
            "DATA_START": np.int16(0),
        },
        "ANALOG": {
            "USED": np.int16(channels), "RATE": np.float32(rate * samples), "GEN_SCALE": np.float32(1.0), "LABELS": list(analog_labels) or [""], "UNITS": list(analog_units) or [""],
            "SCALE": np.asarray(list(analog_scale) or [1.0] * max(channels, 1), np.float32), "OFFSET": np.asarray(list(analog_offset) or [0] * max(channels, 1), np.int16),
        },
    }  # fmt: skip
    if plates:
        groups["FORCE_PLATFORM"] = dict(plates)
    blocks = 8
    groups["POINT"]["DATA_START"] = np.int16(2 + blocks)
    records: list[tuple[bytes, bytes]] = []
    for n, (group, parameters) in enumerate(groups.items(), 1):
        records.append((struct.pack("bb", len(group), -n) + group.encode(), b"\0"))
        records += [_parameter(n, name, value, form) for name, value in parameters.items()]
    text = b"".join(a + struct.pack(order + "h", len(b) + 2) + b for a, b in records[:-1])
    text += records[-1][0] + struct.pack(order + "h", 0) + records[-1][1]
    section = bytes([1, 80, blocks, PROCESSORS[form]]) + text
    assert len(section) <= 512 * blocks
    head = bytes([2, 80]) + struct.pack(
        order + "hhhhh", count, samples * channels, first, first + frames - 1, 10
    )
    head += (
        reals([scale], form) + struct.pack(order + "hh", 2 + blocks, samples) + reals([rate], form)
    )
    data = b""
    for t in range(frames):
        seen = np.isfinite(points[t]).all(axis=1)
        where = np.where(seen[:, None], points[t], 0.0)
        residual = np.where(seen, 0.0, -1.0)
        rows = np.column_stack([where, residual])
        if scale < 0.0:
            data += reals(rows, form)
        else:
            data += wholes(np.column_stack([np.rint(where / scale), residual]), form)
        if channels:
            data += (reals if scale < 0.0 else wholes)(np.asarray(analog)[t], form)
    return (
        head.ljust(512, b"\0")
        + section.ljust(512 * blocks, b"\0")
        + data
        + b"\0" * (-len(data) % 512)
    )
