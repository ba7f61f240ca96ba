"""Describe the results file from its layout: `docs/results-file.md`."""

from __future__ import annotations

from collections.abc import Mapping

from solver.results.events import KINDS, Kind
from solver.results.layout import CHECKPOINT_GROUP, EVENT_GROUP, FRAME_GROUPS, STEP_GROUP, Column

_HEAD = """# Results file

A run is one HDF5 file. Any HDF5 viewer opens it; those that know NeXus plot the channels at once.

This page is produced from the layout (`make docs`); do not edit it.

```python
import h5py

with h5py.File("run.h5") as file:
    time = file["time"][:]  # s
    names = list(file["segments/ids"].asstr())
    head = file["segments/position"][:, names.index("head")]  # (T, 3) m, ground axes
```

Or with the program's own reader, which gives a live run and a file in the same way:

```python
import manikin as mk

run = mk.open_run("run.h5")
print(run.status, run.injury)
print(run["segments/head/position/x"], run["head_acceleration_resultant"].value)
for event in run.events:
    print(event.time, event.kind, event.elements, event.values)
```

- **Rotations.** `quaternion_wxyz` turns segment components into ground components.
- **Attributes of the file.** `format` ("manikin-results"), `schema_version`, `app_version`,
  `processor` (what the kernels were compiled for, such as `x86-64-v3`: runs of one input on machines of one level have the
  same bits), `created_utc`, `status` (running, completed, cancelled, failed), `message`, `project_sha256`,
  `run` (the id of the project's run that was solved).
- **`/project`** is the exact text of the project that was run, with its curves inside.
- **`/time`** (T,) is the time base of all groups below; each dataset has an attribute `unit`.
- **`/channels/<name>`** holds `time` and `value` of a densely sampled quantity, with attributes
  `unit`, `quantity`, `segment`, `axis`, `cfc` (filter class, 0 for none), as NeXus data. Channels that
  are sampled at the same instants share one `time`, which stands in each of them (a hard link). The values
  are what the run gave, before any filter; `run.channel(name).filtered()` filters them to their
  class, `.filtered(180)` to another, and of a resultant the components, as SAE J211 asks.
- **`/injury`** has `name`, `value`, `unit`, `t1`, `t2`, `channel`, `filter`; **`/log`** has the
  notes of the run, a line each, and **`/notes`** the same as JSON where they are sentences with
  values: `template`, `values`. `run.log` gives these, and the events in words.
- A value that is not finite is refused when it is written: the run ends as failed, with the name of
  the quantity and the element and with the time, and all frames before it.

## While it is written

While a run goes on, what it has found stands in `NAME.KEY.part` beside the file that it is for: a
plain file that only grows, made of records with checksums, KEY of its own for each run. It is written
early and at least each half second, so that a crash loses no more than what was being computed. At
the end the results file is made of it under a hidden name, forced to the disk and renamed in one
step, and the part removed: under the final name there is never anything half-written.

- **After a crash** `manikin salvage NAME.KEY.part` makes a results file of what is left: status failed,
  all frames up to the last record that is whole. A record that is damaged ends what is saved, and the
  message says so. Lines of the log and injury figures are known only at the end and are not in it. The
  part stays: delete it once you have what you want. The state of the run stands in the part each half minute of
  the clock, whatever intervals the run has: `manikin run --from` goes on from the salvaged file, to the same bits.
- **Ctrl+C, TERM and HUP** end a run or a study with its file completed: status cancelled, with a state from which it
  goes on where that is possible. Only what cannot be caught, such as KILL and a power cut, leaves a part.
- **Two runs into one file** do not go together: the second is refused while the first goes on
  (`.NAME.h5.lock` beside it reports it). A part whose run goes on is not salvaged. If another program
  puts a file in the place meanwhile, it stays, and the run gets a name of its own that is told.
- **A full disk.** When less is left than the results file needs and 32 MB more, the run ends with that
  sentence and its file is completed. If it cannot be completed, the sentence names the part, which
  holds the whole run: make room and salvage it.
- **Links** are followed to the file behind them. What is no ordinary file, such as a pipe or a device,
  is refused and stays as it is.

## Damage

Every dataset that grows has checksums (HDF5's Fletcher32), HDF5 keeps its own records in the format
of version 1.10, which has them too, and the attributes of the file and of each channel have one in
their attribute `checksum`; `project_sha256` is that of the project. So a bit that has flipped on a disk
is told when it is read, and is never a number. On opening, a file with a dataset that is missing or of
another shape, or with times that are no numbers or run backwards, is refused in one sentence.
Data are not compressed: a run is read far more often than it is stored.

A file may come from anywhere. Before anything in it is read, all of its links and datasets are looked at: what
leads into another file (external and soft links, virtual datasets, external storage), and what promises more
values than the file has bytes for, is refused. Every HDF5 file that the program reads passes this gate.

## Groups

`N` counts the group's elements, in the order of its dataset `ids`. Groups without elements are left out.
"""


_EVENTS = """`names` are paths of elements, such as `joints/neck` or `harnesses/belt/lap`, and of parts of them, such
as `joints/neck/spin`; `kinds` are those below, where `{0}` and `{1}` stand for elements. Files of version 1
had words in place of events, cut to 80 bytes; what of them can be read is given as events.

| kind | in words | values |
|---|---|---|"""


def results_file_markdown() -> str:
    """The text of `docs/results-file.md`."""
    out = [_HEAD]
    for name, group in FRAME_GROUPS.items():
        lead = "(T, N" if group.has_ids else "(T"
        out.extend(_section(name, group.meaning, lead, group.columns))
    out.extend(_section("integrator", STEP_GROUP.meaning, "(S", STEP_GROUP.columns))
    out.extend(_section("events", EVENT_GROUP.meaning, "(E", EVENT_GROUP.columns))
    group = CHECKPOINT_GROUP
    out.extend(_section("checkpoints", group.meaning, "(C", group.columns))
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
