"""Coordinate forces as arrays: what each resists, and by which laws."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces.coordinates.blocks import Blocks
from solver.engine.forces.coordinates.paths import Paths
from solver.engine.forces.laws import Laws
from solver.engine.jit.kernels import struct

JOINT, DISTANCE, COMPONENT, ANGLE, LINE_LENGTH, EULER = range(6)
"""Kinds of coordinates; a length is that of a line through more than two fixed points."""

BOTH, ABOVE, BELOW = range(3)
"""Sides on which laws act."""

(
    LINEAR,
    SIDED,
    COULOMB,
    VISCOUS,
    RATED,
    ONE_WAY,
    MUSCLE,
    PLASTIC,
    ACTUATOR,
    HILL,
    BLOCKS,
    HYDRAULIC,
) = range(12)
"""Kinds of laws."""

NUMBERS = 13
"""Numbers of a law; what they are, each kind says where it is evaluated."""

CURVES = 6
"""Curves of a law; -1 for none."""

FORWARD, BACKWARD = 11, 12
"""Modes of a plastic hinge that gives in; 0 while it holds."""

ON_ABOVE, ON_BELOW = 13, 14
"""Modes of an actuator's switch that is on, by what is off above or below; 0 while it is off."""

LIMIT, RISES_OVER, SWITCH_SIZE, SWITCH_ON, SWITCH_OFF, SWITCH_LEAD = range(1, 7)
"""Numbers of an actuator, behind its delay."""

COUNT, GIVEN, GROWTH, OFF = range(4)
"""What an actuator holds from sample to sample: how many there were, its resistance, the rate of its sum, what is off."""

NO_TIME = 1e30
"""Time that does not come."""

SEEN_WAY, SEEN_RATE, SEEN_LOAD, SEEN_OFF, SEEN_DRIVE = range(5)
"""What is seen of a coordinate: its value from zero, its rate, the resistance, what is off its (last) actuator's target,
and what muscles and actuators give of the resistance. Of one that is only sensed, the third is 1 while it is there."""

PAST, LATE_PARTS = 256, 200
"""Places kept of what an actuator senses late, and into how many parts of its reflex time they are apart at least."""

RELAXED = 1e5
"""Rate (1/s) beyond which a muscle does not relax: without activation it would at once (*assumed*)."""


@struct
class Coordinates(NamedTuple):
    """Hold coordinate forces, their laws, and the slots of laws that remember.

    `body` is the elementary body of a joint's axis, or of the joint whose frames an angle is between; `a`, `b`, `at_a`, `at_b`, `R_A`, `R_B` are ends of the
    others; a length is that of a line of `paths`. Element n has the laws `first[n]` to `first[n + 1]`. A law's `slot` is its first one, `state` its
    entry of z (of muscles and actuators), `clock` the trigger from which its time counts; -1 for none. A slot belongs to an element
    (`row`), looks from `at` along `sign`, and remembers by law `inner` of `laws`, or, with -1, as a hinge.
    A law (actuator, reflex of a muscle) that senses late has a number in `late`, else -1. Each number has its element (`late_row`), its reflex time (`lag`), and
    a ring of times, places and rates (`past`), of which `newest` says where the last one is, and how many there are.
    Behind the elements stand coordinates that are only sensed, without laws. A law's own coordinate, or the one that it
    goes by, is `senses`. One with a period has a number in `tick`, else -1; each number has its law (`tick_law`), its
    element (`tick_row`), its period and what it holds. Steps also end `stop_after` after the trigger of a law `stop_law` has fired.
    `wake` holds the time of the next sample or such end. `turning` is the rotation vector of an angle as it was last looked at,
    `turned` that at the last accepted time, from which it goes on beyond half a turn. `blocks` holds the signals of laws that have some.
    """

    kind: IntArray
    body: IntArray
    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    R_A: Array
    R_B: Array
    paths: Paths
    axis: IntArray
    euler: IntArray
    turning: Array
    turned: Array
    zero: Array
    side: IntArray
    blend: Array
    first: IntArray
    law: IntArray
    number: Array
    curve: IntArray
    slot: IntArray
    state: IntArray
    clock: IntArray
    laws: Laws
    row: IntArray
    of: IntArray
    sign: Array
    at: Array
    inner: IntArray
    told: IntArray
    mode: IntArray
    memory: Array
    late: IntArray
    late_row: IntArray
    lag: Array
    past: Array
    newest: IntArray
    senses: IntArray
    tick: IntArray
    tick_law: IntArray
    tick_row: IntArray
    period: Array
    held: Array
    stop_law: IntArray
    stop_after: Array
    wake: Array
    seen: Array
    blocks: Blocks
