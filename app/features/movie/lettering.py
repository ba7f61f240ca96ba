"""Write time, key and words at places into pictures of a movie."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.look import Theme
from app.scene.key import Key, Tag, tone_at
from app.scene.key_sheet import Area, Ramp, Words, sheet, tag_boxes
from app.scene.lens import Lens
from solver.scene.tones import mixed

Picture = NDArray[np.uint8]

_FULL_HEIGHT = 720.0
"""Height of a picture in which the key is as large as in the window."""
_VEIL = 214


def lettered(picture: Picture, corner: str, key: Key, lens: Lens, theme: Theme) -> Picture:
    """Give a picture with words in its upper left corner, the key below and words at places."""
    if not corner and key == Key():
        return picture
    from PIL import Image, ImageDraw

    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image, "RGBA")
    height = picture.shape[0]
    if corner:
        edge = height // 36
        font = _font(max(12, height // 32))
        room = picture.shape[1] - 2 * edge
        words = "\n".join(_shortened(line, font, room) for line in corner.splitlines())
        draw.text((edge, edge), words, fill=theme.text, font=font)
    scale = max(0.6, height / _FULL_HEIGHT)
    _tags(draw, key, lens, scale, theme)
    _sheet(draw, key, height, scale, theme)
    return np.asarray(image)


def _shortened(line: str, font: Any, width: float) -> str:
    """Cut a line off where it would leave the picture."""
    if font.getlength(line) <= width:
        return line
    while line and font.getlength(f"{line}…") > width:
        line = line[:-1]
    return f"{line.rstrip()}…"


def _tags(draw: Any, key: Key, lens: Lens, scale: float, theme: Theme) -> None:
    font, across, above = _font(round(13 * scale)), 6.4 * scale, 4.0 * scale

    def size(tag: Tag) -> tuple[float, float]:
        left, top, right, bottom = draw.textbbox((0.0, 0.0), tag.words, font)
        return right - left + 2.0 * across, bottom - top + 2.0 * above

    for tag, (left, top, width, height) in tag_boxes(key.tags, lens, size, scale):
        box = (left, top, left + width, top + height)
        draw.rounded_rectangle(box, 4.0 * scale, fill=_veil(theme))
        middle = (left + 0.5 * width, top + 0.5 * height)
        draw.text(middle, tag.words, fill=theme.text, font=font, anchor="mm")


def _sheet(draw: Any, key: Key, height: int, scale: float, theme: Theme) -> None:
    made = sheet(key)
    if not made.parts:
        return
    left, top = 16.0 * scale, height - scale * (made.height + 16.0)
    corner = (left + scale * made.width, top + scale * made.height)
    draw.rounded_rectangle((left, top, *corner), 6.0 * scale, fill=_veil(theme))
    font = _font(round(13 * scale))
    for part in made.parts:
        if isinstance(part, Words):
            place = (left + scale * part.x, top + scale * (part.y + 9.0))
            anchor = "rm" if part.from_right else "lm"
            draw.text(place, part.text, fill=theme.muted if part.muted else theme.text, font=font, anchor=anchor)  # fmt: skip
        elif isinstance(part, Area):
            draw.polygon([(left + scale * x, top + scale * y) for x, y in part.corners], part.tone)
        else:
            _ramp(draw, part, left, top, scale)


def _ramp(draw: Any, ramp: Ramp, left: float, top: float, scale: float) -> None:
    start, above = round(left + scale * ramp.x), top + scale * ramp.y
    width = round(scale * ramp.width)
    for k in range(width):
        colour = tuple(round(255.0 * part) for part in tone_at(ramp.tones, k / (width - 1)))
        draw.line((start + k, above, start + k, above + scale * ramp.height), colour)


def _veil(theme: Theme) -> tuple[int, int, int, int]:
    red, green, blue = (round(255.0 * part) for part in mixed(theme.raised, theme.raised, 0.0))
    return red, green, blue, _VEIL


@cache
def _font(pixels: int) -> Any:
    """Give the font that comes with matplotlib, which itself is not needed: the same on every machine."""
    from PIL import ImageFont

    found = find_spec("matplotlib")
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(next(iter(found.submodule_search_locations)))
    return ImageFont.truetype(str(folder / "mpl-data/fonts/ttf/DejaVuSans.ttf"), pixels)
