"""The first five minutes: what the card says at each step."""

from __future__ import annotations

STEPS: dict[str, tuple[str, str]] = {
    "open": (
        "Open a sample",
        "Click the first tile: a driver in a frontal crash, with belt and airbag. Whatever you do "
        "with it, the sample itself stays as it is.",
    ),
    "look": (
        "Look around",
        "Drag in the scene to turn it, turn the wheel to come nearer. The keys 0 to 3 look from the "
        "sides, Home shows everything.",
    ),
    "run": (
        "Run the crash",
        "Press F5. The solver works beside the window; on a new machine it prepares itself first, "
        "once, for about half a minute.",
    ),
    "watch": (
        "Watch",
        "The run plays as soon as it is there. Space holds it, the arrow keys go frame by frame, and "
        "a drag on the timeline goes anywhere.",
    ),
    "injury": (
        "Read the injury figures",
        "Click the tab Injury. Every figure has its value, its limit and its risk.",
    ),
    "figure": (
        "Ask a figure where it comes from",
        "Click the head injury criterion: the scene goes to the instant that it is about, and its "
        "curve is drawn under Plots.",
    ),
    "live": (
        "Let it follow you",
        "Press Live, or Ctrl+L. From now on the crash is solved again after every change.",
    ),
    "model": (
        "Back to the model",
        "Press F7, or click Model: here things can be changed.",
    ),
    "belt": (
        "Take the belt",
        "Click the belt in the scene, or its name in the outline. Its anchors show as dots.",
    ),
    "drag": (
        "Move an anchor",
        "Drag a dot by a few centimetres, or type another number in the inspector. Ctrl+Z would take "
        "it back.",
    ),
    "result": (
        "See what became of it",
        "The run is solved again. Injury sets the figures of before beside those of now; the curves of "
        "before are dashed.",
    ),
    "export": (
        "Hand it on",
        "The Run menu writes a report (Ctrl+R), a movie (Ctrl+M), and more. Ctrl+K finds any command, "
        "F1 tells more of whatever you are at.",
    ),
}
