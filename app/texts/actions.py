"""Titles and tips of everything that can be done; `&` stands before the letter that Alt chooses."""

from __future__ import annotations

from app.texts.making import MAKERS

MENUS: dict[str, str] = {
    "file": "&File",
    "edit": "&Edit",
    "insert": "&Insert",
    "place": "&Place",
    "view": "&View",
    "run": "&Run",
    "help": "&Help",
}

CHOICES: dict[str, str] = {
    "new": "&New",
    "colours": "&Colours",
    "units": "&Units",
    "look": "&Look from",
    "turn": "&Turn the scene",
    "shown": "&Drawn in the scene",
    "section": "Secti&on",
    "sights": "Seen &beside a run",
    "panels": "&Go to",
}
"""Menus in menus; those of Insert are headed by the schema."""

WITH_KEY = "{tip} ({key})"
UNDO = "&Undo {step}"
REDO = "&Redo {step}"

_UNITS_TIP = "Units in which numbers are shown and typed; the file keeps SI."

WORDS: dict[str, tuple[str, str]] = {
    "file.new_empty": ("&Empty", "Begin a new project with nothing but gravity."),
    "file.new_seated_occupant": (
        "&Seated occupant",
        "Begin a new project with a person on a seat in a sled, ready for belts.",
    ),
    "file.new_pendulum": (
        "&Pendulum",
        "Begin a new project with a ball on a pin joint, ready to run.",
    ),
    "file.window": (
        "New &window",
        "Open a second window, for another project or to copy between the two.",
    ),
    "file.open": ("&Open…", "Open a project file."),
    "file.samples": ("&Welcome page", "Samples, templates and recent files."),
    "file.save": ("&Save", "Save the project under its present name."),
    "file.save_as": ("Save &as…", "Save under another name and go on with that file."),
    "file.save_copy": ("Save a &copy…", "Write a copy and go on with the present file."),
    "file.close": ("&Close window", "Close this window; unsaved work is asked about."),
    "file.quit": ("&Quit", "Close all windows; unsaved work is asked about."),
    "edit.undo": ("&Undo", "Take the last change back."),
    "edit.redo": ("&Redo", "Do again what was undone."),
    "edit.cut": ("Cu&t", "Put the selected elements on the clipboard and delete them."),
    "edit.copy": (
        "&Copy",
        "Put the selected elements on the clipboard, with the laws and functions they need.",
    ),
    "edit.paste": ("&Paste", "Put elements from the clipboard into this project."),
    "edit.duplicate": (
        "D&uplicate",
        "Copy the selected elements beside themselves; segments with their joints.",
    ),
    "edit.rename": ("Re&name", "Give the selected element another name."),
    "edit.delete": (
        "&Delete",
        "Delete the selected elements, with what cannot be without them.",
    ),
    "edit.find": ("&Find an element", "Search the outline."),
    "edit.contacts": ("Who may touch what…", "A matrix of surfaces, planes and laws."),
    "edit.outputs": ("What a run writes…", "A table of outputs."),
    "edit.problem": (
        "Go to the next pro&blem",
        "Go to the field of the next error or warning.",
    ),
    "edit.mend": (
        "&Mend it",
        "Do what Problems offers for the problem one has gone to; it can be undone.",
    ),
    "edit.nothing": ("Select &nothing", "Select the project as a whole."),
    "edit.preferences": (
        "P&references…",
        "Units, colours, size of text, quality of the picture, mouse buttons, files.",
    ),
    "place.move": (
        "&Move",
        "Move what is selected with the mouse; X, Y, Z keep to an axis, a number sets the way.",
    ),
    "place.turn": (
        "&Turn",
        "Turn what is selected with the mouse; X, Y, Z choose the axis, a number sets the angle.",
    ),
    "place.next": (
        "&Next point",
        "Put the handles on the next point of the element: anchors, corners, surfaces.",
    ),
    "place.own_axes": (
        "Handles along &own axes",
        "Lay the handles along the axes of the element instead of those of the ground.",
    ),
    "place.strap": (
        "Strap by two &clicks",
        "Click two anchors; the strap is laid taut over the body between them.",
    ),
    "place.lay": (
        "&Lay straps anew",
        "Lay the selected harness taut over the bodies that it touches, from anchor to anchor.",
    ),
    "place.body": (
        "Insert a &body…",
        "A man, a woman or a child of any size, seated, driving, standing or lying.",
    ),
    "place.library": (
        "Part of the l&ibrary…",
        "Ready seats, interiors, belts, airbags, pulses and laws, each with its source.",
    ),
    "place.settle": (
        "&Settle…",
        "Look at how the model starts, and let bodies come to rest on seat, floor and belts.",
    ),
    "place.pose": (
        "&Pose limbs by dragging",
        "Take a limb in the scene and let it follow the mouse; Alt+drag does it at any time.",
    ),
    "place.mirror": (
        "M&irror left and right",
        "Write the mirror image of what is selected onto its twin, or make one.",
    ),
    "view.iso": ("&Oblique", "Look at everything from ahead, above and the right-hand side."),
    "view.front": ("&Front", "Look at everything from straight ahead."),
    "view.side": ("&Side", "Look at everything from the right-hand side."),
    "view.top": ("&Top", "Look at everything from above."),
    "view.back": ("&Back", "Look at everything from behind."),
    "view.left": ("&Left side", "Look at everything from the left-hand side."),
    "view.bottom": ("Belo&w", "Look at everything from below."),
    "view.nearer": ("Come nea&rer", "Come a quarter nearer to the middle of the scene."),
    "view.farther": ("Go farther a&way", "Go away from the middle of the scene."),
    "view.turn_left": ("To the &left", "Turn the scene by 15 degrees to the left."),
    "view.turn_right": ("To the &right", "Turn the scene by 15 degrees to the right."),
    "view.turn_up": ("&Upwards", "Turn the scene by 15 degrees, to see it more from above."),
    "view.turn_down": ("&Downwards", "Turn the scene by 15 degrees, to see it more from below."),
    "view.go_scene": ("&Scene", "Go to the scene with the keyboard."),
    "view.go_problems": ("&Problems", "Go to what the checks have found."),
    "view.go_editor": ("&Editor", "Go to the editor of what is selected."),
    "view.go_plots": ("P&lots", "Go to the curves."),
    "view.go_injury": ("In&jury figures", "Go to the injury figures."),
    "view.go_runs": ("&Runs", "Go to the list of runs."),
    "view.go_compare": ("&Comparison", "Go to the comparison of runs."),
    "view.go_whatif": ("&What-if", "Go to the sliders."),
    "view.go_outline": ("&Outline", "Go to the list of elements."),
    "view.go_inspector": ("&Fields", "Go to the fields of what is selected."),
    "view.scene_alone": (
        "The scene al&one",
        "Hide the panels beside and below the scene, or bring them back.",
    ),
    "view.below": (
        "Panels belo&w the scene",
        "Show the panels below the scene, or leave only their tabs. A click on the tab in front does the same.",
    ),
    "view.below_alone": (
        "The panels &below alone",
        "Give problems, editors, curves and tables all the room, or bring the scene back.",
    ),
    "view.fit": ("Show &everything", "Come so near that everything is just seen, without turning."),
    "view.selected": ("Show sele&cted", "Come so near that the selected element fills the scene."),
    "view.parallel": (
        "&Parallel projection",
        "Parallel lines stay parallel, as in a drawing, instead of meeting far away.",
    ),
    "view.joints": ("&Joints", "Show a marker with its axes at every joint."),
    "view.system": ("As the &system", "Light or dark, as the system has it."),
    "view.light": ("&Light", "Dark words on a light ground."),
    "view.dark": ("&Dark", "Light words on a dark ground."),
    "view.units_metric": ("Metric", _UNITS_TIP),
    "view.units_si": ("SI", _UNITS_TIP),
    "view.units_inch_pound": ("Inch–pound", _UNITS_TIP),
    "view.names": ("&Names", "Write the names of segments, planes and airbags over the scene."),
    "view.centres": ("Centres of &mass", "Mark the mass centre of every segment."),
    "view.pairs": (
        "Contact pa&irs",
        "Join what is selected with everything that it may touch.",
    ),
    "view.bags": (
        "&Airbags full",
        "See airbags of the model as they are when full; a selected one always is.",
    ),
    "view.hide": (
        "&Hide selected",
        "Hide what is selected in the scene; the model is not changed.",
    ),
    "view.isolate": ("Show &only selected", "Hide everything else."),
    "view.unhide": ("Sho&w all that is hidden", "Show everything again."),
    "view.see_through": (
        "See throu&gh",
        "See through what is selected, or through all bodies; once more makes them solid.",
    ),
    "view.cut": (
        "C&ut open",
        "Cut the scene across x, then y, then z, then not at all; [ and ] move the cut.",
    ),
    "view.cut_back": ("Move the cut bac&k", "Move the cut a step back along its axis."),
    "view.cut_on": ("Move the cut o&n", "Move the cut a step on along its axis."),
    "view.measure": (
        "Meas&ure a distance",
        "Click two points of what is seen; their distance is shown, along x, y and z too.",
    ),
    "view.forces": (
        "&Forces",
        "Arrows of contacts, belts and airbags: 10 cm for 1 kN, twice as long for four times the force.",
    ),
    "view.patches": (
        "Contact patc&hes",
        "Where surfaces of a run touch: what the bodies' forms have in common there.",
    ),
    "view.loads": (
        "Belt loads and bag pressure as c&olours",
        "Webbing is coloured by its tension, bags by their pressure; a key tells how much.",
    ),
    "view.start": ("Start pose as &ghost", "Draw the pose at the start of the run faintly."),
    "view.beside": (
        "&Two runs side by side",
        "See another run in a view of its own, at the same instants and from the same place.",
    ),
    "view.trail": (
        "&Trail of the selected segment",
        "Draw the way of the segment's mass centre through the run.",
    ),
    "run.run": ("&Run", "Solve the model; scene and curves follow while it works."),
    "run.hold": ("&Hold or go on", "Hold the solver where it is, or let it go on."),
    "run.cancel": ("&Cancel", "End the run now; what was solved so far is kept."),
    "run.live": (
        "Run after every change, &live",
        "Solve again by itself after every change, with the run of before beside it.",
    ),
    "run.open": ("Open &results…", "Open a results file, with the model that is inside it."),
    "run.model": ("Look at the &model", "Show the model, to be changed."),
    "run.study": ("Look at the r&un", "Show the current run, to be watched."),
    "run.play": ("&Play or hold", "Play the run in the scene, or hold it at this instant."),
    "run.shuttle_back": ("Play &backwards, then faster", "Let time run back; each time faster."),
    "run.shuttle_hold": ("Hol&d", "Hold the run at this instant."),
    "run.shuttle": ("Play o&n, then faster", "Let time run on; each time faster."),
    "run.back": ("One frame &back", "Go back by one stored frame."),
    "run.ahead": ("One frame &on", "Go on by one stored frame."),
    "run.start": ("To the &start", "Go to the first instant of the run."),
    "run.end": ("To the &end", "Go to the last instant of the run."),
    "run.ride": (
        "Camera &goes with the selected segment",
        "Let the camera follow a segment, so that it stands still in the picture.",
    ),
    "run.film": ("&Write a movie…", "Write an MP4, a GIF or pictures of the run, seen from here."),
    "run.strip": (
        "Write a &filmstrip…",
        "Put instants of the run side by side in one picture.",
    ),
    "run.scene": (
        "Write the moving sc&ene…",
        "Write glTF for viewers and slides, or VTKHDF for ParaView.",
    ),
    "run.copy_picture": ("Copy the p&icture", "Put the picture of the scene on the clipboard."),
    "run.picture": ("&Save the picture…", "Write the picture of the scene into a file."),
    "run.save": ("Save r&esults…", "Write the run into a results file, with its exact model."),
    "run.report": (
        "Write a repor&t…",
        "Write verdict, pictures, tables and curves as one page, HTML or PDF.",
    ),
    "run.pin": (
        "Pin the field as a &slider",
        "Give the number that is being edited a slider, and solve again as it is drawn.",
    ),
    "run.compare": (
        "Compare r&uns",
        "Set the chosen runs, or the last two, side by side: figures, peaks, models.",
    ),
    "help.palette": (
        "&Find a command…",
        "Type what you want to do, or the name of an element.",
    ),
    "help.here": ("&Help on this", "Open the guide where it tells of what has the keyboard."),
    "help.tour": (
        "First five &minutes",
        "Be shown around: open, run, read, change, hand on; a card leads, step by step.",
    ),
    "help.guide": ("&Guide", "Read what the program offers, page by page, without the internet."),
    "help.keys": ("&Keyboard shortcuts", "All keys on one page."),
    **{f"insert.{name}": words for name, words in MAKERS.items()},
}
"""Of every action its title and what the status line and the tooltip say of it."""

# the list of recent files in the File menu
RECENT = "Open &recent"
FORGET_RECENT = "&Forget these"
NO_RECENT = "No files yet"
