"""The rotational injury criterion RIC36: HIC's formula with the head's angular acceleration.

H. Kimpara and M. Iwamoto, Mild traumatic brain injury predictors based on angular accelerations during impacts, Annals
of Biomedical Engineering 40 (2012); 1.03e7 goes there with a risk of 50 % of a mild brain injury.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from manikin.extensions import Criterion, Signal

WINDOW_S = 0.036


def ric36(signals: Mapping[str, Signal]) -> tuple[float, float, float]:
    """The largest (t2 - t1) (mean of |angular acceleration|)^2.5 of windows up to 36 ms, and its window."""
    turned = signals["angular_acceleration"]
    time, size = turned.time, np.linalg.norm(turned.value, axis=0)
    grown = np.concatenate([[0.0], np.cumsum(0.5 * (size[1:] + size[:-1]) * np.diff(time))])
    best = (0.0, float(time[0]), float(time[0]))
    for lag in range(1, len(time)):
        span = time[lag:] - time[:-lag]
        if span[0] > WINDOW_S * (1.0 + 1e-9):
            break
        value = (grown[lag:] - grown[:-lag]) ** 2.5 / span**1.5
        k = int(np.argmax(value))
        if value[k] > best[0]:
            best = (float(value[k]), float(time[k]), float(time[k + lag]))
    return best


RIC36 = Criterion(
    title="Rotational injury criterion, windows up to 36 ms",
    unit="1",
    part="head",
    needs=("angular_acceleration",),
    classes=(60,),
    compute=ric36,
    limit=1.03e7,
    source="Kimpara and Iwamoto 2012, 50 % risk of a mild brain injury",
)
