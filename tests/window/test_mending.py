"""One-click mends: each takes its problem away and brings no error up, in every case of the checks."""

from __future__ import annotations

from app.editing.quick_fixes import _MENDS, quick_fix_for
from solver.analysis.equilibrium import AssemblyError
from solver.project import Problem, Project
from solver.project.checks import catalogue, check
from solver.project.checks.registry import OPEN_AT_START
from tests.checks_cases import CASES, Case
from tests.checks_model import changed
from tests.rows import rows


def errors(problems: tuple[Problem, ...]) -> set[str]:
    return {p.code for p in problems if p.severity == "error"}


MENDABLE = [
    c for c in CASES if c.code in {*_MENDS, *OPEN_AT_START} or c.code.startswith("unknown-")
]


@rows("case", MENDABLE, ids=str)
def test_a_mend_takes_its_problem_away(case: Case) -> None:
    project = changed(case.bad)
    before = check(project)
    problem = next(p for p in before if p.code == case.code and p.path == case.path)
    mend = quick_fix_for(project, problem)
    if mend is None:
        # what is meant is not always plain; test_missing_contacts shows it for planes of the library
        assert case.code.startswith("unknown-") or case.code in ("plane-untouched", "ground-member")
        return
    try:
        after = check(mend.make(project))
    except AssemblyError:
        # where a driver wants the impossible, nothing but another start value helps
        assert case.code == "frame-driver-start"
        return
    assert not [p for p in after if (p.code, p.path) == (problem.code, problem.path)]
    # physics is looked at only once references are sound: what it finds was there before
    assert problem.severity == "error" or errors(after) <= errors(before)


def test_mends_are_for_codes_that_there_are() -> None:
    assert set(_MENDS) <= {info.code for info in catalogue()}


def test_a_slip_of_the_pen_is_mended_with_what_was_meant() -> None:
    project = changed({"harnesses/harness/straps/lap/law": "webbin"})
    problem = next(p for p in check(project) if p.code == "unknown-law")
    mend = quick_fix_for(project, problem)
    assert mend is not None
    assert mend.words == "Use 'web'"
    assert not [p for p in check(mend.make(project)) if p.code == "unknown-law"]


def test_an_empty_project_is_led_on() -> None:
    project = Project()
    for _ in range(3):
        for problem in check(project):
            mend = quick_fix_for(project, problem)
            if mend is not None:
                project = mend.make(project)
                break
    assert project.segments
    assert project.runs
