"""What is written for others: pictures, movies, reports, moving scenes."""

from __future__ import annotations

PICTURE_COPIED = "The picture of the scene is on the clipboard."
PICTURE_TITLE = "Save the picture"
PICTURE_FILES = "Pictures (*.png *.jpg)"
REPORT_TITLE = "Write a report"
REPORT_FILES = "Report (*.html);;Report as PDF (*.pdf)"
STRIP_TITLE = "Write a filmstrip"
STRIP_COUNT = "How many instants, side by side?"
SCENE_TITLE = "Write the moving scene"
SCENE_FILES = "glTF, for viewers and slides (*.glb);;VTKHDF, for ParaView (*.vtkhdf)"
