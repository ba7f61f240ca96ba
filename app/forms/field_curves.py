"""Pictures of fields that are curves, as a run follows them: laws, pulses, vents, actuators; and all pictures by models. No Qt in here."""

from __future__ import annotations

import math
from collections.abc import Callable

from app.forms.field_pictures import SHAPES, Part, Point, Stroke, Words

_ROUND = 48


def _damped_law() -> list[Part]:
    def f(d: float) -> Point:
        return 60.0 + 220.0 * d, 165.0 - 120.0 * d

    turns = [n / _ROUND for n in range(_ROUND + 1)]
    loading = tuple(
        (f(t)[0], f(t)[1] - 45.0 * math.sqrt(max(0.0, 1.0 - t * t)) * 0.55) for t in turns
    )
    back = tuple((x, min(165.0, 2.0 * f(t)[1] - y)) for (x, y), t in zip(loading, turns, strict=True))  # fmt: skip
    return [
        Stroke(((60.0, 165.0), (320.0, 165.0)), arrow=True),
        Words((322.0, 182.0), "", "d", right=True),
        Stroke(((60.0, 165.0), (60.0, 20.0)), arrow=True),
        Words((50.0, 30.0), "", "F", right=True),
        Stroke((f(0.0), f(1.0)), "stiffness_n_per_m", 2.0),
        Words((250.0, 96.0), "stiffness_n_per_m"),
        Stroke(loading, "damping_ns_per_m", dashed=True),
        Stroke(back, "damping_ns_per_m", dashed=True),
        Words((150.0, 62.0), "damping_ns_per_m", right=True),
    ]


def pulse_course(kind: str, t: float, peak: float = 0.5, rise: float = 0.25, fall: float = 0.25) -> float:  # fmt: skip
    """A pulse of height and length one."""
    if kind == "half_sine":
        return math.sin(math.pi * t)
    if kind == "haversine":
        return math.sin(math.pi * t) ** 2
    if kind == "triangle":
        return t / peak if t < peak else (1.0 - t) / (1.0 - peak)
    return min(1.0, t / rise, (1.0 - t) / fall)


def _pulse(kind: str, *marks: tuple[str, float, float]) -> Callable[[], list[Part]]:
    """A pulse over time; `marks` are parts of its duration with the fields that say them."""
    left, right, low, high = 100.0, 300.0, 150.0, 40.0

    def at(t: float, f: float) -> Point:
        return left + (right - left) * t, low - (low - high) * f

    def draw() -> list[Part]:
        course = tuple(at(n / 200, pulse_course(kind, n / 200)) for n in range(201))
        found: list[Part] = [
            Stroke(((50.0, low), (335.0, low)), arrow=True),
            Words((345.0, low + 16.0), "", "t", right=True),
            Stroke(((50.0, low), (50.0, 20.0)), arrow=True),
            Stroke(course, "", 2.2),
            Stroke((at(0.5, 1.0), (50.0, high)), "amplitude", dashed=True),
            Words((56.0, high - 6.0), "amplitude"),
            Stroke(((50.0, low + 10.0), (left, low + 10.0)), "start_s", 2.0, arrow=True),
            Words((74.0, low + 28.0), "start_s", right=True),
            Stroke(((left, low + 10.0), (right, low + 10.0)), "duration_s", 2.0, arrow=True),
            Words((200.0, low + 28.0), "duration_s"),
        ]
        for field, begin, end in marks:
            y = low - 12.0
            found.append(Stroke((at(begin, 0.0), at(end, 0.0)), field, 3.0))
            found.append(Words((at((begin + end) / 2, 0.0)[0] - 12.0, y), field))
        return found

    return draw


def vent_course(gauge: float) -> float:
    """Flow through a hole over the largest drawn, by gauge pressure over the outer pressure: below choking by how far the gas expands, from there on with the pressure."""
    return _flux(1.0 + gauge) / _flux(1.0 + _MOST_GAUGE)


_GAMMA, _MOST_GAUGE, OPENS_AT = 1.4, 1.2, 0.3
"""Of the gas drawn its ratio of heats; gauge pressures over the outer one up to which it is drawn, and at which the hole opens."""


def _flux(over: float) -> float:
    """Flux of a gas at a pressure over the outer one, for its density at one temperature."""
    part = max(1.0 / over, (2.0 / (_GAMMA + 1.0)) ** (_GAMMA / (_GAMMA - 1.0)))
    expanded = part ** (2.0 / _GAMMA) - part ** ((_GAMMA + 1.0) / _GAMMA)
    return over * math.sqrt(2.0 * _GAMMA / (_GAMMA - 1.0) * max(expanded, 0.0))


def _vent() -> list[Part]:
    left, low = 60.0, 158.0

    def at(gauge: float) -> Point:
        return left + 230.0 * gauge / _MOST_GAUGE, low - 118.0 * vent_course(gauge)

    gauges = [_MOST_GAUGE * n / 60 for n in range(61)]
    opens = (at(OPENS_AT)[0], low)
    return [
        Stroke(((left, low), (330.0, low)), arrow=True),
        Words((332.0, low + 18.0), "", "p", right=True),
        Stroke(((left, low), (left, 20.0)), arrow=True),
        Words((left - 8.0, 32.0), "", "m'", right=True),
        Stroke((at(OPENS_AT), *(at(g) for g in gauges if g > OPENS_AT)), "flow", 2.2),
        Words((210.0, 104.0), "flow"),
        Stroke((opens, at(OPENS_AT)), "opens_at_pa", dashed=True),
        Words((opens[0] - 10.0, low + 20.0), "opens_at_pa"),
        Stroke(tuple(at(g) for g in gauges if g <= OPENS_AT), "stays_open", dashed=True),
        Words((left + 8.0, 60.0), "stays_open"),
        Stroke((at(_MOST_GAUGE), (at(_MOST_GAUGE)[0], low)), "area_m2", dashed=True, arrow=True),
        Words((at(_MOST_GAUGE)[0] + 6.0, 92.0), "area_m2"),
    ]  # fmt: skip


DELAY, RAMP, LIMIT, GAIN = 0.2, 0.3, 0.75, 1.0
"""Of the drawn actuator: parts of the time drawn, and of what its gain would give."""


def actuator_course(t: float) -> float:
    """What an actuator gives whose target is off by as much all the time: its gain's load, at most its limit, coming up over its ramp."""
    return min(LIMIT, GAIN) * min(1.0, max(0.0, (t - DELAY) / RAMP))


def _actuator() -> list[Part]:
    left, low = 60.0, 150.0

    def at(t: float, f: float) -> Point:
        return left + 250.0 * t, low - 118.0 * f

    return [
        Stroke((at(0.0, 0.0), at(1.08, 0.0)), arrow=True),
        Words((336.0, low + 16.0), "", "t", right=True),
        Stroke((at(0.0, 0.0), at(0.0, 1.1)), arrow=True),
        Words((52.0, 30.0), "", "F", right=True),
        Stroke(tuple(at(n / 200, actuator_course(n / 200)) for n in range(201)), "", 2.2),
        Stroke((at(0.0, LIMIT), at(1.0, LIMIT)), "limit", dashed=True),
        Words((300.0, at(0.0, LIMIT)[1] - 6.0), "limit"),
        Stroke((at(0.0, GAIN), at(1.0, GAIN)), "proportional", dashed=True),
        Words((120.0, at(0.0, GAIN)[1] - 6.0), "proportional"),
        Stroke(((left, low + 12.0), (left + 250.0 * DELAY, low + 12.0)), "delay_s", 2.0, arrow=True),
        Words((left, low + 32.0), "delay_s"),
        Stroke(((left + 250.0 * DELAY, low + 12.0), (left + 250.0 * (DELAY + RAMP), low + 12.0)), "ramp_s", 2.0, arrow=True),
        Words((left + 250.0 * DELAY + 22.0, low + 32.0), "ramp_s"),
    ]  # fmt: skip


PICTURES: dict[str, Callable[[], list[Part]]] = {
    **SHAPES,
    "KelvinVoigtLaw": _damped_law,
    "HalfSine": _pulse("half_sine"),
    "Haversine": _pulse("haversine"),
    "Triangle": _pulse("triangle", ("peak_ratio", 0.0, 0.5)),
    "Trapezoid": _pulse("trapezoid", ("rise_ratio", 0.0, 0.25), ("fall_ratio", 0.75, 1.0)),
    "Vent": _vent,
    "Actuator": _actuator,
}
"""The models of the schema that have a picture."""
