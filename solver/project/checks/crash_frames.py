"""Check frames of plastic hinges: what their members join, whether they hang together, and whether hinges have limits."""

from __future__ import annotations

from collections.abc import Iterator

from solver.base.words import Sentence
from solver.project.checks.ids import offer, repeated
from solver.project.checks.index import Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.crash_frames import CrashFrame
from solver.project.expanding import beyond_numbers
from solver.project.frame_pieces import can_fold, is_whole
from solver.project.problems import Problem


@finds(
    TOPOLOGY,
    error={
        "frame-part-twice": "Two nodes or members of a crash frame have the same id.",
        "frame-node": "A member of a crash frame names a node that it does not have.",
        "frame-member-short": "A member of a crash frame has both ends in one place.",
        "frame-hinge-limit": "A hinge of a crash frame has no limit moment, or its section is none.",
        "frame-numbers": "Parts of a crash frame would have numbers that no part may have.",
        "frame-apart": "Parts of a crash frame are attached to nothing that is held.",
        "frame-plane": "A node of a planar crash frame lies beside its plane.",
    },
    warning={
        "frame-folds-nowhere": "No member of a crash frame folds.",
        "frame-node-alone": "A node of a crash frame joins no member.",
        "frame-hinge-unused": "A member of a crash frame that folds nowhere has a limit or a stiffness.",
    },
)
def crash_frames(index: Index) -> Iterator[Problem]:
    """Find frames that cannot be put together."""
    for frame, path in index.elements("crash_frames"):
        found = list(_faults(frame, path))
        yield from found
        yield from _idle(frame, path)
        if not found and not is_whole(frame):
            sentence = Sentence("Not all nodes of '{frame}' are joined to what is held.", frame=frame.id)  # fmt: skip
            yield problem("frame-apart", f"{path}/members", sentence, "Join them by members, or hold them.")  # fmt: skip
        if frame.id in beyond_numbers(index.project):
            sentence = Sentence("Parts of '{frame}' would have masses or stiffnesses that no part may have.", frame=frame.id)  # fmt: skip
            yield problem("frame-numbers", path, sentence, "Look at the units of its sections and material.")  # fmt: skip


def _faults(frame: CrashFrame, path: str) -> Iterator[Problem]:
    for one in repeated([*(n.id for n in frame.nodes), *(m.id for m in frame.members)]):
        sentence = Sentence("'{frame}' has more than one part '{one}'.", frame=frame.id, one=one)
        yield problem("frame-part-twice", path, sentence, "Rename one of them.")
    at = {node.id: node.position_m for node in frame.nodes}
    for node in frame.nodes if frame.planar else ():
        if node.position_m[1] != 0.0:
            sentence = Sentence("Node '{node}' lies {off:.4g} m beside the plane.", node=node.id, off=node.position_m[1])  # fmt: skip
            yield problem("frame-plane", f"{path}/nodes/{node.id}/position_m", sentence, "Let y be zero, or the frame be one in space.")  # fmt: skip
    for member in frame.members:
        here = f"{path}/members/{member.id}"
        lost = [(end, getattr(member, end)) for end in ("a", "b") if getattr(member, end) not in at]
        for end, name in lost:
            yield problem("frame-node", f"{here}/{end}", Sentence("There is no node '{name}'.", name=name), offer(name, at))  # fmt: skip
        if not lost and at[member.a] == at[member.b]:
            sentence = Sentence("'{member}' begins where it ends.", member=member.id)
            yield problem("frame-member-short", here, sentence, "Let it join two nodes that stand apart.")  # fmt: skip
        if not can_fold(member):
            sentence = Sentence("The section of '{member}' says no plastic moment.", member=member.id)  # fmt: skip
            yield problem("frame-hinge-limit", here, sentence, "Give the limit moment, or a section whose walls fit.")  # fmt: skip


def _idle(frame: CrashFrame, path: str) -> Iterator[Problem]:
    """Find what does nothing in a frame."""
    if all(one.hinges == "none" for one in frame.members):
        sentence = Sentence("'{frame}' folds nowhere: it is one rigid part.", frame=frame.id)
        yield problem("frame-folds-nowhere", f"{path}/members", sentence, "Let members fold at their ends.")  # fmt: skip
    joined = {end for one in frame.members for end in (one.a, one.b)}
    for node in frame.nodes:
        if node.id not in joined and node.held != "no":
            sentence = Sentence("No member begins or ends at '{node}'.", node=node.id)
            yield problem("frame-node-alone", f"{path}/nodes/{node.id}", sentence, "Join it, or take it out.")  # fmt: skip
    for one in frame.members:
        for name in ("limit_nm", "stiffness_nm_per_rad") if one.hinges == "none" else ():
            if getattr(one, name) is not None:
                sentence = Sentence("'{member}' folds at no end.", member=one.id)
                yield problem("frame-hinge-unused", f"{path}/members/{one.id}/{name}", sentence, "Leave it out, or let the member fold.")  # fmt: skip
