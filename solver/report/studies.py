"""What a report says of studies: one section for each, in which everything stands that it takes to do it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from solver.base.words import plural, tr
from solver.project.document import Project
from solver.report.content import Section, Table, Verdict, text
from solver.report.study_charts import charts
from solver.report.study_tables import answers, responses, varied
from solver.report.study_words import KINDS, Columns
from solver.studies import StudyResult
from solver.studies.apart import not_told_apart
from solver.studies.beside import is_old

MOST_REASONS = 8


def study_section(found: StudyResult, project: Project, units: str) -> Section:
    """Give the section of a study beside the project that is reported on."""
    columns = Columns(found, units)
    name = found.study.name or found.study.id
    tables = (
        *answers(found, columns), *_failures(found), *_warned(found), varied(found, columns), *responses(found, columns), _run(found),
    )  # fmt: skip
    return Section(
        tr("Study: {name}", name=name),
        tuple(_verdicts(found, project)),
        tables,
        tuple(charts(found, columns, units)),
    )


def _verdicts(found: StudyResult, project: Project) -> Iterator[Verdict]:
    told = found.answers
    if is_old(found, project):
        yield Verdict(
            "bad", tr("The model has changed since these runs: they are not those of the model in this report.")
        )  # fmt: skip
    if found.status != "completed":
        yield Verdict("bad", tr("The study is {status}: its answers are of what had come back.", status=tr(found.status)))  # fmt: skip
    missing = told["runs"] - told["done"]
    has_limits = any(r.at_least is not None or r.at_most is not None for r in found.study.responses)
    words = plural("{done} of {n} run has come back", "{done} of {n} runs have come back", told["runs"], done=told["done"])  # fmt: skip
    if told["failed"]:
        words += plural(", {n} failed", ", {n} failed", told["failed"])
    if has_limits:
        words += plural("; {n} keeps all limits", "; {n} keep all limits", told["kept"])
    yield Verdict("near" if missing else "plain", f"{words}.")
    if "fit" in told:
        yield from _fit(found)
    if "optimum" in told:
        yield from _optimum(found)


def _fit(found: StudyResult) -> Iterator[Verdict]:
    part = found.answers["fit"]
    for one in part.get("not_told_apart", ()):
        yield Verdict("bad", str(not_told_apart(one)))
    for name, one in part["unknowns"].items():
        if one["at_end"]:
            yield Verdict("near", tr("'{name}' is at the end of its range.", name=name))
    if part["ended"] == "most_runs":
        yield Verdict("near", tr("It ended at the most runs that it may have; the fit may not be the best."))  # fmt: skip


def _optimum(found: StudyResult) -> Iterator[Verdict]:
    part = found.answers["optimum"]
    if not part["front"]:
        yield Verdict("bad", tr("No run keeps all limits."))
    elif len(part["front"]) == 1:
        yield Verdict("good", tr("Run {run} serves the goal best.", run=part["front"][0]))
    else:
        yield Verdict("good", tr("{count} runs make the front between the goals.", count=len(part["front"])))  # fmt: skip
    if part["ended"] == "most_runs":
        yield Verdict("near", tr("It ended at the most runs that it may have; a better one may be left."))  # fmt: skip


def _failures(found: StudyResult) -> Iterator[Table]:
    """Say why runs failed, or have no value: the most frequent reason first."""
    reasons = Counter(found.rows.reasons)
    if not reasons:
        return
    rows = tuple((text(str(count)), text(why)) for why, count in reasons.most_common(MOST_REASONS))
    left = len(reasons) - len(rows)
    notes = (tr("{count} other reasons stand in the study file.", count=left),) if left else ()
    yield Table(
        tr("Runs without all their numbers"), (tr("runs"), tr("why")), rows, (0.08, 0.92), notes
    )


def _warned(found: StudyResult) -> Iterator[Table]:
    """Say of which runs the numbers may not be believed as they are: the best of them first."""
    if not found.warned:
        return
    runs = found.warned[:MOST_REASONS]
    left = len(found.warned) - len(runs)
    notes = (tr("{count} other runs with warnings stand in the study file.", count=left),) if left else ()  # fmt: skip
    rows = tuple((text(str(run)), text(found.rows.messages[run])) for run in runs)
    yield Table(
        tr("Runs that warn of their numbers"), (tr("run"), tr("warning")), rows, (0.08, 0.92), notes
    )


def _run(found: StudyResult) -> Table:
    """Say how the study was run, so that it can be done again."""
    study = found.study
    versions = ", ".join(f"{name} {number}" for name, number in found.versions.items() if number)
    rows = [
        (tr("kind"), tr(KINDS[study.kind])),
        (tr("id"), study.id),
        (tr("status"), tr(found.status)),
        (tr("seed"), str(found.seed) if found.seed else tr("none: nothing is drawn")),
        (tr("versions"), versions),
        (tr("SHA-256 of the model"), found.project_sha256),
    ]
    if found.path is not None:
        rows.append((tr("study file"), found.path.name))
    rows += [(key, words) for key, words in ((tr("note"), study.note), (tr("source"), study.source)) if words]  # fmt: skip
    made = tuple((text(key, "muted"), text(value)) for key, value in rows)
    return Table(tr("How it was run"), (tr("setting"), tr("value")), made, (0.2, 0.8))
