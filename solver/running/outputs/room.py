"""Whether this machine has room for what a run stores; a run without room is not begun."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from solver.model.refusal import SimulationError
from solver.project.amounts import amounts, size
from solver.project.document import Project
from solver.project.runs import Run

HINT = "Store frames further apart, sample outputs at a lower rate, or end the run earlier."


SPARED = 0.2
"""Part of the free memory that stays with whatever else is at work."""


def free_memory() -> float | None:
    """Give the memory that this program may still take (bytes); none where nothing says so."""
    found = (_of_the_machine(), _of_its_group(), _of_this_process())
    return min((left for left in found if left is not None), default=None)


def _of_the_machine() -> float | None:
    fields = _fields(Path("/proc/meminfo"))
    if "MemAvailable" in fields:
        return fields["MemAvailable"]
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return None


def _of_its_group(
    root: Path = Path("/sys/fs/cgroup"), of: Path = Path("/proc/self/cgroup")
) -> float | None:
    """Give what a container's limit leaves; files that can be read again count as free."""
    try:
        path = next(line[3:] for line in of.read_text().splitlines() if line.startswith("0::"))
    except (OSError, StopIteration):
        return None
    group, found = root / path.strip("/"), []
    for one in (group, *group.parents):
        if one != root and root not in one.parents:
            break
        try:
            most = (one / "memory.max").read_text().strip()
            used = float((one / "memory.current").read_text())
        except (OSError, ValueError):
            continue
        if most != "max":
            found.append(
                float(most) - used + _fields(one / "memory.stat").get("inactive_file", 0.0)
            )
    return max(0.0, min(found)) if found else None


def _of_this_process() -> float | None:
    """Give what limits set for this program leave, such as that of `ulimit -v`."""
    try:
        import resource
    except ImportError:
        return None
    used, found = _fields(Path("/proc/self/status")), []
    for limit, name in ((resource.RLIMIT_AS, "VmSize"), (resource.RLIMIT_DATA, "VmData")):
        most, _ = resource.getrlimit(limit)
        if most != resource.RLIM_INFINITY and name in used:
            found.append(max(0.0, most - used[name]))
    return min(found, default=None)


def _fields(file: Path) -> dict[str, float]:
    """Read lines such as 'VmData: 12 kB' or 'inactive_file 12'; in bytes."""
    fields: dict[str, float] = {}
    try:
        lines = file.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return fields
    for line in lines:
        name, *rest = line.replace(":", " ").split()
        if rest and rest[0].isdigit():
            fields[name] = float(rest[0]) * (1024.0 if rest[1:] == ["kB"] else 1.0)
    return fields


def refuse_beyond_memory(project: Project, run: Run) -> None:
    """Refuse a run whose results do not fit into the memory that is left."""
    needed, left = amounts(project, run), free_memory()
    if left is not None and needed.in_memory > (1.0 - SPARED) * left:
        raise SimulationError(
            "Run '{run}' stores {said}; in memory it takes up to {size}, and {size_2} are free. {hint}",
            run=run.id,
            said=needed.said,
            size=size(needed.in_memory),
            size_2=size(left),
            hint=HINT,
        )


def refuse_beyond_disk(project: Project, run: Run, file: Path) -> None:
    """Refuse a run whose results file does not fit onto its disk."""
    needed = amounts(project, run)
    try:
        left = shutil.disk_usage(file.absolute().parent).free
    except OSError:
        return
    if needed.on_disk > left:
        raise SimulationError(
            "Run '{run}' stores {said}; {size} are free where '{file}' is to be. {hint}",
            run=run.id,
            said=needed.said,
            size=size(left),
            file=file.name,
            hint=HINT,
        )
