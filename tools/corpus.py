"""Read the model files of other programs in public repositories, and say how many run here and move as there.

`python -m tools.corpus FOLDER` looks at checkouts in a folder, one for each repository of the list below; nothing of them is kept
here. A file counts if its own program loads it: MuJoCo for MJCF, Pinocchio for URDF; of OpenSim all count. Accelerations are
compared at a random moving state, with armature, springs, dampers and drives at some control, without limits, contacts, dry friction and constraints (`tools.moving`).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import mujoco

from solver.base.words import Refusal
from solver.exchange.trees import read_tree
from solver.project import Project
from solver.project.checks import check
from tools import attributes
from tools.moving import apart

REPOSITORIES = {
    "Farama-Foundation+Gymnasium": "3f0476a8cc224dcce2167cc4b6971ae0f04d5cfc",
    "Farama-Foundation+Gymnasium-Robotics": "df28ecdb8e0bfd0c52754f79a305520025306225",
    "Gepetto+example-robot-data": "39aa94379908fa743da90b21dc9e1fb8308f746b",
    "MyoHub+myo_sim": "2cef885481677742e4d19adb934b1b7be438cf6a",
    "MyoHub+myosuite": "8928f49f79b4be344e1bfbc6a72f404ebd0630dc",
    "bulletphysics+bullet3": "6c888f4abd7b46f572587360cc214985f02e5c6b",
    "facebookresearch+differentiable-robot-model": "d7bd1b3b8ef1d6dabe9b68474a622185c510e112",
    "google-deepmind+dm_control": "985d09401ea8824cec489e56cd631b24d9e32891",
    "google-deepmind+mujoco": "a7255075b003506ff5f34b512d88e02df12a73c6",
    "opensim-org+opensim-models": "20a888b9655e73fb84963d6e03eee3752cf6074b",
    "stack-of-tasks+pinocchio": "c51d9234f9e34be97ed73bdb2772bd4a61469719",
    "unitreerobotics+unitree_ros": "d6f13aad60320ce1d60a07b82a76b5a553f2a0a9",
}
"""Public repositories, owner and name, and the commits at which figures in `docs/exchange.md` were found; myo_sim names its files as
from a folder of that name, and wants to stand in one."""
KINDS = {
    "MJCF": (rb"<mujoco\b", (".xml", ".mjcf")), "URDF": (rb"<robot\b", (".urdf",)),
    "OSIM": (rb"<OpenSimDocument\b", (".osim",)),
}  # fmt: skip
ALIKE = 20
"""Files whose paths differ by numbers only, of which more tell nothing."""


@dataclass
class Found:
    """What became of a file."""

    kind: str
    file: str
    theirs: bool
    why: str = ""
    """Why it does not run here."""
    runs: bool = False
    notes: list[str] = field(default_factory=list)
    off: float | None = None
    """Largest difference of an acceleration, by the largest."""


def files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Give the models of all checkouts, in the order of their names."""
    alike = Counter[str]()
    for name in sorted(REPOSITORIES):
        for file in sorted((folder / name).rglob("*")):
            for kind, (mark, endings) in KINDS.items():
                if file.suffix.lower() not in endings or not file.is_file():
                    continue
                key = re.sub(r"\d+", "#", str(file))
                alike[key] += 1
                if alike[key] <= ALIKE and re.search(mark, file.read_bytes()):
                    yield kind, file


@contextmanager
def quiet() -> Iterator[None]:
    """Let libraries in C++ write their complaints nowhere."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def loaded(kind: str, file: Path) -> Any:
    """Give the model as its own program loads it; none where it does not, or has no body."""
    try:
        with quiet():
            if kind == "MJCF":
                model = mujoco.MjModel.from_xml_path(str(file))
                return model if model.nbody > 1 else None
            if kind == "OSIM":
                return file
            import pinocchio  # there is none for Windows

            return pinocchio.buildModelFromUrdf(str(file))
    except (ValueError, RuntimeError, mujoco.FatalError):
        return None


def looked_at(kind: str, file: Path, root: Path) -> Found:
    """Read a file, check it, and compare how it moves."""
    theirs = loaded(kind, file)
    found = Found(kind, str(file.relative_to(root)), theirs is not None)
    try:
        with quiet():
            read = read_tree(file, root / file.relative_to(root).parts[0])
    except Exception as refused:  # noqa: BLE001  what is no refusal in a sentence is a fault, and told by its kind
        found.why = (
            str(refused) if isinstance(refused, Refusal) else f"{type(refused).__name__}: {refused}"
        )
        return found
    found.notes = [str(one) for one in read.notes]
    errors = [str(one) for one in check(read.project) if one.severity == "error"]
    found.why = errors[0] if errors else ""
    found.runs = not errors
    if found.runs and theirs is not None and kind != "OSIM":
        try:
            found.off = (
                apart(read.project, theirs) if kind == "MJCF" else of_robot(read.project, file)
            )
        except Exception as failure:  # noqa: BLE001  whatever it is, it is told with its file
            found.off, found.why = float("inf"), f"{type(failure).__name__}: {failure}"
    return found


def of_robot(project: Project, file: Path) -> float:
    """How far accelerations are off Pinocchio's; there is none for Windows."""
    from tools.robots import apart as of_links

    with quiet():
        return of_links(project, file)


def told(found: list[Found]) -> Iterator[str]:
    """The table, and what stands in the way of the files that do not run."""
    yield "| files | loaded there | read and run here | accelerations within 1e-9 | others |"
    yield "|---|---|---|---|---|"
    for kind in KINDS:
        counted = [one for one in found if one.kind == kind and one.theirs]
        running = [one for one in counted if one.runs]
        compared = [one.off for one in running if one.off is not None]
        near = sum(one <= 1e-9 for one in compared)
        share = 100.0 * len(running) / max(len(counted), 1)
        yield f"| {kind} | {len(counted)} | {len(running)} ({share:.1f} %) | {near} of {len(compared)} | {len(compared) - near} |"  # fmt: skip
    for kind in KINDS:
        why = Counter(re.sub(r"\d[\d.e+-]*", "#", re.sub(r"'[^']*'", "'…'", one.why)) for one in found if one.kind == kind and one.theirs and not one.runs)  # fmt: skip
        yield from (f"{kind} {count:5d} {text[:240]}" for text, count in why.most_common(30))
    for one in found:
        if one.off is not None and one.off > 1e-9:
            yield f"{one.off:9.2e} {one.file}"


def main(arguments: list[str]) -> int:
    """Look at all files of a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=KINDS)
    parser.add_argument("--like", default="", help="of paths that hold these words")
    parser.add_argument("--json", type=Path, help="where to keep what was found of each file")
    parser.add_argument(
        "--attributes",
        action="store_true",
        help="take attributes of some models of MuJoCo away, one by one",
    )
    given = parser.parse_args(arguments)
    mujoco.set_mju_user_warning(lambda _: None)
    if given.attributes:
        for line in attributes.told(attributes.removals(given.folder, given.like)):
            print(line, flush=True)
        return 0
    found = [
        looked_at(kind, file, given.folder) for kind, file in files(given.folder)
        if given.only in (None, kind) and given.like in str(file)
    ]  # fmt: skip
    if given.json:
        given.json.write_text(json.dumps([asdict(one) for one in found], indent=1))
    print("\n".join(told(found)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
