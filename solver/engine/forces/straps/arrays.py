"""What is known of harnesses: straps, their points and pieces, and the workspace of their balance."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.jit.bundles import bundle

ANCHOR, RING, JUNCTION, SURFACE = range(4)
"""Kinds of points."""

ROUNDING, DAMPING, LONGEST_WAY, STRENGTH = range(4)
SLOWING, WITH_CHANGES, STEPS_PER_S, STEPS_PER_S_BEFORE = range(4, 8)
"""Entries of `newton`, how its method goes: roundness of corners; stiffness that slows points down; the longest way; tension
at a strain of one; what slows everything down, in parts of its own stiffness;
whether changes are asked for too; steps since the memory in a second, now
and at the last balance since the memory (zero: there was none)."""

OPEN, AGAIN, ROUNDS = range(3)
"""Entries of `counts`: balances not found, found the long way, and rounds."""

STRAIN, RATE, TENSION, PULLED, SLOPE, LENGTH = range(6)
"""Entries of a piece: strain and its rate, tension, tension carried on below zero and its slope by
strain, and length."""

TURNS, STRETCHES, FEEDS = range(3)
"""By what the force of a piece changes: as an end moves across it and along it, and as webbing is fed."""

E1, E2, N = 0, 3, 6
"""Where the axes of a point stand in its frame: across and along the strap, and out of the surface."""


@bundle
class Straps(NamedTuple):
    """Hold all harnesses; rows are points, and piece k lies between point k and the next in play, `right[k]`.

    A harness has points `first[h]` to `first[h + 1]`, `size[h]` unknowns along its straps and in its
    junctions. `last` ends a strap; points taken out have no `right`. A point's `at` is in the axes of
    its body, or of its surface from the centre; `unknown` is its first unknown. `marks` says that it
    goes with the webbing, `keeps` that it never lifts off. `spool` is the row of its device. `stiff` and
    `eases` are tension by strain of its webbing: a measure of all, and where it begins to pull. `at`,
    `rest`, `mode` and `memory` are the memory at the last accepted time; `x`, `fed` and `long` are
    present; those with `end` are of the end of the last step. `going` says whether a harness takes or gives
    back, since the time when it `turned`. `seen` and `slopes` hold pieces, `hard` weighs lengths against
    forces at each point, so that all rows are of one size; `force` the force of
    webbing on each point, `kept` and `found` where points were on the way to a balance; `dragged` adds up the
    energy (J) that the lag has taken of what slips through rings without friction, which are `smooth`.
    """

    first: IntArray
    size: IntArray
    rated: IntArray
    kind: IntArray
    last: IntArray
    left: IntArray
    right: IntArray
    body: IntArray
    surface: IntArray
    law: IntArray
    flesh: IntArray
    flesh_rated: IntArray
    across: IntArray
    along: IntArray
    marks: IntArray
    keeps: IntArray
    join: IntArray
    unknown: IntArray
    smooth: IntArray
    spool: IntArray
    way: Array
    prefers: IntArray
    stiff: Array
    eases: Array
    at: Array
    rest: Array
    laid: Array
    mode: IntArray
    memory: Array
    before: Array
    flesh_mode: IntArray
    flesh_memory: Array
    flesh_before: Array
    x: Array
    fed: Array
    long: Array
    x_end: Array
    long_end: Array
    way_end: Array
    seen: Array
    slopes: Array
    hard: Array
    seen_end: Array
    depth_end: Array
    force: Array
    place: Array
    turn: Array
    frame: Array
    gap: Array
    slope: Array
    bend: Array
    moved: Array
    speed: Array
    a: Array
    b: Array
    rates: Array
    axis: Array
    counts: IntArray
    going: Array
    turned: Array
    kept: Array
    found: Array
    newton: Array
    dragged: Array
