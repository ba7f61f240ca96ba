"""Draw a stage into memory: at once with rough edges, or finely as the mean of several pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.scene.canvas import Canvas
from app.scene.graphics import drawn_by

Pixels = NDArray[np.uint8]
"""Rows from below, each pixel red, green, blue and one that means nothing."""

MOST_PX = 4096
"""Width or height from which on a picture is drawn in parts: every machine that draws at all draws so many pixels at once."""
SHIFTS = tuple(
    (x / 16.0, y / 16.0)
    for x, y in ((1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7))
)
"""By what parts of a pixel the pictures of one exposure are moved: no two in one row or column."""


class Exposure:
    """Draw one stage in a window of its own, off the screen, or on a canvas that it shares with others.

    Where there is no graphics processor, smoothing each edge while drawing takes as long as ten
    pictures. So a fine picture is the mean of several plain ones, and anyone who has no time for all of
    them at once takes them one by one.
    """

    def __init__(self, stage: Any, canvas: Canvas | None = None) -> None:
        from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

        self._stage = stage
        self._canvas, self._shares = canvas or Canvas(), canvas is not None
        self._canvas.let_in(stage)
        self._bytes = vtkUnsignedCharArray()
        self._sum: NDArray[np.uint16] | None = None
        self._taken = 0
        self._begun: tuple[int, int] | None = None
        self.count = 0
        """How many pictures were drawn so far."""

    def renew(self) -> None:
        """Draw in another window, as after another driver was asked for."""
        self.forget()
        self._begun = None
        self._canvas.renew()
        self._canvas.let_in(self._stage)

    @property
    def _window(self) -> Any:
        return self._canvas.window

    def drawn_by(self) -> str:
        """Name what draws."""
        if not self.count:
            self.snap(2, 2)
        return drawn_by(self._window)

    def snap(self, width: int, height: int, *, quick: bool = False) -> Pixels:
        """Draw one plain picture; `quick` as one of many that follow each other."""
        self.forget()
        return self._drawn(width, height, (0.0, 0.0), quick)

    def lay(
        self,
        width: int,
        height: int,
        shift: tuple[float, float] = (0.0, 0.0),
        *,
        quick: bool = False,
    ) -> None:
        """Lay out what a picture shows; to draw the same afterwards takes little."""
        # only what is in a window is laid out as it will be seen
        self._canvas.let_in(self._stage)
        right, up = 2.0 * shift[0] / width, 2.0 * shift[1] / height
        self._stage.prepare(width, height, right, up, quick=quick)

    def turn(self, width: int, height: int) -> Pixels | None:
        """Begin one of many pictures that follow each other, and give the one begun before; None for the first.

        What draws has the time until then, while anyone who asks works on what the next one shows.
        """
        begun = self._begun
        self.forget()
        self.lay(width, height, quick=True)
        # it is read as late as can be, before another one is drawn over it
        before = None if begun is None else self._read(*begun)
        self._render(width, height)
        # what was asked for is begun once nobody holds the window
        self._window.ReleaseCurrent()
        self._begun = (width, height)
        return before

    @property
    def is_turning(self) -> bool:
        """Whether a picture is begun that nobody has taken."""
        return self._begun is not None

    def add(self, width: int, height: int) -> Pixels | None:
        """Draw one more of the pictures that make a fine one; gives it when it was the last.

        Where the size has changed meanwhile, it begins again.
        """
        if self._sum is not None and self._sum.shape[:2] != (height, width):
            self.forget()
        picture = self._drawn(width, height, SHIFTS[self._taken])
        if self._sum is None:
            self._sum = picture.astype(np.uint16)
        else:
            self._sum += picture
        self._taken += 1
        if self._taken < len(SHIFTS):
            return None
        self._sum += len(SHIFTS) // 2
        fine = (self._sum // len(SHIFTS)).astype(np.uint8)
        self.forget()
        return fine

    def fine(self, width: int, height: int) -> Pixels:
        """Draw a fine picture at once."""
        self.forget()
        while True:
            picture = self.add(width, height)
            if picture is not None:
                return picture

    def moved(self, width: int, height: int, shift: tuple[float, float]) -> Pixels:
        """Draw one plain picture that is moved by parts of a pixel."""
        self.forget()
        return self._drawn(width, height, shift)

    def forget(self) -> None:
        """Begin again with the next picture: the stage has changed."""
        self._sum, self._taken = None, 0

    def close(self) -> None:
        """Give the graphics memory back; nothing can be drawn afterwards."""
        if self._shares:
            self._canvas.let_out(self._stage)
        else:
            self._canvas.close()

    def _drawn(
        self, width: int, height: int, shift: tuple[float, float], quick: bool = False
    ) -> Pixels:
        self._begun = None
        self.lay(width, height, shift, quick=quick)
        count = -(-max(width, height) // MOST_PX)
        if count > 1:
            return self._tiled(width, height, count)
        self._render(width, height)
        return self._read(width, height)

    def _tiled(self, width: int, height: int, count: int) -> Pixels:
        """Draw what is laid out in so many parts each way, and put them together."""
        wide, high = -(-width // count), -(-height // count)
        whole = np.empty((high * count, wide * count, 4), np.uint8)
        for n in range(count * count):
            row, column = divmod(n, count)
            middle = ((column + 0.5) * wide / width, (row + 0.5) * high / height)
            with self._stage.part_of(middle, (wide / width, high / height)):
                self._render(wide, high)
            rows, columns = slice(row * high, (row + 1) * high), slice(column * wide, (column + 1) * wide)  # fmt: skip
            whole[rows, columns] = self._read(wide, high)
        return np.ascontiguousarray(whole[:height, :width])

    def _render(self, width: int, height: int) -> None:
        if tuple(self._window.GetSize()) != (width, height):
            self._window.SetSize(width, height)
        self._window.Render()
        self.count += 1

    def _read(self, width: int, height: int) -> Pixels:
        self._window.GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, self._bytes)
        # VTK's arrays lend their bytes, which its types do not say
        lent: Any = self._bytes
        return np.asarray(memoryview(lent), dtype=np.uint8).reshape(height, width, 4)
