"""The processor that kernels are compiled for: a level that many have, so that the same input gives all of them the same bits.

Left to itself Numba compiles for the very processor that it runs on. What has the common level of its kind
is treated as if it had no more; what has less is compiled for as it is; and a user who tells Numba by its own
variables which processor to take has it so.

Neither Numba nor LLVM is loaded here before somebody asks.
"""

from __future__ import annotations

import os
import platform
from typing import Any, Literal, NamedTuple

NAME, FEATURES = "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"
"""Numba's variables for those who want another processor."""


class Level(NamedTuple):
    """A processor, as LLVM knows it."""

    name: str
    cpu: str
    features: str
    chosen: Literal["common", "own", "user", "before"]
    """Why: it is the common one, this machine has less, the user says so, or Numba had compiled before."""


_V3 = Level("x86-64-v3", "x86-64-v3", "", "common")
_ARM = Level("armv8-a", "generic", "", "common")
_COMMON = {"x86_64": _V3, "amd64": _V3, "aarch64": _ARM, "arm64": _ARM}
_HAS = {
    _V3: "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse3 sse4.1 sse4.2 ssse3 xsave"
}
"""What a machine must have for a level, beside what all of its kind have."""

_in_force: Level | None = None


def level() -> Level:
    """The level that kernels are compiled for in this process."""
    global _in_force
    if _in_force is None:
        _in_force = _chosen(os.environ.get(NAME), os.environ.get(FEATURES))
    return _in_force


def common() -> Level | None:
    """The common level of machines of this kind."""
    return _COMMON.get(platform.machine().lower())


def use(config: Any, target: Any) -> None:
    """Tell Numba which it is, unless its user has; what it has begun with before stays in force."""
    global _in_force
    wanted = level()
    if wanted.chosen == "common":
        if target is not None:
            _, cpu, features = target.codegen().magic_tuple()
            if (cpu, features) != (wanted.cpu, wanted.features):
                _in_force = Level(cpu, cpu, features, "before")
        elif config.CPU_NAME is None and config.CPU_FEATURES is None:
            config.CPU_NAME, config.CPU_FEATURES = wanted.cpu, wanted.features
        else:
            # in a file of its settings
            _in_force = _chosen(config.CPU_NAME, config.CPU_FEATURES)


def _chosen(name: str | None, features: str | None) -> Level:
    """Choose as Numba does where its user says something, and else the common level where this machine has it."""
    cpu, has = _machine()
    usual = common()
    if name is not None or features is not None:
        cpu = cpu if name is None else name
        if features is None:
            features = "" if cpu.lower() == "generic" else has
        if usual is not None and (cpu, features) == (usual.cpu, usual.features):
            return usual
        return Level(cpu, cpu, features, "user")
    there = {one[1:] for one in has.split(",") if one.startswith("+")}
    if usual is not None and there.issuperset(_HAS.get(usual, "").split()):
        return usual
    return Level(cpu, cpu, has, "own")


def _machine() -> tuple[str, str]:
    """The name that LLVM has for this processor, and what it has and has not."""
    from llvmlite import binding

    try:
        features = binding.get_host_cpu_features().flatten()
    except RuntimeError:
        features = ""
    return binding.get_host_cpu_name(), features
