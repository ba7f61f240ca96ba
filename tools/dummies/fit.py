"""Run the studies in a dummy's file, and keep the laws that they find: `python -m tools.dummies.fit hybrid_iii_50m [STUDY ...]`."""

from __future__ import annotations

import argparse
from dataclasses import replace

from solver.bodies.body import Body
from solver.bodies.dummies import body_of, dummy_file
from solver.project.document import Project
from solver.studies import run_study
from solver.studies.answer_types import Fit
from tools.dummies.__main__ import written
from tools.dummies.figures import LARGE, SIZES
from tools.dummies.laws import SIDE, Laws, keep, laws
from tools.dummies.studies import GROUPS, known_before, laws_from


def body(id_: str, chosen: Laws) -> Body:
    """A dummy with some laws."""
    return body_of(Project.model_validate(written(SIZES[id_], chosen)))


def fitted(id_: str, study: str, workers: int | None = None) -> Fit:
    """Run one study of a dummy's file as it stands; give what it answers."""
    return run_study(dummy_file(id_), study, workers=workers).answers["fit"]


def main() -> None:
    """Fit groups of a dummy, each from the file as it stands."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("dummy", choices=[one for one in SIZES if one not in SIDE])
    arguments.add_argument("studies", nargs="*", default=list(GROUPS))
    arguments.add_argument("--dry", action="store_true", help="print alone, and keep nothing")
    arguments.add_argument("--workers", type=int)
    chosen = arguments.parse_args()
    there = [one.id for one in dummy_file(chosen.dummy).studies]
    for study in (one for one in chosen.studies if one in there):
        answers = fitted(chosen.dummy, study, chosen.workers)
        known = laws(chosen.dummy)
        found = laws_from({n: one["value"] for n, one in answers["unknowns"].items()}, known)
        print(f"{chosen.dummy} {study}: {answers['ended']}, misfit {answers['misfit']:.3f}")
        for name in GROUPS[study][1]:
            before, after = getattr(known, name), getattr(found, name)
            print(f"  {name:<22} {before:<10.5g} -> {after:<10.5g} {after / before:.3f}")
        worst = max(answers["targets"], key=lambda one: float(one["rms"]))
        print(
            f"  worst: {worst['test']} {worst['quantity']}, {worst['rms']:.2f} halves", flush=True
        )
        if not chosen.dry:
            keep(chosen.dummy, found)
    if not chosen.dry:
        keep(LARGE.id, large(laws(LARGE.id)))


def large(known: Laws) -> Laws:
    """The 95th man's laws: his neck's own, which alone is tested, the others the 50th man's in proportion."""
    own = {name: getattr(known, name) for name in GROUPS["neck"][1]}
    return replace(known_before(LARGE.id), **own)


if __name__ == "__main__":
    main()
