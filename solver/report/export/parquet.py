"""Channels as an Apache Parquet table, with units in the metadata of its columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from solver.report.export.errors import ExportError, writing
from solver.results.selection import SAME_TIME, by_time
from solver.results.trajectory import Array, Channel, Trajectory, facts


def write_parquet(path: Path, run: Trajectory, channels: Sequence[Channel]) -> None:
    """Write one row for each time of any channel; a channel without a sample there has no value.

    Needs pyarrow, which comes with `pip install manikin[parquet]`.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ExportError(
            "Parquet needs pyarrow; install it with: pip install 'manikin[parquet]'."
        ) from None
    bases = by_time(channels)
    time = _all_times([base.time for base in bases])
    fields = [pa.field("time", pa.float64(), metadata={"unit": "s"})]
    columns = [pa.array(time)]
    for base in bases:
        rows = np.searchsorted(time, base.time - SAME_TIME)
        for channel in base.channels:
            about = {
                "unit": channel.unit or "1", "quantity": channel.quantity, "axis": channel.axis,
                "segment": channel.segment, "cfc": str(channel.filtered_to),
            }  # fmt: skip
            fields.append(pa.field(channel.name, pa.float64(), metadata=about))
            values, missing = np.zeros(len(time)), np.ones(len(time), bool)
            values[rows], missing[rows] = channel.value, False
            columns.append(pa.array(values, mask=missing))
    head = {"manikin": json.dumps(asdict(facts(run)))}
    table = pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=head))
    with writing(path) as part:
        pq.write_table(table, str(part))


def _all_times(times: Sequence[Array]) -> Array:
    """Join times; those of one instant become one."""
    joined = np.unique(np.concatenate([*times, np.zeros(0)]))
    keep = np.ones(len(joined), bool)
    keep[1:] = np.diff(joined) >= SAME_TIME
    out: Array = joined[keep]
    return out
