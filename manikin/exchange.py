"""Models of other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from manikin.curves import Curve, curve_of
from manikin.model import Model, the_model
from solver.base.extensions import GROUPS, Extension, extensions
from solver.exchange.added import fault_of
from solver.exchange.any_model import read_model as _read_model
from solver.exchange.any_model import write_model as _write_model
from solver.exchange.decks import CardNote
from solver.exchange.decks import read_ain as _read_ain
from solver.exchange.decks import write_ain as _write_ain
from solver.exchange.decks.compared import Compared, Comparison
from solver.exchange.decks.compared import compare_printed as _compare_printed
from solver.exchange.decks.importing import settled as _settled
from solver.exchange.measured.figures import MeasuredFigure, figures_of
from solver.exchange.measured.reading import named
from solver.exchange.measured.reading import read_test as _read_test
from solver.exchange.printed import read_printed as _read_printed
from solver.exchange.trees import read_tree as _read_tree
from solver.exchange.trees import write_tree as _write_tree
from solver.exchange.variseg import read_variseg as _read_variseg
from solver.exchange.variseg import write_variseg as _write_variseg
from solver.model.modal.reducing import read_matrices as _read_matrices
from solver.model.modal.reducing import shapes_from as _shapes_from


@dataclass(frozen=True)
class ReadDeck:
    """The `model` made of a deck, and the `report`: what became of every card (docs/decks.md)."""

    model: Model
    report: tuple[CardNote, ...]

    @property
    def lost(self) -> tuple[CardNote, ...]:
        """What could not be taken, with the reasons."""
        return tuple(one for one in self.report if one.how == "impossible")

    def __repr__(self) -> str:
        return f"<Deck of {len(self.report)} cards, {len(self.lost)} not possible: {self.model!r}>"


def read_ain(path: Path | str, *, settle: bool = True) -> ReadDeck:
    """Read a deck of CVS-IV or ATB: `.ain` in columns, `.lin` in free form (docs/decks.md).

    A deck that asks for an equilibrium (card G.1) is settled, unless `settle` is false.
    Raises ProjectError with every line, column and field that cannot be read.
    """
    made = _settled(_read_ain(path)) if settle else _read_ain(path)
    return ReadDeck(Model(made.project), made.notes)


def write_ain(model: Model, path: Path | str) -> tuple[str, ...]:
    """Write a deck of ATB: `.ain` in columns, `.lin` in free form with every digit (docs/decks.md).

    Gives what the deck cannot say of the model. Raises DeckError where it would be another model without
    that, and ProjectError where the model has errors.
    """
    return tuple(_write_ain(the_model(model).checked().project, path).lines())


def read_variseg(path: Path | str) -> ReadDeck:
    """Read a model in the plane from cards of VARISEG, `.vsg` (docs/variseg.md).

    Raises ProjectError with every line and card that cannot be read.
    """
    made = _read_variseg(path)
    return ReadDeck(Model(made.project), made.notes)


def write_variseg(model: Model, path: Path | str) -> tuple[str, ...]:
    """Write a model that stays in the plane of x and z as cards of VARISEG (docs/variseg.md).

    Gives what cards cannot say. Raises VarisegError where the model leaves its plane.
    """
    return tuple(_write_variseg(the_model(model).checked().project, path).lines())


def read_printed(path: Path | str) -> tuple[Curve, ...]:
    """Read the tables of time histories that ATB prints (`.aou`, `.t21` to `.t99`): curves in SI, to hold a run against (docs/decks.md).

    Raises PrintedError where the file has none that are read.
    """
    return tuple(curve_of(one) for one in _read_printed(path).curves)


def compare_printed(
    deck: Path | str,
    files: Sequence[Path | str] = (),
    *,
    run: str | None = None,
    until_s: float | None = None,
    settle: bool = True,
) -> PrintedComparison:
    """Run a deck of ATB and put every table that the old program printed of it beside the run (docs/exchange.md).

    Without `files` those of the deck's name that lie beside it are read. Raises ProjectError, PrintedError, CompareError.
    """
    return PrintedComparison(_compare_printed(deck, files, run, until_s, settle))


class PrintedComparison:
    """A deck's printed tables beside a run of it: `columns`, `notes` of what was not compared, and `save` for a page."""

    def __init__(self, found: Comparison) -> None:
        self._found = found
        self.columns: tuple[Compared, ...] = found.columns
        self.notes = tuple(str(one) for one in found.notes)

    def save(self, path: Path | str) -> Path:
        """Write the page with all curves, as HTML or PDF."""
        from solver.report.compared import compared_page

        return compared_page(self._found).save(path)

    def __repr__(self) -> str:
        worst = max((one.part for one in self.columns), default=0.0)
        return f"<{len(self.columns)} columns of {len(self._found.tables)} tables, at most {100.0 * worst:.2g} % of a peak apart>"


class ReadTest(tuple[Curve, ...]):
    """Curves of a measured test, in SI: `kind` of file, `about` (what its head says, in order), `notes` of what was left out or bridged."""

    kind: str
    about: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]

    def find(self, words: str) -> Curve:
        r"""The one curve whose code is this, or whose name has all of these words. Raises ResultsError.

        >>> _ = Path("sled.csv").write_text("time [ms],sled x [g],belt [kN]\n0,0,0\n1,2,1\n2,0,3\n")
        >>> mk.read_test("sled.csv").find("belt").peak
        (0.002, 3000.0)
        """
        return self[named([one.name for one in self], [one.code for one in self], words)]

    def figures(self) -> tuple[MeasuredFigure, ...]:
        """Every injury figure whose channels are there, of every person, by the codes of the channels; signs are those of SAE J211."""
        return figures_of(self)[0]

    def __repr__(self) -> str:
        return f"<{self.kind}: {len(self)} curves, {len(self.notes)} notes>"


def read_test(path: Path | str) -> ReadTest:
    """Read the curves of a test in SI, to rate a run's against (`Curve.rated`), as a pulse (`mk.read_pulse`), for figures: ISO-MME by folder, archive, header or channel, NHTSA's EV5 and UDS, analog channels of C3D, what ATB printed, tables of OpenSim, tables with headings (docs/outputs.md).

    Raises ResultsError and PrintedError.
    """
    found = _read_test(path)
    made = ReadTest(curve_of(one) for one in found.channels)
    made.kind, made.about = found.kind, found.about
    made.notes = tuple(str(one) for one in found.notes)
    return made


@dataclass(frozen=True)
class ReadTree:
    """The `model` made of trees of bodies, and `notes`: what was changed or left out (docs/exchange.md)."""

    model: Model
    notes: tuple[str, ...]
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """By joint: values (rad, m) that OpenSim's inverse kinematics does not leave, for `motion_from_markers`."""


def read_tree(
    path: Path | str, within: Path | str | None = None, keyframe: str = "", contacts: Literal["ground", "all"] = "ground",
    markers: Path | str | None = None,
) -> ReadTree:  # fmt: skip
    """Read a model of MuJoCo (`.xml`), of OpenSim (`.osim`) or a robot of ROS (`.urdf`): bodies, joints, inertia, simple shapes.

    Other files that a model of MuJoCo names are opened in its own folder, or in `within`, and nowhere else; `keyframe` names the one of
    its key frames from which it starts; with `contacts="all"` its shapes touch each other, too, where the file lets them. `markers` is a
    MarkerSet of OpenSim in a file of its own. Raises TreeError with the line where the file cannot be read.
    """
    made = _read_tree(path, within, keyframe, contacts, markers)
    return ReadTree(Model(made.project), tuple(str(one) for one in made.notes), made.ranges)


def write_tree(model: Model, path: Path | str) -> tuple[str, ...]:
    """Write a model's trees for MuJoCo, or as a robot of ROS where the name ends with `.urdf`.

    Gives what the file cannot say. Raises TreeError where it would be another model without that.
    """
    project = the_model(model).checked().project
    return tuple(str(one) for one in _write_tree(project, path))


@dataclass(frozen=True)
class ReadModel:
    """The `model` made of another program's file, and the `report`: what became of what stood there, a line each."""

    model: Model
    report: tuple[str, ...]


def read_model(path: Path | str, *, settle: bool = True) -> ReadModel:
    """Read a model of another program by the ending of its file: decks, cards, trees, and what installed packages read (docs/exchange.md).

    Raises UnknownFile where nothing reads such files.

    >>> mk.write_model(mk.sample("double_pendulum"), "pendulum.xml")
    ()
    >>> len(mk.read_model("pendulum.xml").model.project.joints)
    2
    >>> mk.read_model("pendulum.doc")
    Traceback (most recent call last):
    manikin.UnknownFile: 'pendulum.doc' is none of the files that can be read: ...
    """
    made = _read_model(path, settle=settle)
    return ReadModel(Model(made.project), made.report)


def write_model(model: Model, path: Path | str) -> tuple[str, ...]:
    """Write a model for another program by the ending of the file: `.ain`, `.lin`, `.vsg`, `.xml`, `.urdf`, and what installed packages write.

    Gives what the file cannot say; raises what writing it refuses.
    """
    return _write_model(the_model(model).checked().project, path)


def installed_extensions() -> tuple[tuple[Extension, str], ...]:
    """List what installed packages add (docs/extending.md), each with why it cannot be used: an empty text where it can.

    >>> isinstance(mk.installed_extensions(), tuple)
    True
    """
    return tuple((one, fault_of(one)) for group in GROUPS for one in extensions(group))


def read_shapes(
    path: Path | str, modes: int, interfaces: Sequence[int] | None = None, frame: int | None = None
) -> dict[str, Any]:
    """Read matrices of a finite-element program (`.npz`) and reduce them to the `shapes` of a modal body (Craig and Bampton).

    The file has the arrays `places` (n, 3), `mass` and `stiffness` over three or six freedoms of each node (m, kg, N/m; displacements along
    x, y and z, then turns about these), and `interfaces`, numbers of the nodes at which others hold, unless they are named here.
    It may have `lines` (m, 2) and `faces` (m, 3) between nodes, by which it is drawn, and a `geometric` stiffness (k, freedoms, freedoms) by each of
    some `loads` (k, freedoms). By these, else by lines that keep their lengths, a body stiffens that turns or is pulled, and buckles; nodes in one line need none.
    `frame` is the node that the segment goes with; without one it goes with the mean of the body's motion. Raises ModalError where matrices give no modes.
    """
    part, more = _read_matrices(path)
    nodes = interfaces if interfaces is not None else more.get("interfaces", [])
    return _shapes_from(part, nodes, modes, frame, more)
