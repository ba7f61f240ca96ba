"""The one list of features, and the order in which their commands stand in the menus."""

from __future__ import annotations

from app.features.acting.feature import Acting
from app.features.bracing import Bracing
from app.features.car import NewCar
from app.features.certify.feature import Certify
from app.features.compare import Compare
from app.features.crash.feature import NewCrash
from app.features.editors.feature import Editors
from app.features.exchange.feature import Exchange
from app.features.exchange.meshes import Meshes
from app.features.export.feature import Export
from app.features.extensions import Extensions
from app.features.feature import Feature
from app.features.files.feature import Files
from app.features.guide.feature import Guide
from app.features.injury import Injury
from app.features.inspector.feature import Fields
from app.features.modes import Modes
from app.features.moods import Moods
from app.features.movie.feature import Movie
from app.features.outline.feature import Elements
from app.features.outline.includes import Includes
from app.features.placing.copies import Copies
from app.features.placing.feature import Filling, Placing
from app.features.placing.people import People
from app.features.plots.feature import Plots
from app.features.present import Present
from app.features.problems import ProblemList
from app.features.reaching import Reaching
from app.features.report import Report
from app.features.result.feature import Result
from app.features.runs.feature import RunFeature
from app.features.several_views import SeveralViews
from app.features.side_by_side import SideBySide
from app.features.studies.feature import Studies
from app.features.tour.feature import Tour
from app.features.tracks.feature import TracksFeature
from app.features.view import SceneView
from app.features.whatif.feature import WhatIf
from solver.base.words import msgid

FEATURES: tuple[type[Feature], ...] = (
    Files,
    Moods,
    SceneView,
    Elements,
    Includes,
    Result,
    Fields,
    ProblemList,
    Editors,
    Injury,
    Plots,
    RunFeature,
    WhatIf,
    Studies,
    Modes,
    NewCrash,
    NewCar,
    Placing,
    Filling,
    Copies,
    People,
    Acting,
    Compare,
    TracksFeature,
    Bracing,
    Certify,
    SideBySide,
    SeveralViews,
    Present,
    Movie,
    Report,
    Exchange,
    Meshes,
    Reaching,
    Export,
    Extensions,
    Guide,
    Tour,
)
"""Panels below the scene have their tabs in this order."""

MENUS: dict[str, tuple[str, str]] = {
    "file": (
        msgid("&File"),
        "crash | new_empty new_seated_occupant new_car | open find recent samples import"
        " | save save_as export_model | close quit | more",
    ),
    "edit": (
        msgid("&Edit"),
        "undo redo | cut copy paste duplicate | rename delete | find | contacts outputs table | preferences | more",
    ),
    "insert": (
        msgid("&Insert"),
        "place.body place.library car project | segments joints.ball joints.pin joints.locked joints.free | planes* | contacts*"
        " | belts* harnesses* airbags* | springs.linear tension_elements* tyres* coordinate_forces*"
        " | motions* pulse_file drivers* frame_drivers* | markers* frames* | more",
    ),
    "place": (
        msgid("&Place"),
        "move turn | crash person replace next_seat | strap lay settle pose brace mirror array | mesh | more",
    ),
    "view": (
        msgid("&View"),
        "iso front side top fit selected | people around hide isolate unhide see_through cut measure"
        " | views_four beside scene_alone present below arrange workspace_choose workspace_save workspace_delete | more",
    ),
    "run": (
        msgid("&Run"),
        "run go_on cancel live | open | model vary_it study | ride | report explain film page picture save"
        " | acts why studies compare | certify | more",
    ),
    "help": (msgid("&Help"), "palette | here tours guide keys"),
}
"""Of every menu its title and what of it is in sight, as one reads it; a star stands for all of a kind.

*More…* at the end of a menu finds all its commands, as the palette does.
"""

SUBMENUS = {
    "new": msgid("&New"),
    "colours": msgid("&Colours"),
    "units": msgid("&Units"),
    "look": msgid("&Look from"),
    "turn": msgid("&Turn the scene"),
    "shown": msgid("&Drawn in the scene"),
    "section": msgid("Secti&on"),
    "sights": msgid("Seen &beside a run"),
    "plots": msgid("P&lots"),
    "arranged": msgid("&Panels"),
    "panels": msgid("&Go to"),
    "workspaces": msgid("&Workspaces"),
    "connectors": msgid("Co&nnector"),
    "flexible": msgid("Fle&xible parts"),
    "couplings": msgid("&Coupled axes"),
    "springs": msgid("S&prings and tension elements"),
    "loads": msgid("&Loads and wind"),
    "drivers": msgid("&Drivers"),
    "marks": msgid("&Marks and frames"),
    "playback": msgid("Play&back"),
    "camera": msgid("&Camera"),
    "written": msgid("&Write and save"),
    "tours": msgid("&Tours"),
}
"""Titles of menus in menus; those of Insert are headed by the schema."""
