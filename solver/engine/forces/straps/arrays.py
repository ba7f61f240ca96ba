"""What is known of harnesses: straps, their points and pieces, the workspace of their balance, and devices at ends."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.jit.kernels import struct

ANCHOR, RING, JUNCTION, SURFACE = range(4)
"""Kinds of points."""

UNBALANCED, AGAIN, ROUNDS = range(3)
"""Entries of `counts`: balances not found, found the long way, and rounds."""

STRAIN, STRAIN_RATE, TENSION, PULLED, SLOPE, LENGTH = range(6)
"""Entries of a piece: strain and its rate, tension, tension carried on below zero and its slope by
strain, and length."""

E1, E2, N = 0, 3, 6
"""Where the axes of a point stand in its frame: across and along the strap, and out of the surface."""


@struct
class StrapModel(NamedTuple):
    """What never changes of harnesses.

    A harness has points `first[h]` to `first[h + 1]`; `rated` says that its rates of strain are asked for. `last` ends
    a strap. `unknown` and the places of points are memory, for points may be taken out. A point lies on a body or a
    `surface`, with friction `across` and `along` the strap; `keeps` says that it never lifts off, `prefers` that its
    direction is given, `smooth` that it is a ring without friction, `spool` is the row of its device, `join` the first
    point of its junction. `law` is that of the piece behind it, `flesh` that of what lies under it, which
    `flesh_rated` says depends on the rate of depth. `stiff` and `eases` are tension by strain of its webbing: a
    measure of all, and where it begins to pull.
    """

    first: IntArray
    rated: IntArray
    kind: IntArray
    last: IntArray
    body: IntArray
    surface: IntArray
    law: IntArray
    flesh: IntArray
    flesh_rated: IntArray
    across: IntArray
    along: IntArray
    keeps: IntArray
    join: IntArray
    smooth: IntArray
    spool: IntArray
    prefers: IntArray
    stiff: Array
    eases: Array


@struct
class StrapMemory(NamedTuple):
    """What harnesses take from one step into the next, and from one event into the next.

    Piece k lies between point k and the next in play, `right[k]`; points taken out have no `right`. `size[h]` are
    unknowns along the straps of harness h and in its junctions, `unknown` the first one of a point. `marks` says that a
    point goes with the webbing. `at` is a point's place in the axes of its body, or of its surface from the centre;
    `way` the strap's direction there; `rest` a piece's unstretched length, and `laid` that at the start. Behind them the
    laws' own memory, and the strain and depth at the last accepted time. Those with `end` are of the end of the last
    step, and become memory when the next one begins. `going` says whether a harness takes or gives back, since the
    time when it `turned`; `dragged` adds up the energy (J) that the lag has taken of what slips through smooth rings;
    `per_s_before` is one over the time from the memory to the last balance, zero where there was none.
    """

    size: IntArray
    left: IntArray
    right: IntArray
    marks: IntArray
    unknown: IntArray
    at: Array
    way: Array
    rest: Array
    laid: Array
    webbing_mode: IntArray
    webbing_memory: Array
    webbing_strain: Array
    flesh_mode: IntArray
    flesh_memory: Array
    flesh_depth: Array
    x_end: Array
    fed_end: Array
    way_end: Array
    long_end: Array
    strain_end: Array
    length_end: Array
    depth_end: Array
    going: Array
    turned: Array
    dragged: Array
    per_s_before: Array


@struct
class StrapWorkspace(NamedTuple):
    """What an evaluation needs and leaves; where points are, and webbing fed, is where the next one begins.

    Of points: the present `x` in the same axes as `at`, webbing `fed` through it, `place` in ground axes, the `turn` of
    its axes and the `frame` along the strap, gap to the surface, its gradient `slope` and how the normal turns, `bend`;
    the way `moved` since the memory, `speed`, and the `force` of webbing. `hard` weighs lengths against forces, so that
    all rows are of one size. Of pieces: unstretched length `long`, direction `axis`, what is `seen`, and by what their
    force changes: as an end moves across it (`turns`) and along it (`stretches`), and as webbing is fed (`feeds`).
    Of the equations: `matrix`, `residual` and its rate; the solution stands in `residual`. `kept` and `found` are where
    points were on the way to a balance.
    """

    x: Array
    fed: Array
    long: Array
    seen: Array
    turns: Array
    stretches: Array
    feeds: Array
    hard: Array
    force: Array
    place: Array
    turn: Array
    frame: Array
    gap: Array
    slope: Array
    bend: Array
    moved: Array
    speed: Array
    axis: Array
    matrix: Array
    residual: Array
    residual_rate: Array
    counts: IntArray
    kept: Array
    found: Array


@struct
class Retractors(NamedTuple):
    """The devices of strap ends.

    `drive` is the number of the curve by time that an end without devices follows, tension if `pays` is 0, webbing let out else.
    `sensors` are acceleration, webbing drawn and its speed at which a retractor locks. `drawn`, `given`
    and `time` are the memory at the last accepted time, those with `end` are of the end of the last
    step; `present` is webbing drawn now, and its speed.
    """

    point: IntArray
    body: IntArray
    at: Array
    winding: Array
    empty: Array
    sensors: Array
    delay: Array
    gives: IntArray
    trigger: IntArray
    stroke: IntArray
    limit: Array
    drive: IntArray
    pays: IntArray
    locked: IntArray
    locks: Array
    drawn: Array
    given: Array
    time: Array
    drawn_end: Array
    given_end: Array
    locked_end: IntArray
    time_end: Array
    pulls: Array
    fired: IntArray
    present: Array


@struct
class Straps(NamedTuple):
    """All harnesses: their rows are points, and the pieces of webbing behind them; and the devices at their ends."""

    model: StrapModel
    memory: StrapMemory
    workspace: StrapWorkspace
    retractors: Retractors
