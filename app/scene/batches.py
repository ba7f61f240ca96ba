"""Draw all things of a scene with few actors, however many there are: one for each style of drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from app.look import Theme
from app.scene.actors import actor_of
from app.scene.batch import Batch, Details, Piece, Style
from app.scene.drawn import SOFT, Drawn
from app.scene.form import Form
from app.scene.lens import Lens
from app.scene.paints import (
    AMBIENT,
    DIFFUSE,
    Marks,
    Paint,
    Rgba,
    colour_by_load,
    furniture_paint,
    paint,
    rgba,
    tinted,
)
from app.scene.sky import is_soft
from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.around.build import Around
from solver.scene.around.struck import seen_at
from solver.scene.damage import Damaged
from solver.scene.meshes import Mesh, outline, swollen
from solver.scene.shapes import Kind
from solver.scene.tones import rgb

_RIM_M = 0.004
_STYLES: tuple[Style, ...] = ("solid", "rim", "thick", "clear", "thin")
Sorted = Sequence[tuple[Style, Piece]]
"""Pieces, each with the style of its batch."""


_BEHIND = 60
"""How much is seen of furniture from behind, where it stands before what is in it, of 255."""
_BREATH, _EDGES, _NEAR_EDGES = 30, 110, 45
"""How much is seen of what stands around people, of its edges, and of its edges where one looks in past them, of 255."""
_WHITE, _CRACK = (236, 241, 243, 150), (84, 96, 103, 220)
"""Of broken glass: what is white, and cracks, which are seen on any ground."""
_BARE = Marks()
_SLACK = 0.28
"""How much of what bears nothing is seen."""


class Crowd:
    """The batches of a scene, and the strips of its webbing, discs and links."""

    def __init__(self, renderer: Any, overlay: Any) -> None:
        self._renderer = renderer
        self._batches = {style: Batch(renderer, style) for style in _STYLES}
        self._joints = Batch(overlay, "solid")
        self.strips: dict[Drawn, Strip] = {}
        self._details = Details()
        self._cut: Any = None
        self._loads: dict[Kind, tuple[Any, float | None]] = {}
        self._paints: dict[Drawn, tuple[tuple[Any, ...], Paint]] = {}
        self._surrounding: dict[Around, tuple[tuple[Any, ...], Sorted]] = {}
        """How each thing around people was drawn last, and where it and the eye were."""
        self.is_draft = False
        """Whether of what is seen through only edges are drawn while things move."""

    def show(
        self,
        items: Sequence[Drawn],
        theme: Theme,
        lens: Lens,
        is_furnished: bool = False,
        around: Iterable[tuple[Around, Placed, bool]] = (),
        *,
        keep_details: bool = False,
        quick: bool = False,
    ) -> None:
        """Draw these items as they are now, furnished or bare; only what has changed since is written.

        With `keep_details`, what is round keeps as many points as it has. What stands around people is solid or seen through; with `quick`, of what
        and is seen through only the edges are drawn.
        """
        eye, is_draft = lens.camera.eye(), quick and self.is_draft
        drawn = [item for item in items if item.is_drawn]
        meshes = self._details.meshes(drawn, lens, keep=keep_details)
        pieces: dict[Style, list[Piece]] = {style: [] for style in _STYLES}
        joints: list[Piece] = []
        for item in items:
            shape = item.shape
            if shape.kind in SOFT and len(shape.mesh.faces):
                self._strip(item).show(item, self._colours(item, theme))
                continue
            if not item.is_drawn:
                continue
            colours = self._colours(item, theme)
            if shape.kind in SOFT:
                style: Style = "thick" if colours.thick else "thin"
                pieces[style].append(Piece(item.mesh, item.at, colours.line))
            else:
                mesh = meshes[item]
                own = shape.furniture
                # what is seen around people stands for all of some bodies: without it these are seen
                if is_furnished and own is not None and (around or len(own.mesh.faces)):
                    if is_soft(item):
                        continue
                    tone = furniture_paint(own.stuff, item.marks, theme)
                    if own.frame is not None and not item.marks.faint:
                        dark = furniture_paint("leather", item.marks, theme)
                        pieces["solid"].append(Piece(own.frame, item.at, dark))
                    solid = not (item.marks.faint or item.is_clear(eye))
                    if not solid:
                        tone = (*tone[:3], _BEHIND)
                        if own.edges is not None:
                            line = _line(theme, _EDGES)
                            pieces["thin"].append(Piece(own.edges, item.at, line))
                            if is_draft and item.damage is None:
                                continue
                    made = item.dented or own.mesh
                    if item.damage is not None:
                        made = item.damage.mesh or made
                        _crack(pieces, item, item.damage)
                    if item.damage is None or not item.damage.has_burst:
                        pieces["solid" if solid else "clear"].append(Piece(made, item.at, tone))
                elif is_furnished and item.is_idle_arrow:
                    # the front of a plane is told where somebody asks for it
                    continue
                elif shape.kind == "joint":
                    joints.append(Piece(mesh, item.at, colours.face))
                else:
                    _sort(pieces, item, mesh, colours)
        stands = (*eye.tolist(), theme, quick)
        for one, at, is_solid in around:
            known = self._surrounding.get(one)
            if known is None or known[0][0] is not at or known[0][1:] != (is_solid, stands):
                sorted_ = list(_surround(one, at, is_solid, theme, eye, quick=quick))
                self._surrounding[one] = known = (at, is_solid, stands), sorted_
            for style, piece in known[1]:
                pieces[style].append(piece)
        for style, batch in self._batches.items():
            towards = lens.camera.axes()[2] if style == "clear" else None
            batch.show(pieces[style], towards)
        self._joints.show(joints)

    def keep(self, items: Iterable[Drawn]) -> None:
        """Forget everything that belongs to other items."""
        kept = frozenset(items)
        for item in [one for one in self.strips if one not in kept]:
            self.strips.pop(item).remove()
        self._details.keep(kept)
        self._paints.clear()
        self._surrounding.clear()

    def cut(self, plane: Any) -> None:
        """Leave away what lies behind a VTK plane; None cuts nothing."""
        self._cut = plane
        for batch in (*self._batches.values(), self._joints):
            batch.cut(plane)
        for strip in self.strips.values():
            strip.cut(plane)

    def colour_by_load(self, kind: Kind, table: Any, top: float | None) -> None:
        """Colour what is of this kind by its loads up to `top` (N), or in its own colours."""
        self._loads[kind] = (table, top)
        for item, strip in self.strips.items():
            if item.shape.kind == kind:
                strip.colour_by_load(table, top)

    def _colours(self, item: Drawn, theme: Theme) -> Paint:
        """The paint of an item, looked for again where something of it is otherwise."""
        slack = item.form is not None and item.form.is_slack
        of = (item.shape, item.marks, theme, item.tint, slack, item.laid is not None)
        known = self._paints.get(item)
        if known is None or any(a is not b for a, b in zip(known[0], of, strict=True)):
            self._paints[item] = known = of, colours_of(item, theme)
        return known[1]

    def _strip(self, item: Drawn) -> Strip:
        if item not in self.strips:
            self.strips[item] = strip = Strip(self._renderer, item)
            strip.cut(self._cut)
            if item.shape.kind in self._loads:
                strip.colour_by_load(*self._loads[item.shape.kind])
        return self.strips[item]


def colours_of(item: Drawn, theme: Theme) -> Paint:
    """The paint of an item: by its kind and marks, or by the pressure of a bag; what is slack pales."""
    own = paint(item.shape.kind, item.shape.tone, item.marks, theme)
    if item.shape.kind == "bag" and item.laid is not None and not item.marks.faint:
        own = replace(own, face=(*own.face[:3], 255))
        return own if item.tint is None else replace(own, face=(*tinted(item.tint)[:3], 255))
    if item.form is not None and item.form.is_slack:
        return _pale(own)
    return own if item.tint is None else replace(own, face=tinted(item.tint))


@lru_cache(maxsize=64)
def _pale(own: Paint) -> Paint:
    face, line = ((*colour[:3], round(_SLACK * colour[3])) for colour in (own.face, own.line))
    return replace(own, face=face, line=line, thick=False)


def _surround(
    one: Around, at: Placed, is_solid: bool, theme: Theme, eye: Array, *, quick: bool
) -> Iterator[tuple[Style, Piece]]:
    """Draw something that bears nothing: slim bars as they are, all else as thin edges and a breath of colour."""
    tone = furniture_paint(one.stuff, _BARE, theme)
    is_faced = one.is_faced(at.R_WS.T @ (eye - at.p_W))
    mesh = seen_at(one, at)
    if is_solid and is_faced:
        yield "solid", Piece(mesh, at, tone)
        return
    if is_faced and not quick:
        yield "clear", Piece(mesh, at, (*tone[:3], _BREATH))
    if one.mesh.lines:
        line = _line(theme, _EDGES if is_faced else _NEAR_EDGES)
        yield "thin", Piece(outline(mesh), at, line)


def _crack(pieces: dict[Style, list[Piece]], item: Drawn, damage: Damaged) -> None:
    """Draw the cracks of a pane, and what is white of it."""
    if damage.cracks is not None:
        pieces["clear"].append(Piece(damage.cracks, item.at, _WHITE))
        pieces["thin"].append(Piece(outline(damage.cracks), item.at, _CRACK))


def _line(theme: Theme, seen: int) -> Rgba:
    """The colour of edges of what is seen through, on any ground."""
    return (*rgba(rgb(theme.muted), 1.0)[:3], seen)


def _sort(pieces: dict[Style, list[Piece]], item: Drawn, mesh: Mesh, colours: Paint) -> None:
    """Put an item's faces, rim and lines where they belong."""
    pieces["clear" if colours.is_clear else "solid"].append(Piece(mesh, item.at, colours.face))
    if colours.rim is not None:
        pieces["rim"].append(Piece(swollen(mesh, _RIM_M), item.at, colours.rim))
    if item.shape.mesh.lines and not (item.shape.kind == "bag" and item.laid is not None):
        style: Style = "thick" if colours.thick else "thin"
        pieces[style].append(Piece(outline(item.shape.mesh), item.at, colours.line))


class Strip:
    """The actors of one belt, strap or link: its faces, and its edges as lines."""

    def __init__(self, renderer: Any, item: Drawn, edges: bool = True) -> None:
        self._renderer = renderer
        self._form = item.laid or item.form or Form(item.shape.mesh)
        self._mesh: Mesh = item.mesh
        self.face, self._lines = actor_of(self._form.faces), actor_of(self._form.lines)
        self._lines.GetProperty().SetLighting(False)
        prop = self.face.GetProperty()
        prop.SetAmbient(AMBIENT)
        prop.SetDiffuse(DIFFUSE)
        prop.SetSpecular(0.05)
        prop.SetSpecularPower(12.0)
        self._has_edges = edges
        self._painted: Paint | None = None
        for actor in self._actors:
            actor.PickableOff()
            renderer.AddActor(actor)

    @property
    def _actors(self) -> tuple[Any, ...]:
        return (self.face, self._lines) if self._has_edges else (self.face,)

    def show(self, item: Drawn, paint: Paint) -> None:
        """Show the item as it is now."""
        if item.mesh is not self._mesh:
            self._mesh = item.mesh
            self._form = item.laid or item.form or Form(item.shape.mesh)
            self.face.GetMapper().SetInputData(self._form.faces)
            self._lines.GetMapper().SetInputData(self._form.lines)
        for actor in self._actors:
            actor.SetVisibility(item.is_seen)
        if paint is not self._painted:
            self._painted = paint
            _colour(self.face, paint.face)
            _colour(self._lines, paint.line)
            self._lines.GetProperty().SetLineWidth(2.5 if paint.thick else 1.4)

    def colour_by_load(self, table: Any, top: float | None) -> None:
        """Colour it by its tension up to `top` (N), or in its own colour."""
        colour_by_load(self.face.GetMapper(), table, top)

    def cut(self, plane: Any) -> None:
        """Leave away what lies behind a VTK plane; None cuts nothing."""
        for actor in self._actors:
            mapper = actor.GetMapper()
            mapper.RemoveAllClippingPlanes()
            if plane is not None:
                mapper.AddClippingPlane(plane)

    def remove(self) -> None:
        """Take the actors out of the scene."""
        for actor in self._actors:
            self._renderer.RemoveActor(actor)


def _colour(actor: Any, rgba: tuple[int, int, int, int]) -> None:
    prop = actor.GetProperty()
    prop.SetColor(*(part / 255.0 for part in rgba[:3]))
    prop.SetOpacity(rgba[3] / 255.0)
