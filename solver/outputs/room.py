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


def free_memory() -> float | None:
    """Give the memory that is free (bytes); none where the system does not say."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        fields = dict(line.split(":", 1) for line in text.splitlines())
        return 1024.0 * float(fields["MemAvailable"].split()[0])
    except (OSError, ValueError, KeyError, IndexError):
        pass
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return None


def refuse_beyond_memory(project: Project, run: Run) -> None:
    """Refuse a run whose results do not fit into the memory that is left."""
    needed, left = amounts(project, run), free_memory()
    if left is not None and needed.in_memory > left:
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
