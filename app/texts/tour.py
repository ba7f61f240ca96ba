"""The first five minutes: what the card says at each step."""

from __future__ import annotations

from solver.base.words import msgid

STEPS: dict[str, tuple[str, str]] = {
    "open": (
        msgid("Open a sample"),
        msgid(
            "Click the first tile: a driver in a frontal crash, with belt and airbag. Whatever you do "
            "with it, the sample itself stays as it is."
        ),
    ),
    "look": (
        msgid("Look around"),
        msgid(
            "Drag in the scene to turn it, turn the wheel to come nearer. The keys 0 to 3 look from the "
            "sides, Home shows everything."
        ),
    ),
    "run": (
        msgid("Run the crash"),
        msgid(
            "Press F5. The solver works beside the window; on a new machine it prepares itself first, "
            "once, for about half a minute."
        ),
    ),
    "watch": (
        msgid("Watch"),
        msgid(
            "The run plays as soon as it is there. Space holds it, the arrow keys go frame by frame, and "
            "a drag on the timeline goes anywhere."
        ),
    ),
    "injury": (
        msgid("Read the injury figures"),
        msgid("Click the tab Injury. Every figure has its value, its limit and its risk."),
    ),
    "figure": (
        msgid("Ask a figure where it comes from"),
        msgid(
            "Click the head injury criterion: the scene goes to the instant that it is about, and its "
            "curve is drawn under Plots."
        ),
    ),
    "live": (
        msgid("Let it follow you"),
        msgid("Press Live, or Ctrl+L. From now on the crash is solved again after every change."),
    ),
    "model": (
        msgid("Back to the model"),
        msgid("Press F7, or click Model: here things can be changed."),
    ),
    "belt": (
        msgid("Take the belt"),
        msgid("Click the belt in the scene, or its name in the outline. Its anchors show as dots."),
    ),
    "drag": (
        msgid("Move an anchor"),
        msgid(
            "Drag a dot by a few centimetres, or type another number in the inspector. Ctrl+Z would take "
            "it back."
        ),
    ),
    "result": (
        msgid("See what became of it"),
        msgid(
            "The run is solved again. Injury sets the figures of before beside those of now; the curves of "
            "before are dashed."
        ),
    ),
    "export": (
        msgid("Hand it on"),
        msgid(
            "The Run menu writes a report (Ctrl+R), a movie (Ctrl+M), and more. Ctrl+K finds any command, "
            "F1 tells more of whatever you are at."
        ),
    ),
}
