"""Write `docs/checks.md` from the catalogue."""

from __future__ import annotations

from solver.project.checks.registry import CODES, FILE, PHYSICS, TOPOLOGY

HEAD = """\
# Checks

A project is checked in three passes. All problems of a pass are listed at once. Each has a
severity, a code that never changes, the place in the document, a sentence, and a hint how to mend it.
An error prevents a run; a warning and a note do not.

This page is produced from the program; do not edit it.
"""
TITLES = {
    FILE: (
        "First pass: files, types and ranges",
        "While a file is read, changed or saved. The later passes need a document without these.",
    ),
    TOPOLOGY: (
        "Second pass: references and topology",
        "Whether what is named exists, fits, and can act where it stands.",
    ),
    PHYSICS: (
        "Third pass: physics",
        "Only where the second pass found no error: whether it can be so, and how it starts.",
    ),
}


def checks_markdown() -> str:
    """Give the text of `docs/checks.md`: a table of codes for each pass."""
    lines = [HEAD]
    for number, (title, words) in TITLES.items():
        lines += [f"## {title}", "", words, "", "| code | severity | meaning |", "|---|---|---|"]
        for severity in ("error", "warning", "note"):
            lines += [
                f"| `{info.code}` | {severity} | {info.meaning} |"
                for info in sorted(CODES.values(), key=lambda one: one.code)
                if info.check_pass == number and info.severity == severity
            ]
        lines.append("")
    return "\n".join(lines)
