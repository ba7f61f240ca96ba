"""Any malformed project gives sentences and an exit code: no traceback, no hang, nothing changed."""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver.base.places import samples
from solver.cli import main, parser
from solver.project import to_json, validated
from tests.everything import CSV, everything
from tests.exploring import SEED

SOURCES = {file.stem: file.read_text(encoding="utf-8") for file in sorted(samples().glob("*.json"))}
SOURCES["everything"] = to_json(validated(everything()))
MUTANTS_EACH = 400 if SEED else 8
MUTANTS_OF_EVERYTHING = 400 if SEED else 24
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1e308, -1e308, 2**70, 0.0, "", "nek", "ground", "../x", [], {}, [[]],
    [1, 2, 3], {"kind": "x"}, "a" * 5000, "\u0000", "\U0001f600",
)  # fmt: skip


def places(data: Any) -> list[tuple[Any, Any]]:
    """List every (holder, key) in plain data."""
    found: list[tuple[Any, Any]] = []
    waiting = [data]
    while waiting:
        here = waiting.pop()
        keys = here.keys() if isinstance(here, dict) else range(len(here))
        for key in list(keys):
            found.append((here, key))
            if isinstance(here[key], dict | list):
                waiting.append(here[key])
    return found


def replace(data: Any, dice: random.Random) -> None:
    holder, key = dice.choice(places(data))
    holder[key] = dice.choice(ODD)


def remove(data: Any, dice: random.Random) -> None:
    holder, key = dice.choice(places(data))
    del holder[key]


def swap(data: Any, dice: random.Random) -> None:
    """Exchange two values: cycles, two parents and wrong references come from here."""
    (a, i), (b, j) = dice.choice(places(data)), dice.choice(places(data))
    if isinstance(a[i], dict | list) or isinstance(b[j], dict | list):
        replace(data, dice)
    else:
        a[i], b[j] = b[j], a[i]


def rename(data: Any, dice: random.Random) -> None:
    holder, key = dice.choice(
        [(h, k) for h, k in places(data) if isinstance(h, dict)] or [({"": 0}, "")]
    )
    holder[f"{key}x"] = holder.pop(key)


def repeat(data: Any, dice: random.Random) -> None:
    lists = [h[k] for h, k in places(data) if isinstance(h[k], list) and h[k]]
    chosen = dice.choice(lists or [[0]])
    chosen.append(json.loads(json.dumps(dice.choice(chosen))))


def retie(data: Any, dice: random.Random) -> None:
    """Join segments at random: rings, two parents, the ground as a child."""
    segments = data.get("segments")
    segments = segments if isinstance(segments, list) else []
    names = ["ground", *(str(s.get("id")) for s in segments if isinstance(s, dict))]
    joints = data.get("joints")
    joints = [j for j in joints if isinstance(j, dict)] if isinstance(joints, list) else []
    if joints:
        dice.choice(joints)[dice.choice(["parent", "child"])] = dice.choice(names)
    else:
        replace(data, dice)


CHANGES: tuple[Callable[[Any, random.Random], None], ...] = (
    replace, replace, remove, swap, rename, repeat, retie,
)  # fmt: skip


def mutant(text: str, dice: random.Random) -> bytes:
    """Change a project's data, its text, or its bytes."""
    way = dice.random()
    if way < 0.75:
        data = json.loads(text)
        for _ in range(dice.choice((1, 1, 1, 2, 5))):
            dice.choice(CHANGES)(data, dice)
        return json.dumps(data).encode()
    raw = bytearray(text.encode())
    if way < 0.85:
        return bytes(raw[: dice.randrange(len(raw))])
    for _ in range(dice.choice((1, 3, 20))):
        raw[dice.randrange(len(raw))] = dice.randrange(256)
    return bytes(raw)


def outcome(arguments: list[str]) -> tuple[int, str]:
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
        code = main(arguments)
    return code, errors.getvalue()


@pytest.mark.seeded
@pytest.mark.parametrize("source", SOURCES)
def test_mutated_projects_are_answered_with_sentences(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the commands are the same each time, and take longer to set up than a small project to read
    monkeypatch.setattr("solver.cli.parser", cache(parser))
    text = SOURCES[source]
    (tmp_path / "pulse.csv").write_text(CSV)
    file = tmp_path / "mutant.json"
    kept = {f.name for f in tmp_path.iterdir()} | {file.name}
    refused = 0
    count = MUTANTS_OF_EVERYTHING if source == "everything" else MUTANTS_EACH
    for seed in range(count):
        content = mutant(text, random.Random(f"{source} {SEED + seed}"))
        file.write_bytes(content)
        code, errors = outcome(["check", str(file)])
        assert code in (0, 1), f"seed {seed}"
        lines = errors.splitlines()
        assert all(line.startswith(("error: ", "warning: ", "note: ")) for line in lines), errors
        assert len(set(lines)) == len(lines), f"seed {seed}: said twice"
        assert (code == 1) == any(line.startswith("error: ") for line in lines), f"seed {seed}"
        assert file.read_bytes() == content, "checking changes nothing"
        refused += code
    assert {f.name for f in tmp_path.iterdir()} == kept
    assert refused > count // 2, "most mutants are broken, and are seen to be"
