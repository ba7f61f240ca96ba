"""A report of two runs side by side, and what made a figure."""

from __future__ import annotations

import manikin as mk

soft = mk.run(mk.sample("sled"), until=0.06)
hard = mk.run(mk.sample("sled").with_value("title", "The same again"), until=0.06)
page = soft.report(hard, labels=["soft", "hard"], people="shapes").save("report.html")
assert page.stat().st_size > 10_000
print(soft.why("chest_3ms"))
account = soft.acting_on("upper_torso")
total = sum(share.forces for share in account.shares)
print(account.mass_kg, total)
