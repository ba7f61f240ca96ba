"""Which contacts are missing: by the library, whatever the order, and by what a run has passed through."""

from __future__ import annotations

import manikin as mk
from solver.analysis.crash.scenes import VEHICLE, seated, vehicle
from solver.base.words import Sentence
from solver.bodies.library import insert
from solver.bodies.library.inserting import pair_of, suggested, with_suggested
from solver.project.contact import PlaneContact
from solver.project.document import Project
from solver.results.trajectory import Trajectory
from solver.running.outputs.penetration import passages
from solver.running.simulation import simulate

HIPS = (0.0, -0.36, 0.0)


def car() -> Project:
    return vehicle("Car", "", "", 0.1)


def pairs(project: Project) -> set[object]:
    return {(pair_of(one), one.law) for one in project.contacts}


def test_a_seat_before_the_body_gives_the_contacts_of_a_body_before_the_seat() -> None:
    """Put seat, dash and man in either order: the same contacts, once what is missing is added."""
    late = seated(car(), "driving", HIPS, "driver")
    early = car()
    for part, prefix in (("car_seat", "seat"), ("car_driver", "car")):
        late = insert(late, part, prefix, attach_to=VEHICLE, at=HIPS, on="driver")
        early = insert(early, part, prefix, attach_to=VEHICLE, at=HIPS)
    assert suggested(early) == (), "nobody sits there yet"
    early = seated(early, "driving", HIPS, "driver")
    assert suggested(late) == ()
    missing = suggested(early)
    assert len(missing) > 10
    assert all("of the library presses on driver" in one.why.english() for one in missing)
    done = with_suggested(early, missing)
    assert pairs(done) == pairs(late)
    assert suggested(done) == ()


def test_a_seat_is_for_the_one_who_sits_there() -> None:
    """Seat a driver and a passenger: the driver's seat is the driver's alone."""
    both = insert(car(), "car_seat", "seat", attach_to=VEHICLE, at=HIPS)
    both = seated(both, "driving", HIPS, "driver")
    both = seated(both, "seated", (0.0, 0.36, 0.0), "passenger")
    who = {one.contact.surface.segment.split("_")[0] for one in suggested(both)}
    assert who == {"driver"}


def passed(project: Project, run: Trajectory) -> list[tuple[str, str, Sentence]]:
    return [(p.what, p.into, p.sentence()) for p in passages(project, run) if not p.contact]


def test_what_passes_through_in_a_run_is_told_and_held_the_next_time() -> None:
    """Put a shelf in the way of a ball: it falls through, and lies on it once the contact is added."""
    sample = mk.sample("bouncing_ball").project
    pad = sample.planes[0]
    frame = pad.placement.frame.model_copy(update={"position_m": (0.0, 0.0, -0.25)})
    shelf = pad.model_copy(
        update={"id": "shelf", "placement": pad.placement.model_copy(update={"frame": frame})}
    )
    bare = sample.model_copy(update={"planes": (*sample.planes, shelf)})
    first = simulate(bare)
    (missing,) = suggested(bare, passed(bare, first))
    assert isinstance(missing.contact, PlaneContact)
    assert missing.contact.plane == "shelf"
    assert missing.contact.law == sample.contacts[0].law, "by what the ball meets the pad with"
    assert "passed through" in missing.why.english()
    done = with_suggested(bare, [missing])
    second = simulate(done)
    assert suggested(done, passed(done, second)) == ()
    lowest = [float(run.table("segments")["position"][:, 0, 2].max()) for run in (first, second)]
    assert lowest[0] > -0.15
    assert lowest[1] < -0.25, "the ball stays above the shelf"
