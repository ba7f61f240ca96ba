"""What is wrong with a project, where, and how to mend it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import BaseModel, ValidationError

from solver.base.words import NOTHING, Refusal, Sentence, msgid, sentence_of, tr

MOST_PROBLEMS = 200
"""More than this are not listed one by one."""

MOST_NAMES = 500
"""Among more names than this no nearest one is looked for."""

MOST_KINDS = 24
"""So many kinds are named where one is missing or unknown."""

Severity = Literal["error", "warning", "note"]
Words = Sentence | str
"""A sentence; one without values may be written as it stands."""

DID_YOU_MEAN = msgid("Did you mean '{word}'?")


@dataclass(frozen=True, slots=True)
class Problem:
    """State one problem: a code that never changes, a path into the document, a sentence, a hint."""

    severity: Severity
    code: str
    path: str
    what: Sentence
    mend: Sentence = NOTHING

    @property
    def sentence(self) -> str:
        """Say what is wrong, in the language of the reader."""
        return str(self.what)

    @property
    def hint(self) -> str:
        """Say how it is mended, in the language of the reader; empty where nobody knows."""
        return str(self.mend)

    def __str__(self) -> str:
        """Write it on one line, as the command line prints it."""
        place = f"{self.path}: " if self.path else ""
        hint = f" {self.hint}" if self.hint else ""
        return f"{tr(self.severity)}: {place}{self.sentence}{hint} [{self.code}]"


class ProjectError(Exception):
    """Say that a project cannot be used, with every problem that was found."""

    __module__ = "manikin"

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(p) for p in self.problems))


def error(code: str, path: str, sentence: Words, hint: Words = NOTHING) -> Problem:
    """Make a problem that prevents a run."""
    return Problem("error", code, path, sentence_of(sentence), sentence_of(hint))


def did_you_mean(wrong: str, known: Iterable[str]) -> Sentence:
    """Offer the nearest known word as a question, or nothing."""
    names = list(known)
    if len(names) > MOST_NAMES:
        return NOTHING
    close = difflib.get_close_matches(wrong[:80], names, n=1, cutoff=0.55)
    return Sentence(DID_YOU_MEAN, word=close[0]) if close else NOTHING


def listed(words: Iterable[str], most: int = 8) -> Sentence:
    """Join words for a sentence, cutting a long list."""
    all_words = [f"'{w}'" for w in words]
    more = len(all_words) - most
    shown = ", ".join(all_words[:most])
    if more <= 0:
        return Sentence(shown)
    return Sentence("{words} and {more} more", words=shown, more=more)


# What a project that passed the checks may still be refused for.


class SimulationError(Refusal):
    """Say in a sentence why a project cannot be run."""

    __module__ = "manikin"


# Turn what pydantic finds into problems in the words of the field (first pass of checking).

_TYPES: Mapping[str, Sentence] = {
    "float_type": Sentence("must be a number"),
    "int_type": Sentence("must be a whole number"),
    "int_from_float": Sentence("must be a whole number"),
    "bool_type": Sentence("must be true or false"),
    "string_type": Sentence("must be text in quotes"),
    "tuple_type": Sentence("must be a list in square brackets"),
    "model_type": Sentence("must be an object in braces"),
    "model_attributes_type": Sentence("must be an object in braces"),
    "dict_type": Sentence("must be an object in braces"),
    "none_required": Sentence("must be null"),
}


_INERTIA = Sentence(
    "Add it. Of an evenly filled ellipsoid of semi-axes a, b and c it is m (b^2 + c^2) / 5, m (c^2 + a^2) / 5 and "
    "m (a^2 + b^2) / 5; of a box of edges a, b and c the same with 12 in the place of 5; of a cylinder of radius r and "
    "length l along z m (3 r^2 + l^2) / 12 twice, and m r^2 / 2."
)


def problems_of(failure: ValidationError, data: Any, model: type[BaseModel]) -> list[Problem]:
    """List every problem of a failed validation, one for each place."""
    found: dict[tuple[str, str], Problem] = {}
    errors = failure.errors(include_url=False)
    for item in errors:
        loc = list(item["loc"])
        if loc and _is_union_tag(loc[-1]):
            loc.pop()
            path = readable(loc, data)
            problem = error(
                "field-type",
                path,
                Sentence("'{last}' must be a number or the id of a function.", last=_last(loc)),
            )
        else:
            path = readable(loc, data)
            problem = _problem(item, loc, path, data, model)
        found.setdefault((path, problem.code), problem)
    shown = list(found.values())[:MOST_PROBLEMS]
    if len(found) > MOST_PROBLEMS:
        rest = len(found) - MOST_PROBLEMS
        shown.append(
            error("many-problems", "", Sentence("{rest} more problems are not listed.", rest=rest))
        )
    return shown


def _is_union_tag(step: str | int) -> bool:
    """Tell pydantic's name of a branch of 'a number or the id of a function'."""
    return isinstance(step, str) and (
        step == "constrained-str" or step.startswith("function-after")
    )


def _problem(
    item: Any, loc: list[str | int], path: str, data: Any, model: type[BaseModel]
) -> Problem:
    kind, context, name = item["type"], item.get("ctx", {}), _last(loc)
    if kind == "missing":
        hint = _INERTIA if name == "inertia_kgm2" else "Add it."
        return error("field-missing", path, Sentence("'{name}' is missing.", name=name), hint)
    if kind == "extra_forbidden":
        known = _fields_at(loc[:-1], data, model)
        hint = did_you_mean(name, known) or Sentence("Known here: {known}.", known=listed(known))
        return error(
            "field-unknown",
            path,
            Sentence("'{name}' is not a field of this element.", name=name),
            hint,
        )
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _wrong_kind(kind, context, path, item.get("input"), _kinds_at(loc, data, model))
    if kind in _TYPES:
        shown = _shown(item.get("input"))
        return error(
            "field-type",
            path,
            Sentence("'{name}' {must}, not {shown}.", name=name, must=_TYPES[kind], shown=shown),
        )
    if kind == "literal_error":
        return _wrong_word(item, context, path, name)
    return error("field-range", path, f"'{name}' {_range(kind, context, item)}.")


def _wrong_kind(kind: str, context: Any, path: str, given: Any, known: list[str]) -> Problem:
    if kind == "union_tag_not_found":
        near = _misnamed(given, known)
        if near is not None:
            hint = Sentence("Did you mean 'kind': '{word}'?", word=near)
        else:
            hint = (
                Sentence("One of {known}.", known=listed(known, MOST_KINDS)) if known else NOTHING
            )
        return error("kind-missing", path, "'kind' is missing.", hint)
    tag = str(context.get("tag", ""))[:80]
    hint = did_you_mean(tag, known) or Sentence("One of {known}.", known=listed(known, MOST_KINDS))
    return error("kind-unknown", path, Sentence("There is no kind '{tag}' here.", tag=tag), hint)


def _misnamed(given: Any, known: list[str]) -> str | None:
    """A kind that stands under another name, such as 'type'."""
    if not isinstance(given, dict):
        return None
    words = (value for value in given.values() if isinstance(value, str))
    return next((word for word in words if word in known), None)


def _wrong_word(item: Any, context: Any, path: str, name: str) -> Problem:
    expected = str(context.get("expected", ""))
    words = [w.strip(" '") for w in expected.replace(" or ", ", ").split(",")]
    given = item.get("input")
    hint = did_you_mean(given, words) if isinstance(given, str) else NOTHING
    return error(
        "field-choice",
        path,
        Sentence(
            "'{name}' must be {expected}, not {given}.",
            name=name,
            expected=expected,
            given=_shown(given),
        ),
        hint,
    )


def _range(kind: str, context: Any, item: Any) -> Sentence:
    limits = {
        "greater_than": (msgid("must be above {limit:g}, not {shown}"), "gt"),
        "greater_than_equal": (msgid("must be at least {limit:g}, not {shown}"), "ge"),
        "less_than": (msgid("must be below {limit:g}, not {shown}"), "lt"),
        "less_than_equal": (msgid("must be at most {limit:g}, not {shown}"), "le"),
    }
    if kind in limits:
        template, key = limits[kind]
        return Sentence(template, limit=context[key], shown=_shown(item.get("input")))
    if kind == "beyond_limit":
        return Sentence(
            "must be between -1e15 and 1e15, not {shown}", shown=_shown(item.get("input"))
        )
    if kind == "finite_number":
        return Sentence("must be a finite number")
    if kind == "too_short":
        return Sentence(
            "needs at least {least} entries, not {count}",
            least=context["min_length"],
            count=context["actual_length"],
        )
    if kind == "too_long":
        return Sentence("takes at most {most} entries", most=context["max_length"])
    if kind == "string_too_short":
        return Sentence("must not be empty")
    if kind == "string_too_long":
        return Sentence("is longer than {most} characters", most=context["max_length"])
    if kind == "string_pattern_mismatch":
        return Sentence(
            "must be a name without blanks, slashes, dots, quotes, brackets, stars or '=', not {shown}",
            shown=_shown(item.get("input")),
        )
    return Sentence("does not fit: {why}", why=str(item["msg"]))


def _shown(value: Any) -> Sentence | str:
    """Show a value shortly, whatever it is."""
    if isinstance(value, dict):
        return Sentence("an object")
    if isinstance(value, list | tuple):
        return Sentence("a list")
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**30:
        return Sentence("a huge number")
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _last(loc: list[str | int]) -> str:
    """Name the field, or 'entry 3 of p1_m' for an item of a list."""
    if not loc:
        return "project"
    if isinstance(loc[-1], int):
        field = next((str(s) for s in reversed(loc) if isinstance(s, str)), "list")
        return f"{field}, entry {loc[-1] + 1}"
    return str(loc[-1])[:80]


def _fields_at(loc: list[str | int], data: Any, model: type[BaseModel]) -> list[str]:
    """List the fields that the model has at a place of the data."""
    return sorted({name for m in _models_at(loc, data, model) for name in m.model_fields})


def _kinds_at(loc: list[str | int], data: Any, model: type[BaseModel]) -> list[str]:
    """List the kinds that may stand at a place of the data, in the order of the schema."""
    fields = [m.model_fields.get("kind") for m in _models_at(loc, data, model)]
    return list(
        dict.fromkeys(str(k) for f in fields if f is not None for k in get_args(f.annotation))
    )


def _models_at(loc: list[str | int], data: Any, model: type[BaseModel]) -> list[type[BaseModel]]:
    """The models that may stand at a place of the data."""
    here: Any = data
    candidates: list[type[BaseModel]] = [model]
    for step in loc:
        if isinstance(step, int):
            here = here[step] if isinstance(here, list) and step < len(here) else None
            continue
        if isinstance(here, dict) and step not in here and here.get("kind") == step:
            candidates = [m for m in candidates if _kind_of(m) == step] or candidates
            continue
        here = here.get(step) if isinstance(here, dict) else None
        candidates = [
            m
            for c in candidates
            if step in c.model_fields
            for m in _models_in(c.model_fields[str(step)].annotation)
        ]
    return candidates


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [m for arg in get_args(annotation) for m in _models_in(arg)]


def _kind_of(model: type[BaseModel]) -> str | None:
    field = model.model_fields.get("kind")
    return None if field is None else str(field.default)


def readable(loc: Sequence[str | int], data: Any) -> str:
    """Turn a location in plain data into a path with ids, leaving out union tags."""
    words: list[str] = []
    here = data
    for step in loc:
        if isinstance(step, int) and isinstance(here, list) and step < len(here):
            here = here[step]
            name = here.get("id") if isinstance(here, dict) else None
            words.append(name[:80] if isinstance(name, str) and name else str(step))
        elif isinstance(here, dict) and step in here:
            here = here[step]
            words.append(str(step))
        elif isinstance(here, dict) and here.get("kind") == step:
            continue
        else:
            words.append(str(step))
            here = None
    return "/".join(words)
