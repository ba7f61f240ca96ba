"""Describe the results file from its layout: `docs/results-file.md`."""

from __future__ import annotations

from collections.abc import Mapping

from solver.results.events import KINDS, Kind
from solver.results.layout import EVENT_GROUP, FRAME_GROUPS, STEP_GROUP, Column

_HEAD = """# Results file

This page is produced from the layout (`make docs`); do not edit it.

A run is one HDF5 file. Any HDF5 viewer opens it; those that know NeXus plot the channels at once.

```python
import h5py

with h5py.File("run.h5") as file:
    time = file["time"][:]  # s
    names = list(file["segments/ids"].asstr())
    head = file["segments/position"][:, names.index("head")]  # (T, 3) m, ground axes
```

Or with the program's own reader, which gives a live run and a file in the same way:

```python
from solver import open_results

with open_results("run.h5") as run:
    print(run.status, run.injury)
    print(run.segment("head").position, run.channel("head_resultant").value)
    for event in run.events():
        print(event.time, event.kind, event.elements, event.values)
```

- **Rotations.** `quaternion_wxyz` turns segment components into ground components.
- **Attributes of the file.** `format` ("manikin-results"), `schema_version`, `app_version`,
  `created_utc`, `status` (running, completed, cancelled, failed), `message`, `project_sha256`,
  `run` (the id of the project's run that was solved).
- **`/project`** is the exact text of the project that was run, with its curves inside.
- **`/time`** (T,) is the time base of all groups below; each dataset has an attribute `unit`.
- **`/channels/<name>`** holds `time` and `value` of a densely sampled quantity, with attributes
  `unit`, `quantity`, `segment`, `axis`, `cfc` (filter class, 0 for none), as NeXus data. The values
  are what the run gave, before any filter; `run.channel(name).filtered()` filters them to their
  class, `.filtered(180)` to another, and of a resultant the components, as SAE J211 asks.
- **`/injury`** has `name`, `value`, `unit`, `t1`, `t2`, `channel`, `filter`; **`/log`** has the
  notes of the run, a line each. `run.log` gives these, and the events in words.
- A value that is not finite is refused when it is written: the run ends as failed, with the name of
  the quantity and the element and with the time, and all frames before it.

## While it is written

The file is `NAME.part.h5` until the run ends; then a copy of it is completed, forced to the disk and
renamed in one step, and the part removed: a kill at that moment leaves the part as it was. Without room
for a copy the part itself is completed. It is written in blocks in HDF5's single-writer mode, which orders its writes so that
the part can be read after a crash at any moment. `manikin salvage NAME.part.h5` makes a results file
of it: status failed, all quantities cut to the frames that every one of them has. Lines of the log
and injury figures are known only at the end and are not in a salvaged file. When less than 32 MB are
left on the disk the run ends with that sentence and its file is completed in the room that is left.
A reader finds everything in the shapes below: on opening, a file with a dataset that is missing or of
another shape, or with times that are no numbers or run backwards, is refused in one sentence.
Data are not compressed: a run is read far more often than it is stored.

## Groups

`N` counts the group's elements, in the order of its dataset `ids`. Groups without elements are left out.
"""


_EVENTS = """`names` are paths of elements, such as `joints/neck` or `harnesses/belt/lap`, and of parts of them, such
as `joints/neck/spin`; `kinds` are those below, where `{0}` and `{1}` stand for elements. Files of version 1
had words in place of events, cut to 80 bytes; what of them can be read is given as events.

| kind | in words | values |
|---|---|---|"""


def results_file_markdown() -> str:
    """Give the text of `docs/results-file.md`."""
    out = [_HEAD]
    for name, group in FRAME_GROUPS.items():
        lead = "(T, N" if group.has_ids else "(T"
        out.extend(_section(name, group.meaning, lead, group.columns))
    out.extend(_section("integrator", STEP_GROUP.meaning, "(S", STEP_GROUP.columns))
    out.extend(_section("events", EVENT_GROUP.meaning, "(E", EVENT_GROUP.columns))
    out.append(_EVENTS)
    out += [f"| `{name}` | {kind.sentence} | {_values(kind)} |" for name, kind in KINDS.items()]
    out.append("")
    return "\n".join(out)


def _values(kind: Kind) -> str:
    return ", ".join(kind.values)


def _section(name: str, meaning: str, lead: str, columns: Mapping[str, Column]) -> list[str]:
    rows = [
        f"### /{name}",
        "",
        meaning,
        "",
        "| dataset | shape | unit | meaning |",
        "|---|---|---|---|",
    ]
    for title, column in columns.items():
        shape = ", ".join([lead, *(str(n) for n in column.shape)])
        shape += ",)" if shape in ("(T", "(S", "(E") else ")"
        rows.append(f"| `{title}` | {shape} | {column.unit} | {column.meaning} |")
    return [*rows, ""]
