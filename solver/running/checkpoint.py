"""States of runs as bytes, to go on from them later or elsewhere: plain data, never code.

The bytes hold a text in JSON, which says what there is, and behind it the numbers of all arrays in its
order. What is not a number, a text, a list or an array is one of a few classes that are named here.
"""

from __future__ import annotations

import json
import math
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from solver.base.words import Sentence, read
from solver.engine.dynamics.tree import Array
from solver.model.set_forces import Force
from solver.project.document import Project
from solver.project.problems import SimulationError
from solver.results.events import Event
from solver.results.layout import InjuryValue
from solver.running.outputs.kinematics import Signs
from solver.running.outputs.penetration import Worst
from solver.running.outputs.recorder import Outcome, Sink
from solver.running.state import State

FORMAT = 1
"""Another one wherever the bytes of old cannot be read."""
MOST = 2**31
"""Bytes that no state has."""
CLASSES: Mapping[str, type[Any]] = {
    one.__name__: one for one in (Event, Force, InjuryValue, Outcome, Signs, Worst)
}
NAMES = {one: name for name, one in CLASSES.items()}


def to_bytes(state: State) -> bytes:
    """Write a state down."""
    arrays: list[Array] = []
    data = {
        "format": FORMAT,
        "state": {
            name: _coded(getattr(state, name), arrays)
            for name in (
                "time", "sampled", "q", "v", "arrays", "breaks", "forces", "wanted", "memories", "layout",
            )
        },
    }  # fmt: skip
    data["arrays"] = [[one.dtype.str, list(one.shape)] for one in arrays]
    text = json.dumps(data, separators=(",", ":")).encode()
    numbers = b"".join(np.ascontiguousarray(one).tobytes() for one in arrays)
    return zlib.compress(len(text).to_bytes(8, "little") + text + numbers, 1)


@dataclass(frozen=True, eq=False, slots=True)
class KeptState:
    """A state in memory, whose bytes are made when they are asked for."""

    state: State

    def __call__(self) -> bytes:
        """Write it down."""
        return to_bytes(self.state)


def keep_state(state: State, sinks: Sequence[Sink]) -> None:
    """Hand over a state from which the run can be taken up again."""
    for sink in sinks:
        sink.add_checkpoint(state.time, KeptState(state))


class CheckpointTimer:
    """Give somebody the state of a run each so many seconds of the clock, so that a crash costs no more of it."""

    def __init__(self, take: Callable[[float, bytes], object], every_s: float) -> None:
        self._take, self._every = take, every_s
        self._last = time.monotonic()

    @property
    def is_due(self) -> bool:
        """Whether it is time."""
        return time.monotonic() - self._last >= self._every

    def taken(self) -> Callable[[State], object]:
        """Begin to wait for the next one, and give who takes this one."""
        self._last = time.monotonic()
        return lambda state: self._take(state.time, to_bytes(state))


def from_bytes(data: bytes, project: Project) -> State:
    """Read a state of a project; raises SimulationError where the bytes are none."""
    try:
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(data, MOST)
        if not unpacker.eof:
            raise ValueError("torn")
        size = int.from_bytes(raw[:8], "little")
        record = json.loads(raw[8 : 8 + size])
        if record["format"] != FORMAT:
            raise ValueError("format")
        arrays = _arrays(record["arrays"], raw[8 + size :])
        parts = {name: _decoded(value, arrays) for name, value in record["state"].items()}
        return _validated(State(project=project, **parts))
    except (
        ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, OverflowError, zlib.error,
    ) as failure:  # fmt: skip
        raise SimulationError(
            "The checkpoint cannot be read: it is torn, or of another version of the program."
        ) from failure


def _validated(state: State) -> State:
    """Give a state whose parts are of their kinds; ValueError where they are not."""
    forces = (*state.forces.items(), *state.wanted.items())
    outcome = state.memories[-1]
    sentences = (outcome.message, *outcome.notes, *outcome.gains, *outcome.guesses, *outcome.lacks)
    if not (
        all(isinstance(one, float) and math.isfinite(one) for one in (state.time, state.sampled))
        and all(isinstance(one, np.ndarray) for one in (state.breaks, *state.arrays))
        and all(isinstance(name, str) and isinstance(one, Force) for name, one in forces)
        and all(isinstance(one, Event) for one in outcome.happened)
        and all(isinstance(one, str | Sentence) for one in sentences)
    ):
        raise ValueError("kinds")
    return state


def _arrays(told: Any, raw: bytes) -> list[Array]:
    out, at = [], 0
    for kind, shape in told:
        dtype = np.dtype(str(kind))
        if dtype.kind not in "fiub":
            raise ValueError(kind)
        count = math.prod(int(n) for n in shape)
        end = at + count * dtype.itemsize
        if count < 0 or end > len(raw):
            raise ValueError("short")
        out.append(np.frombuffer(raw[at:end], dtype).reshape(shape).copy())
        at = end
    if at != len(raw):
        raise ValueError("long")
    return out


def _coded(value: Any, arrays: list[Array]) -> Any:
    """Write a value as JSON; what JSON has no word for is an object with one key that starts with @."""
    match value:
        case np.ndarray():
            arrays.append(value)
            return {"@array": len(arrays) - 1}
        case Sentence():
            return {"@sentence": value.as_data()}
        case bool() | int() | str() | None:
            return value
        case np.bool_() | np.integer() | np.floating():
            return _coded(np.asarray(value), arrays) | {"@scalar": True}
        case float():
            # JSON's shortest decimal is exact; it has no word for what is not finite
            return value if math.isfinite(value) else {"@float": repr(value)}
        case tuple():
            return {"@tuple": [_coded(one, arrays) for one in value]}
        case list():
            return [_coded(one, arrays) for one in value]
        case dict():
            return {"@dict": [[_coded(k, arrays), _coded(v, arrays)] for k, v in value.items()]}
    name = NAMES.get(type(value))
    if name is None:
        raise TypeError(f"{type(value).__name__} has no place in a checkpoint")
    return {"@" + name: {key: _coded(one, arrays) for key, one in _parts(value)}}


def _parts(value: Any) -> list[tuple[str, Any]]:
    if is_dataclass(value):
        return [(one.name, getattr(value, one.name)) for one in fields(value)]
    return list(vars(value).items())


def _decoded(data: Any, arrays: list[Array]) -> Any:
    if isinstance(data, list):
        return [_decoded(one, arrays) for one in data]
    if not isinstance(data, dict):
        return data
    (key, value), *more = data.items()
    simple: Mapping[str, Callable[[], Any]] = {
        "@array": lambda: arrays[value][()] if more else arrays[value],
        "@sentence": lambda: read(value),
        "@float": lambda: float(value),
        "@tuple": lambda: tuple(_decoded(one, arrays) for one in value),
        "@dict": lambda: {_decoded(k, arrays): _decoded(v, arrays) for k, v in value},
    }
    if key in simple:
        return simple[key]()
    kind = CLASSES[key[1:]]
    parts = {name: _decoded(one, arrays) for name, one in value.items()}
    made = object.__new__(kind)
    for name, one in parts.items():
        object.__setattr__(made, name, one)
    if is_dataclass(kind) and set(parts) != {one.name for one in fields(kind)}:
        raise ValueError(key)
    if isinstance(made, Event | Force):
        _check_plain(made)
    return made


def _check_plain(made: Event | Force) -> None:
    """Raise ValueError where what happened, or a force, is not of names and numbers."""
    if isinstance(made, Event):
        names: tuple[object, ...] = (made.kind, *made.elements)
        numbers: tuple[object, ...] = (made.time, *made.values)
    else:
        names = (made.segment, made.axes, made.kind)
        numbers = (*made.value, *made.point, made.grows_from or 0.0)
        if len(made.value) != 3 or len(made.point) != 3:
            raise ValueError("three")
    if not all(isinstance(one, str) for one in names):
        raise ValueError("names")
    if not all(isinstance(one, float | int) and math.isfinite(one) for one in numbers):
        raise ValueError("numbers")
