"""The processor that kernels are compiled for: a common level where the machine has it, and nothing else unseen."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from llvmlite import binding

from solver.engine.jit import compiled, level
from solver.engine.jit.level import Level
from solver.running.warm import about_level

V3 = "+avx,+avx2,+bmi,+bmi2,+cx16,+f16c,+fma,+lzcnt,+movbe,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3,+xsave"
OTHERS = {
    "newer": ("x86_64", "zen5", f"{V3},+avx512f,-amx-tile"),
    "the same": ("AMD64", "haswell", f"-avx512f,{V3}"),
    "older": ("x86_64", "ivybridge", "+avx,-avx2,+f16c,-fma,+popcnt,+sse4.2"),
    "without one part": ("x86_64", "haswell", V3.replace("+movbe", "-movbe")),
    "arm": ("arm64", "apple-m4", "+neon,+sme"),
    "of a kind without a level": ("ppc64le", "pwr9", "+vsx"),
}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch):
    """Stand for another machine."""

    def other(kind: str, cpu: str, features: str) -> None:
        monkeypatch.setattr(level.platform, "machine", lambda: kind)
        monkeypatch.setattr(level, "_machine", lambda: (cpu, features))
        monkeypatch.setattr(level, "_in_force", None)

    for name in (level.NAME, level.FEATURES):
        monkeypatch.delenv(name, raising=False)
    return other


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("newer", ("x86-64-v3", "x86-64-v3", "", "common")),
        ("the same", ("x86-64-v3", "x86-64-v3", "", "common")),
        ("older", ("ivybridge", "ivybridge", OTHERS["older"][2], "own")),
        ("without one part", ("haswell", "haswell", OTHERS["without one part"][2], "own")),
        ("arm", ("armv8-a", "generic", "", "common")),
        ("of a kind without a level", ("pwr9", "pwr9", "+vsx", "own")),
    ],
)
def test_a_machine_has_the_common_level_or_its_own(machine, name: str, found: Level) -> None:
    machine(*OTHERS[name])
    assert level.level() == found
    (*said,) = map(str, about_level())
    assert bool(said) == (found[3] == "own")
    assert all(found[0] in line for line in said)


@pytest.mark.parametrize(
    ("name", "features", "found"),
    [
        ("skylake", None, ("skylake", OTHERS["newer"][2], "user")),
        (None, "+avx", ("zen5", "+avx", "user")),
        ("generic", None, ("generic", "", "user")),
        ("x86-64-v3", "", ("x86-64-v3", "", "common")),
    ],
)
def test_a_user_of_numba_has_the_last_word(
    machine, monkeypatch: pytest.MonkeyPatch, name: str | None, features: str | None, found: object
) -> None:
    machine(*OTHERS["newer"])
    for variable, value in ((level.NAME, name), (level.FEATURES, features)):
        if value is not None:
            monkeypatch.setenv(variable, value)
    assert level.level()[1:] == found
    settings = SimpleNamespace(CPU_NAME=name, CPU_FEATURES=features)
    level.use(settings, None)
    assert vars(settings) == {"CPU_NAME": name, "CPU_FEATURES": features}
    assert bool(about_level()) == (level.level().chosen == "user")


def target(cpu: str, features: str) -> SimpleNamespace:
    return SimpleNamespace(
        codegen=lambda: SimpleNamespace(magic_tuple=lambda: ("triple", cpu, features))
    )


def test_numba_is_told_unless_it_knows_another(machine) -> None:
    machine(*OTHERS["newer"])
    settings = SimpleNamespace(CPU_NAME=None, CPU_FEATURES=None)
    level.use(settings, None)
    assert vars(settings) == {"CPU_NAME": "x86-64-v3", "CPU_FEATURES": ""}
    level.use(settings, target("x86-64-v3", ""))
    assert level.level().chosen == "common"

    assert compiled._compiler().endswith(" x86-64-v3 ")
    # a function of its user's was compiled before
    level.use(settings, target("zen5", "+avx512f"))
    assert level.level() == ("zen5", "zen5", "+avx512f", "before")
    assert compiled._compiler().endswith(" zen5 +avx512f"), "kept apart"

    machine(*OTHERS["newer"])
    in_a_file = SimpleNamespace(CPU_NAME="skylake", CPU_FEATURES=None)
    level.use(in_a_file, None)
    assert level.level().name == "skylake"
    assert in_a_file.CPU_NAME == "skylake"


def test_the_level_is_what_llvm_says_of_this_machine() -> None:
    """What the level asks for are names that LLVM has."""
    known = {name for name, _ in binding.get_host_cpu_features().items()}
    assert set(level._HAS[level._V3].split()) <= known or level.common() != level._V3
