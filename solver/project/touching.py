"""What may touch a segment."""

from __future__ import annotations

from solver.project.contact import PlaneContact
from solver.project.document import Project


def may_touch(project: Project, segment: str) -> tuple[list[int], list[int]]:
    """Give the contacts, and the touches of airbags one after the other, that press on a segment."""
    planes = {plane.id: plane.segment for plane in project.planes}
    contacts = []
    for n, contact in enumerate(project.contacts):
        pair = (
            (contact.surface.segment, planes[contact.plane])
            if isinstance(contact, PlaneContact)
            else (contact.first.segment, contact.second.segment)
        )
        if segment in pair:
            contacts.append(n)
    touches = [surface.segment for bag in project.airbags for surface in bag.touches]
    return contacts, [n for n, one in enumerate(touches) if one == segment]
