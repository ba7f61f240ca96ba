"""Answers of a study from its table, as plain data (docs/studies.md says what stands where)."""

from __future__ import annotations

from typing import Any

from solver.project.studies import (
    GridStudy,
    LocalStudy,
    MorrisStudy,
    SampleStudy,
    SobolStudy,
    Study,
)
from solver.studies.answers.local import signed_matrix
from solver.studies.answers.screening import morris_effects, sobol_indices
from solver.studies.answers.statistics import correlations, statistics
from solver.studies.judging import front, kept
from solver.studies.rows import Layout, Rows

__all__ = ["answers_of"]


def answers_of(study: Study, layout: Layout, rows: Rows) -> dict[str, Any]:
    """Give all answers that the table holds."""
    out: dict[str, Any] = {
        "kind": study.kind,
        "runs": len(rows),
        "done": int(rows.is_done.sum()),
        "failed": int((rows.status == 3).sum()),
        "kept": int(kept(study, rows).sum()),
        "best": front(study, rows),
    }
    match study:
        case SampleStudy():
            out["responses"] = statistics(study, layout, rows, study.confidence)
            out["correlations"] = correlations(layout, rows)
        case GridStudy():
            out["responses"] = statistics(study, layout, rows, None)
        case LocalStudy():
            out["sensitivity"] = signed_matrix(study, layout, rows)
        case MorrisStudy():
            out["screening"] = morris_effects(study, layout, rows)
        case SobolStudy():
            out["responses"] = statistics(study, layout, rows, None)
            out["indices"] = sobol_indices(study, layout, rows)
        case _:
            pass
    return out
