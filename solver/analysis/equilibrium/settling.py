"""Find the start at which occupants rest on seat, floor and belts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

from solver.analysis.equilibrium.assembly import closed, is_open
from solver.analysis.equilibrium.bending import Bending, refuse_bending
from solver.analysis.equilibrium.descent import NEARLY, SOFT, Descender, Descent
from solver.analysis.equilibrium.diagnosis import (
    ACCEPTED_G,
    GOAL_G,
    Health,
    diagnosis_text,
    health,
    indifferent,
)
from solver.analysis.equilibrium.freedoms import (
    SHIFTS,
    WHOLE,
    Freedoms,
    Reach,
    Reaching,
    chosen,
    refuse_unknown,
)
from solver.analysis.equilibrium.start import (
    Keep,
    Webbing,
    belt_loads,
    has_belts,
    holding,
    locked_joints,
    starting_at_rest,
    with_lengths,
    without_belts,
    without_same,
    written_down,
)
from solver.analysis.equilibrium.statics import SettleError, Statics, may_stop
from solver.base.words import tr
from solver.engine.dynamics.tree import Array
from solver.project.beam_pieces import Holder, bowed
from solver.project.beams import Beam
from solver.project.checks import Checked, check, checked
from solver.project.document import Project
from solver.project.expanding import Cut, cuts, end_of, expanded, folded
from solver.project.joint_table import carrying, row_of
from solver.project.links import LinearSpring, TabulatedSpring
from solver.project.pose import Placed, start_pose, turn
from solver.project.posing import members, root_of, with_pose
from solver.project.problems import listed
from solver.project.segments import GROUND

# Segments that may be lost while a model comes to rest: those that nothing ties to what stands still.


def may_be_lost(project: Project) -> tuple[str, ...]:
    """Name the segments that can go as far as they like: no joint that only turns, spring or constraint holds them back."""
    ties = [*_ties(project)]
    tied, grows = {GROUND, *(motion.segment for motion in project.motions)}, True
    while grows:
        more = {name for tie in ties if tied & tie for name in tie} - tied
        tied, grows = tied | more, bool(more)
    return tuple(one.id for one in project.segments if one.id not in tied)


def _ties(project: Project) -> Iterator[set[str]]:
    """The pairs of segments that cannot go far from each other."""
    for joint in carrying(project.joints):
        if not row_of(joint).slides:
            yield {joint.parent, joint.child}
    for spring in project.springs:
        bare = isinstance(spring, LinearSpring) and not (spring.stiffness_n_per_m or spring.stiffness_n_per_m2)  # fmt: skip
        if not bare and not (isinstance(spring, TabulatedSpring) and spring.force is None):
            yield {spring.a.segment, spring.b.segment}
    for string in project.tension_elements:
        if string.stiffness_n_per_m:
            yield {string.a.segment, string.b.segment}
    for one in project.constraints:
        if one.kind in ("zero_distance", "fixed_distance", "revolute", "universal_closure", "weld"):
            yield {one.a.segment, one.b.segment}


FURTHEST_M = 0.5
"""How far (m) a mass centre that nothing ties to the ground may go from the start before it counts as lost."""

LAYINGS = 25
"""How often belts are laid again."""

LAID_G = 1e-3
"""Acceleration (g) that belts may leave when they are laid again on a body at rest."""

LEAST = 0.01
"""Load (N, N m) that is worth a word."""

ENDS_STAY = 1e-9
"""How far the ends of a beam may move against each other, in its length and in radians, to count as where they were."""

OPENS_AT = 2.0
"""A locked joint opens at this multiple of the torque that it holds at rest."""


MOST_SAID = 6
"""Segments of which it is said how far closing the loops moved them."""


@dataclass(frozen=True)
class Settlement:
    """A settled project and how it came to rest."""

    project: Project
    health: Health
    """Start of the settled project, as a run feels it."""
    free: tuple[str, ...]
    """What was free to move."""
    balanced: bool
    """Whether the free directions are at rest; else `reason` says why not."""
    reason: str
    acceleration_g: float
    """Acceleration left along the free directions."""
    stable: bool
    moved_m: float
    """Longest way of a mass centre from the given start."""
    moved: str
    """Segment that went that way."""
    rounds: int
    evaluations: int
    notes: tuple[str, ...]


def settle(
    project: Project | Checked,
    free: Sequence[str] | None = None,
    hold: Sequence[str] = (),
    reach: Sequence[Reach] = (),
    *,
    webbing: Keep = "slack",
    tension_n: float | None = None,
    lock: Sequence[str] = (),
    opens_at: float | None = OPENS_AT,
    with_vehicle: bool = False,
    nearest: bool = False,
    furthest_m: float = FURTHEST_M,
    cancel: Callable[[], bool] | None = None,
) -> Settlement:
    """Check a project and find its static equilibrium by moving chosen freedoms; loops that start open are closed first.

    `free` and `hold` name whole bodies, single directions of them, and joints (see
    `solver.analysis.equilibrium.freedoms`); other joints keep their angles and bear what they must. `reach` keeps
    hands and feet at targets. Belts keep their slack, or their length, or get a tension. `lock` locks
    joints that bear something ("all", or names), to open at `opens_at` times that. `with_vehicle` lets
    what rests on a moving segment start with its motion. Raises ProjectError where the project has errors,
    SettleError where something prevents equilibrium, unless the `nearest` pose will do, and Cancelled once
    `cancel` says so, which is asked at each evaluation.
    """
    project, said = closed_first(project, hold)
    if project.modal_bodies:
        if free or reach or lock or with_vehicle or tension_n is not None:
            refuse_bending(project)
        with may_stop(cancel):
            return _bent(project, said)
    if webbing not in get_args(Keep):
        raise SettleError(
            "Webbing keeps its 'slack' or its 'length', not '{webbing}'.", webbing=webbing
        )
    loose = next((one for one in project.beams if one.freedoms == "all"), None)
    if loose is not None:
        raise SettleError(
            "The pieces of '{beam}' stretch and shear: where they come to rest is no start of a project. Let its freedoms be 'turns'.", beam=loose.id
        )  # fmt: skip
    with may_stop(cancel):
        found = _settled(
            _bowed(expanded(project)), free, hold, reach, webbing, tension_n, lock, opens_at, with_vehicle, nearest, furthest_m
        )  # fmt: skip
    settled = _unbent_kept(project, folded(found.project))
    return replace(found, project=settled, notes=(*said, *found.notes))


def closed_first(
    project: Project | Checked, hold: Sequence[str] = ()
) -> tuple[Project, tuple[str, ...]]:
    """Close loops where they are all that is wrong, and say what that moved; raises ProjectError as `checked` does."""
    if isinstance(project, Checked) or not is_open(check(project)):
        return checked(project).project, ()
    names = {one.id for one in (*project.segments, *project.joints)}
    done = closed(project, [name for name in hold if name in names])
    most = [str(one) for one in done.sentences()]
    return done.project, (tr("The loops started open and are closed first."), *most[:MOST_SAID])


def _bowed(whole: Project) -> Project:
    """Bend beams that come from end to end only bent, where no start of a piece is given."""
    given, pose = {one.joint for one in whole.initial.joints}, start_pose(whole)
    for cut in cuts(whole):
        beam, rest = cut.beam, cut.end
        if beam.unbent_end is None or rest is None or not given.isdisjoint(beam.stations[1:-1]):
            continue
        turns, shifts = bowed(beam, cut.laid, rest, end_of(whole, beam, []))
        holds = pose[beam.start.segment]
        R, p = holds.R_WS @ turn(beam.start.frame.orientation), holds.of(beam.start.frame.position_m)  # fmt: skip
        axes = cut.laid.turns
        centres = cut.laid.nodes - np.einsum("nij,nj->ni", axes, cut.pieces.axis)
        whole = with_pose(
            whole,
            {
                name: Placed(R @ turns[k] @ axes[k], p + R @ (turns[k] @ centres[k] + shifts[k]))
                for k, name in enumerate(beam.stations[:-1]) if k
            },
        )  # fmt: skip
    return whole


def _unbent_kept(project: Project, settled: Project) -> Project:
    """Keep how beams lie unbent of which settling has moved one end against the other: they would be laid again, without stress."""
    before = {one.beam.id: one for one in cuts(project)}
    after = {one.beam.id: one.end for one in cuts(settled)}
    beams = tuple(_as_before(one, before.get(one.id), after.get(one.id)) for one in settled.beams)
    same = all(one is other for one, other in zip(beams, settled.beams, strict=True))
    return settled if same else settled.model_copy(update={"beams": beams})


def _as_before(beam: Beam, before: Cut | None, end: Holder | None) -> Beam:
    if before is None or before.end is None:
        return beam
    moved = np.inf if end is None else np.linalg.norm(end.p - before.end.p) / before.laid.length
    if end is not None and max(moved, np.linalg.norm(end.R - before.end.R)) <= ENDS_STAY:
        return beam
    return beam.model_copy(update={"unbent_end": before.end.frame})


def _bent(project: Project, said: tuple[str, ...]) -> Settlement:
    """Bend the modal bodies of a project to rest, with all joints and bodies as they are."""
    bending = Bending(expanded(project))
    done = folded(bending.project())
    moved, furthest = bending.moved()
    notes = [tr("Modal bodies are bent to rest; joints and bodies stay as they are.")]
    if not bending.is_stable:
        notes.append(tr("The equilibrium is unstable: the least push leads away from it."))
    return Settlement(
        project=done, health=health(Checked(expanded(done))), free=(), balanced=True, reason="",
        acceleration_g=bending.acceleration_g, stable=bending.is_stable, moved_m=moved, moved=furthest,
        rounds=1, evaluations=bending.evaluations, notes=(*said, *notes),
    )  # fmt: skip


def _settled(
    project: Project,
    free: Sequence[str] | None,
    hold: Sequence[str],
    reach: Sequence[Reach],
    webbing: Keep,
    tension_n: float | None,
    lock: Sequence[str],
    opens_at: float | None,
    with_vehicle: bool,
    nearest: bool,
    furthest_m: float,
) -> Settlement:
    given, project = project, with_lengths(project)
    statics = Statics(without_belts(project) if has_belts(project) else project)
    refuse_unknown(statics, [*(free or ()), *hold])
    reaching = Reaching(statics, reach)
    freedoms = chosen(statics, project, free, hold, reaching.joints)
    belts = Webbing(project, webbing, tension_n)
    now, evaluations, rounds = belts.laid(project), 0, 0
    start, descent = start_pose(project), Descent(statics.q)
    reason, soft = "", None
    for laying in range(LAYINGS):
        statics = _inner(now, elastic=webbing == "length" and tension_n is None)
        if laying > 0 and _balanced(statics, freedoms, Reaching(statics, reach), soft):
            break
        descender = Descender(statics, freedoms, Reaching(statics, reach))
        descent = descender.go(statics.q, _too_far(statics, start, furthest_m))
        rounds, evaluations = rounds + descent.rounds, evaluations + statics.evaluations
        soft = descender.soft
        if not descent.at_rest:
            reason = diagnosis_text(statics, descent, freedoms, statics.q)
            if not nearest:
                raise SettleError(reason)
            statics.evaluate(descent.best)
        else:
            _put_back(statics, descent, descender, freedoms, start)
        now = belts.laid(_posed(now, statics, freedoms, reach))
        if reason or not has_belts(project):
            break
    else:
        reason = tr(
            "The belts shift the body each time they are laid on it. Keep the length of their webbing (webbing length), or give them less tension."
        )
        if not nearest:
            raise SettleError(reason)
    return _settlement(
        given, without_same(now, given), statics, freedoms, replace(descent, rounds=rounds), reason, evaluations,
        lock, opens_at, with_vehicle,
    )  # fmt: skip


def fit(project: Project | Checked, reach: Sequence[Reach]) -> Project:
    """Check a project and move limbs alone until their points are at their targets."""
    project = checked(project).project
    refuse_bending(project)
    statics = Statics(without_belts(project))
    reaching = Reaching(statics, reach)
    statics.evaluate(reaching.reached(statics.q))
    return _posed(project, statics, Freedoms((), reaching.joints), reach)


def _inner(project: Project, *, elastic: bool) -> Statics:
    """What the descent sees: belts as they stretch, or as loads that do not change."""
    if not has_belts(project) or elastic:
        return Statics(project)
    statics = Statics(without_belts(project))
    statics.torque, statics.force = belt_loads(project)
    return statics


def _balanced(statics: Statics, freedoms: Freedoms, reaching: Reaching, soft: Array | None) -> bool:
    """Whether belts that were laid again have left the body at rest."""
    statics.evaluate(statics.q)
    return Descender(statics, freedoms, reaching, soft).acceleration_g() < LAID_G


def _put_back(
    statics: Statics,
    descent: Descent,
    descender: Descender,
    freedoms: Freedoms,
    start: dict[str, Placed],
) -> None:
    """Shift bodies back to where they were along the ground axes in which nothing holds them."""
    for name in indifferent(statics, descent, freedoms, SOFT):
        root, _, way = name.partition(".")
        if way not in SHIFTS:
            continue
        k, mass = SHIFTS.index(way), {s.id: s.mass_kg for s in statics.project.segments}
        body = [n for n in members(statics.project, root) if n in mass]
        pose, weight = statics.pose(), sum(mass[n] for n in body)
        gone = sum(mass[n] * (pose[n].p_W[k] - start[n].p_W[k]) for n in body) / weight
        back = np.zeros(len(statics.rest))
        back[int(statics.tree.at_v[statics.model.trees.body_of[root]]) + k] = -gone
        q = descender.moved(descent.q, back)
        if descender.acceleration_g() < NEARLY:
            descent.q = q
        else:
            statics.evaluate(descent.q)


def _too_far(statics: Statics, start: dict[str, Placed], furthest: float):  # type: ignore[no-untyped-def]
    loose = may_be_lost(statics.project)

    def too_far() -> bool:
        pose = statics.pose()
        return any(
            float(np.linalg.norm(pose[name].p_W - start[name].p_W)) > furthest for name in loose
        )

    return too_far


def _posed(
    project: Project, statics: Statics, freedoms: Freedoms, reach: Sequence[Reach]
) -> Project:
    """Write the pose of the last evaluation into a project."""
    pose = statics.pose()
    children = {j.id: j.child for j in project.joints}
    named = [root for root, _ in freedoms.bodies] + [children[j] for j in freedoms.joints]
    named += [r.point.segment for r in reach]
    names = dict.fromkeys(
        n for name in named for n in members(project, root_of(project, name)) if n != GROUND
    )
    return with_pose(project, {name: pose[name] for name in names}, statics.joint_values())


def _settlement(
    given: Project,
    project: Project,
    statics: Statics,
    freedoms: Freedoms,
    descent: Descent,
    reason: str,
    evaluations: int,
    lock: Sequence[str],
    opens_at: float | None,
    with_vehicle: bool,
) -> Settlement:
    led, start, end = statics.led, start_pose(given), start_pose(project)
    ways = {s.id: float(np.linalg.norm(end[s.id].p_W - start[s.id].p_W)) for s in given.segments}
    furthest = max(ways, key=lambda name: ways[name])
    statics.evaluate(_inner(project, elastic=False).q)
    loads = holding(statics)
    notes = _notes(statics, descent, freedoms)
    if kept := written_down(given, project):
        notes.append(
            tr(
                "What was counted from the start is written down as it was before: {names}.",
                names=listed(kept),
            )
        )
    shut = list(loads) if "all" in lock else list(lock)
    if shut:
        project = locked_joints(project, shut, loads, opens_at)
    if with_vehicle:
        project = starting_at_rest(project, statics, [root for root, _ in freedoms.bodies])
    found = health(Checked(project))
    if found.worst_g >= GOAL_G and not reason:
        open_loads = {j: load for j, load in loads.items() if j not in {*freedoms.joints, *shut}}
        notes.append(_bearing(found, open_loads, _held(statics, freedoms)))
        if led:
            notes.append(
                tr(
                    "Angles of {names}, Euler joints that are nearly straight, depend on how they got there: a run that starts here has others.",
                    names=listed(led),
                )
            )
    return Settlement(
        project=project,
        health=found,
        free=freedoms.names(),
        balanced=not reason,
        reason=reason,
        acceleration_g=descent.acceleration_g,
        stable=descent.stable,
        moved_m=ways[furthest],
        moved=furthest,
        rounds=descent.rounds,
        evaluations=evaluations,
        notes=tuple(notes),
    )


def _notes(statics: Statics, descent: Descent, freedoms: Freedoms) -> list[str]:
    notes = []
    loose = indifferent(statics, descent, freedoms, SOFT)
    if loose and descent.share > 0.0:
        notes.append(
            tr(
                "Friction alone holds {loose}: it takes {share:.2g} % of what the surfaces that touch can bear. In a run it creeps.",
                loose=listed(loose),
                share=100.0 * descent.share,
            )
        )
    elif loose:
        notes.append(
            tr(
                "Nothing holds {loose} and nothing pushes there: the place is as it was given.",
                loose=listed(loose),
            )
        )
    if not descent.stable:
        notes.append(tr("The equilibrium is unstable: the least push leads away from it."))
    return notes


def _bearing(found: Health, loads: dict[str, Array], held: dict[str, float]) -> str:
    """Say what would have to be borne, so that nothing accelerates: by joints, and where bodies are held."""
    worst = found.worst
    assert worst is not None
    limit = (
        tr("more than is commonly accepted")
        if worst.acceleration_g > ACCEPTED_G
        else tr("as is common")
    )
    start = tr(
        "'{segment}' starts at {acceleration_g:.2g} g, {limit}",
        segment=worst.segment,
        acceleration_g=worst.acceleration_g,
        limit=limit,
    )
    sizes = {j: float(np.linalg.norm(load)) for j, load in loads.items()}
    most = sorted(sizes, key=lambda j: -sizes[j])[:3]
    words = [f"'{j}' {sizes[j]:.3g} N m" for j in most if sizes[j] > LEAST]
    if words:
        start += f": its posture would have to be held by {', '.join(words)}. Lock those joints, "
        start += "free them, or give them springs"
    largest = max(held, key=lambda n: abs(held[n]), default="")
    if largest and abs(held[largest]) > LEAST:
        unit = "N" if largest.rpartition(".")[2] in SHIFTS else "N m"
        start += f". '{largest}', which is held, would have to bear {held[largest]:.3g} {unit}"
    return f"{start}."


def _held(statics: Statics, freedoms: Freedoms) -> dict[str, float]:
    """The force (N) or torque (N m) along each direction of moving bodies that is held."""
    roots = [root for root, _ in freedoms.bodies]
    whole = Freedoms(tuple((root, WHOLE) for root in roots), ())
    forces = whole.basis(statics).T @ statics.forces()
    free = {f"{root}.{way}" for root, ways in freedoms.bodies for way in ways}
    named = dict(zip(whole.labels(statics), (float(f) for f in forces), strict=True))
    return {name: force for name, force in named.items() if name not in free}
