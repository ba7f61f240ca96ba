"""Manikin from Python.

`import manikin as mk` opens models, changes them, solves them and reads what came out, in a notebook or
a script, without a window. A model never changes: each change gives another one. Numbers are in SI.

>>> model = mk.sample("double_pendulum").with_value("segments/lower/mass_kg", 2.0)
>>> run = mk.run(model, until=0.2)
>>> run
<Run of 'Double pendulum: two rods released horizontal': completed, 200 ms>
>>> speed = run["segments/lower/velocity/resultant"]
>>> speed.unit, speed.peak[0]
('m/s', 0.2)
>>> figure = speed.plot()
>>> file = run.save("pendulum.h5")
>>> mk.open_run(file).time[-1] == run.time[-1]
np.True_

What is wrong with a model is said before it runs, every problem with its place:

>>> mk.run(model.with_value("joints/hinge/child", "uper"))
Traceback (most recent call last):
manikin.ProjectError: error: joints/hinge/child: 'uper' is no segment. Did you mean 'upper'? [unknown-segment]

Notebooks answer questions with it: docs/notebooks/README.md.

Where a wheel does not carry the solver compiled, the first run on a machine compiles it, once, in a minute
or two. `solver` holds what this library stands on; its names may change, these stay.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from manikin.homes import HOMES as HOMES

if TYPE_CHECKING:
    from manikin import schema
    from manikin.benching import (
        BenchError,
        BenchResult,
        bench,
        bench_margins,
        bench_scene,
        bench_tests,
        certificate,
    )
    from manikin.cars import car
    from manikin.control import Control, Port
    from manikin.coupling import Coupled, couple
    from manikin.crashes import crash, load_cases
    from manikin.curves import Curve
    from manikin.data import data_file, data_files
    from manikin.environments import EnvironmentRefused, environment
    from manikin.exchange import (
        PrintedComparison,
        ReadDeck,
        ReadModel,
        ReadTest,
        ReadTree,
        compare_printed,
        installed_extensions,
        read_ain,
        read_model,
        read_printed,
        read_shapes,
        read_test,
        read_tree,
        read_variseg,
        write_ain,
        write_model,
        write_tree,
        write_variseg,
    )
    from manikin.filming import DrawError
    from manikin.finding import Found, find
    from manikin.fmu import FmuError, write_fmu
    from manikin.linkages import inverse_poses, reach, show_reach
    from manikin.loads import base_parameters, following_loads, identify, joint_loads, save_loads
    from manikin.loops import Assembled
    from manikin.measures import total_ride
    from manikin.mechanics import acting, forward, inverse, jacobian, mass_matrix, speeds
    from manikin.model import Model, dummy, json_schema, load, new, sample, samples
    from manikin.people import bodies, body, person, person_range, posed, postures
    from manikin.posture import brace, replace_body
    from manikin.ready_parts import library, library_details, read_pulse
    from manikin.rest import Settled
    from manikin.results import Frame, Run, open_run, plot, salvage
    from manikin.running import RunFailed, run
    from manikin.simulation import Simulation
    from manikin.small_motions import buckling, linearise, save_linear
    from manikin.studies import band, run_many, study
    from manikin.studies import map as map  # the name of run_many before 0.2
    from manikin.tracking import (
        curves_of_motion,
        driven_by_motion,
        motion_from_markers,
        pose_from_markers,
        save_storage,
        save_tracks,
        tracks,
    )
    from solver.analysis.acting import Account
    from solver.analysis.equilibrium import AssemblyError, Health, SettleError
    from solver.analysis.inverse import BaseParameters, Identified, InverseError, JointLoads
    from solver.analysis.linear import Buckling, Linear, LinearError, Mode
    from solver.analysis.linkages import Envelope, InversePose, InversePoses, LinkageError
    from solver.analysis.mechanism import Facts, LinearGraph
    from solver.analysis.tracking import (
        Followed,
        PointerTip,
        PoseFit,
        RigidFit,
        Sinus,
        TrackError,
        Tracks,
        frame_of_three,
        joint_sinus,
        pointer_tip,
        rigid_fit,
    )
    from solver.base.units import UnitError
    from solver.bodies import Body, BodyError, Touch
    from solver.bodies.library import LibraryError
    from solver.bodies.suspension import (
        BumpCurves,
        DoubleWishbone,
        SwingAxle,
        VehicleError,
        swing_axle,
    )
    from solver.editing.including import IncludeError
    from solver.editing.next_seat import CannotCopy
    from solver.engine.signals import (
        Amplitudes,
        Oscillation,
        Peaks,
        Rating,
        Ride,
        ShockSpectrum,
        SignalError,
        Spectrum,
        TotalRide,
        Transfer,
    )
    from solver.exchange.any_model import UnknownFile
    from solver.exchange.decks import DeckError
    from solver.exchange.decks.compared import CompareError
    from solver.exchange.shapes import MeshError
    from solver.exchange.trees import TreeError
    from solver.injury import Assessment, Figure, Measure
    from solver.model.modal.reducing import ModalError
    from solver.model.own import Law, OwnLaw
    from solver.model.route import Route, RouteError
    from solver.project import Problem, ProjectError
    from solver.project.hertz import HertzError, Sphere, hertz_stiffness
    from solver.project.posing import Balance, PoseError
    from solver.project.problems import SimulationError
    from solver.report import Report, ReportError
    from solver.report.export import ExportError
    from solver.report.plots import PlotError
    from solver.results import ResultsError
    from solver.running.changed import Change
    from solver.running.state import State
    from solver.store import QueryError, StoreError
    from solver.studies import Band, Certificates, StudyError, StudyResult, open_study
    from solver.studies.answer_types import Answers

__all__ = [
    "Account",
    "Amplitudes",
    "Answers",
    "Assembled",
    "AssemblyError",
    "Assessment",
    "Balance",
    "Band",
    "BaseParameters",
    "BenchError",
    "BenchResult",
    "Body",
    "BodyError",
    "Buckling",
    "BumpCurves",
    "CannotCopy",
    "Certificates",
    "Change",
    "CompareError",
    "Control",
    "Coupled",
    "Curve",
    "DeckError",
    "DoubleWishbone",
    "DrawError",
    "Envelope",
    "EnvironmentRefused",
    "ExportError",
    "Facts",
    "Figure",
    "FmuError",
    "Followed",
    "Found",
    "Frame",
    "Health",
    "HertzError",
    "Identified",
    "IncludeError",
    "InverseError",
    "InversePose",
    "InversePoses",
    "JointLoads",
    "Law",
    "LibraryError",
    "Linear",
    "LinearError",
    "LinearGraph",
    "LinkageError",
    "Measure",
    "MeshError",
    "ModalError",
    "Mode",
    "Model",
    "Oscillation",
    "OwnLaw",
    "Peaks",
    "PlotError",
    "PointerTip",
    "Port",
    "PoseError",
    "PoseFit",
    "PrintedComparison",
    "Problem",
    "ProjectError",
    "QueryError",
    "Rating",
    "ReadDeck",
    "ReadModel",
    "ReadTest",
    "ReadTree",
    "Report",
    "ReportError",
    "ResultsError",
    "Ride",
    "RigidFit",
    "Route",
    "RouteError",
    "Run",
    "RunFailed",
    "SettleError",
    "Settled",
    "ShockSpectrum",
    "SignalError",
    "Simulation",
    "SimulationError",
    "Sinus",
    "Spectrum",
    "Sphere",
    "State",
    "StoreError",
    "StudyError",
    "StudyResult",
    "SwingAxle",
    "TotalRide",
    "Touch",
    "TrackError",
    "Tracks",
    "Transfer",
    "TreeError",
    "UnitError",
    "UnknownFile",
    "VehicleError",
    "acting",
    "band",
    "base_parameters",
    "bench",
    "bench_margins",
    "bench_scene",
    "bench_tests",
    "bodies",
    "body",
    "brace",
    "buckling",
    "car",
    "certificate",
    "compare_printed",
    "couple",
    "crash",
    "curves_of_motion",
    "data_file",
    "data_files",
    "driven_by_motion",
    "dummy",
    "environment",
    "find",
    "following_loads",
    "forward",
    "frame_of_three",
    "hertz_stiffness",
    "identify",
    "installed_extensions",
    "inverse",
    "inverse_poses",
    "jacobian",
    "joint_loads",
    "joint_sinus",
    "json_schema",
    "library",
    "library_details",
    "linearise",
    "load",
    "load_cases",
    "mass_matrix",
    "motion_from_markers",
    "new",
    "open_run",
    "open_study",
    "person",
    "person_range",
    "plot",
    "pointer_tip",
    "pose_from_markers",
    "posed",
    "postures",
    "reach",
    "read_ain",
    "read_model",
    "read_printed",
    "read_pulse",
    "read_shapes",
    "read_test",
    "read_tree",
    "read_variseg",
    "replace_body",
    "rigid_fit",
    "run",
    "run_many",
    "salvage",
    "sample",
    "samples",
    "save_linear",
    "save_loads",
    "save_storage",
    "save_tracks",
    "schema",
    "show_reach",
    "speeds",
    "study",
    "swing_axle",
    "total_ride",
    "tracks",
    "write_ain",
    "write_fmu",
    "write_model",
    "write_tree",
    "write_variseg",
]


OLD = {"map": "manikin.studies"}
"""Where names stand that go in the next version; each warns when it is called."""

if not TYPE_CHECKING:  # what checks types is to know these names alone

    def __getattr__(name: str) -> Any:
        """Load a public name when it is first used."""
        home = HOMES.get(name) or OLD.get(name)
        if home is None:
            raise AttributeError(f"module 'manikin' has no attribute '{name}'")
        module = import_module(home)
        return module if home == f"{__name__}.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    """Name what is public."""
    return sorted(__all__)
