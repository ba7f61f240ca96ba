"""The injury figures of a run, one after the other."""

from __future__ import annotations

import manikin as mk

run = mk.run(mk.sample("sled"), until=0.08)
assert len(run.injury) > 0 and "HIC15" in run.injury
for figure in run.injury:
    limit = figure.strictest
    word = "" if limit is None else f" of {limit.limit:g} ({limit.standard})"
    print(f"{figure.title}: {figure.value:.3g} {figure.unit}{word} {figure.verdict}")
    assert figure.value >= 0.0
    assert (figure.share is None) == (limit is None)
hic = run.injury["HIC15"]
assert 0.0 <= hic.t1 <= hic.t2 <= 0.08
