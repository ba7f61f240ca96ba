"""The pages of a PDF that explain a run: pictures beside sentences."""

from __future__ import annotations

from solver.report.content import Content, Step, Story
from solver.report.pdf_page import BOTTOM, HEIGHT, LEFT, RIGHT, WIDTH, Page, wrapped
from solver.report.plots.style import QUIET

PICTURE = 1.9
"""Width of a picture (in)."""
LINE = 0.135
WORDS = LEFT + PICTURE + 0.2


def story_pages(content: Content) -> list[Page]:
    """Give the pages of all runs that are explained."""
    return [page for story in content.stories for page in _Filled(content, story).pages]


class _Filled:
    """Fill page after page with the steps of a run."""

    def __init__(self, content: Content, story: Story) -> None:
        self._content, self.pages = content, list[Page]()
        self._turn()
        self._page.heading(story.title)
        self._page.y -= 0.06
        for words in story.lead:
            self._say(words, LEFT, RIGHT - LEFT)
        for step in story.steps:
            self._step(step)
        for table in story.tables:
            if self._page.y - self._page.height_of(table, RIGHT - LEFT) < BOTTOM:
                self._turn()
            self._page.y = self._page.table(table, LEFT, RIGHT - LEFT, self._page.y)

    def _turn(self) -> None:
        self._page = Page(self._content)
        self._page.small_head()
        self.pages.append(self._page)

    def _say(self, words: str, x: float, width: float) -> None:
        # sentences stand in larger letters than notes, by which lines are broken
        for line in wrapped(words, width / 1.3):
            self._page.y -= LINE
            self._page.write(x, self._page.y, line, 7.5)

    def _step(self, step: Step) -> None:
        several, lines = len(step.sentences) > 1, 1
        said = [f"{when}  {words}" if several else words for when, words in step.sentences]
        lines += sum(len(wrapped(words, (RIGHT - WORDS) / 1.3)) for words in said)
        high, wide = step.picture.image.shape[:2]
        tall = min(PICTURE * high / wide, 1.5)
        need = max(tall, LINE * lines) + 0.16
        if self._page.y - need < BOTTOM:
            self._turn()
        top = self._page.y - 0.06
        width = tall * wide / high
        box = (LEFT / WIDTH, (top - tall) / HEIGHT, width / WIDTH, tall / HEIGHT)
        axes = self._page.figure.add_axes(box)
        axes.imshow(step.picture.image, aspect="auto", interpolation="antialiased")
        axes.set_axis_off()
        self._page.y = top - LINE
        self._page.write(WORDS, self._page.y, step.when, 8.5, bold=True)
        self._page.write(LEFT, top - tall - 0.09, step.picture.caption, 6.2, QUIET)
        for words in said:
            self._say(words, WORDS, RIGHT - WORDS)
        self._page.y = min(self._page.y, top - tall) - 0.14
