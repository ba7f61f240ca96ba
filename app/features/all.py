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
from app.features.movie.feature import Movie
from app.features.outline.feature import Elements
from app.features.placing.feature import Filling, Placing
from app.features.placing.people import People
from app.features.plots.feature import Plots
from app.features.present import Present
from app.features.problems import ProblemList
from app.features.reaching import Reaching
from app.features.report import Report
from app.features.runs.feature import RunFeature
from app.features.side_by_side import SideBySide
from app.features.studies.feature import Studies
from app.features.tour.feature import Tour
from app.features.tracks.feature import TracksFeature
from app.features.view import SceneView
from app.features.whatif.feature import WhatIf
from solver.base.words import msgid

FEATURES: tuple[type[Feature], ...] = (
    Files,
    SceneView,
    Elements,
    Fields,
    ProblemList,
    Editors,
    Plots,
    Injury,
    RunFeature,
    Compare,
    WhatIf,
    Studies,
    Modes,
    NewCrash,
    NewCar,
    Placing,
    Filling,
    People,
    Acting,
    TracksFeature,
    Bracing,
    Certify,
    SideBySide,
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
        "crash | new_empty new_seated_occupant new_car new_pendulum window | open find recent samples import tracks"
        " | save save_as save_copy export_model | open_written show_written | close quit",
    ),
    "edit": (
        msgid("&Edit"),
        "undo redo | cut copy paste duplicate | rename delete | find | contacts outputs hertz sinus"
        " | problem mend nothing | preferences",
    ),
    "insert": (
        msgid("&Insert"),
        "place.body place.library car | segments* joints* connector* | planes* | functions* contact_laws*"
        " | contacts* | belts* harnesses* airbags* | springs* tension_elements* tyres* coordinate_forces* constraints*"
        " beams* crash_frames* flexible_elements* modal_bodies* | motions* drivers* frame_drivers* loads* winds* symmetry* | markers* meshes* frames* unit_systems* | outputs* runs* studies* assumed",
    ),
    "place": (
        msgid("&Place"),
        "move turn next own_axes | crash person replace next_seat | strap lay body library settle mechanism pose brace to_tracks mirror"
        " | mesh fit_ellipsoid fit_hyperellipsoid fill reach_of poses",
    ),
    "view": (
        msgid("&View"),
        "iso front side top back left bottom turn_left turn_right turn_up turn_down"
        " fit selected nearer farther parallel | people around joints names centres pairs bags"
        " hide isolate unhide see_through cut cut_back cut_on measure"
        " forces patches loads start reach trail beside beside_four | plots_events plots_second plots_split plots_page plots_next | panel* arrange scene_alone present below below_alone"
        " go_scene go_problems go_editor go_plots go_injury go_runs go_compare go_whatif"
        " go_outline go_inspector go_studies go_modes go_acting go_tracks go_cards | system light dark units_metric units_si units_inch_pound units_own",
    ),
    "run": (
        msgid("&Run"),
        "run go_on hold cancel live | open | model study | play shuttle_back shuttle_hold shuttle"
        " back ahead start end ride | report explain film strip scene page copy_picture picture still save"
        " | results impacts acts why pin vary studies modes by_tracks compare sizes | certify",
    ),
    "help": (msgid("&Help"), "palette | here tour guide keys"),
}
"""Of every menu its title and its commands as one reads them; a star stands for all of a kind."""

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
    "connectors": msgid("Co&nnector"),
    "flexible": msgid("Fle&xible parts"),
    "couplings": msgid("&Coupled axes"),
    "springs": msgid("S&prings and tension elements"),
    "loads": msgid("&Loads and wind"),
    "drivers": msgid("&Drivers"),
    "marks": msgid("&Marks and frames"),
    "playback": msgid("Play&back"),
    "written": msgid("&Write and save"),
}
"""Titles of menus in menus; those of Insert are headed by the schema."""
