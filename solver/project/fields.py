"""Say once what a field of the document is: its unit, default, range, label and help.

Everything that shows a field (forms, tooltips, JSON Schema, `docs/project-file.md`) reads what stands here.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict
from pydantic_core import PydanticCustomError

LIMIT = 1e15
"""No quantity of this field reaches it; a larger number is a slip, not a model."""


def _within_limit(value: float) -> float:
    if not -LIMIT <= value <= LIMIT:
        raise PydanticCustomError("beyond_limit", "must be between -1e15 and 1e15")
    return value


# The limit is a validator: a `ge` here would overrule the `ge` of the fields that use the type.
Number = Annotated[float, Strict(), Field(allow_inf_nan=False), AfterValidator(_within_limit)]
Count = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]
Text = Annotated[str, Strict(), Field(max_length=20_000)]
Id = Annotated[str, Strict(), Field(min_length=1, max_length=80, pattern=r"^[^\s/\\*?\[\]=.\"']+$")]
"""A short name without blanks, slashes, dots, quotes or wildcards: it is used in paths and channel names."""

Vec3 = tuple[Number, Number, Number]
_Positive = Annotated[Number, Field(gt=0)]
_NotNegative = Annotated[Number, Field(ge=0)]
_Power = Annotated[Number, Field(ge=2, le=100)]
Positive3 = tuple[_Positive, _Positive, _Positive]
NotNegative3 = tuple[_NotNegative, _NotNegative, _NotNegative]
Powers3 = tuple[_Power, _Power, _Power]
Matrix3 = tuple[Vec3, Vec3, Vec3]
Numbers = tuple[Number, ...]
NumberOrFunction = Number | Id
"""A constant, or the id of a function that gives the value."""

REQUIRED: Any = ...
ZERO3 = (0.0, 0.0, 0.0)


class Part(BaseModel):
    """Be a frozen piece of the document that knows exactly its own fields."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=False, defer_build=True
    )


class Element(Part):
    """Be something with an id that stands in one of the document's lists."""

    id: Id = Field(
        title="Id",
        description="Unique in its list; other elements refer to it by this name.",
        json_schema_extra={"unit": ""},
    )
    name: Text = Field(
        "",
        title="Name",
        description="What people read; the id where empty.",
        json_schema_extra={"unit": ""},
    )
    group: Text = Field(
        "",
        title="Group",
        description="Heading in the outline, such as Occupant or Seat; nested by slashes.",
        json_schema_extra={"unit": ""},
    )
    note: Text = Field(
        "",
        title="Note",
        description="Anything worth knowing about this element.",
        json_schema_extra={"unit": ""},
    )
    source: Text = Field(
        "",
        title="Source",
        description="Where the numbers come from.",
        json_schema_extra={"unit": ""},
    )


def number(default: Any, unit: str, label: str, help_: str, **limits: Any) -> Any:
    """Declare a number or an array of numbers with its SI unit ('1' for a pure number)."""
    return Field(
        default,
        title=label,
        description=help_,
        json_schema_extra={"unit": unit},
        **limits,
    )


def choice(default: Any, label: str, help_: str, **limits: Any) -> Any:
    """Declare anything that has no unit: a word, a switch, a part or a list of parts."""
    return Field(
        default,
        title=label,
        description=help_,
        json_schema_extra={"unit": ""},
        **limits,
    )


def ref(
    default: Any, to: str, label: str, help_: str, words: tuple[str, ...] = (), **limits: Any
) -> Any:
    """Declare the id of an element in the list `to`, or several of them; or one of some `words` instead."""
    extra: Any = {"unit": "", "refers_to": to}
    if words:
        extra["words"] = list(words)
    return Field(default, title=label, description=help_, json_schema_extra=extra, **limits)


def leading(default: Any, label: str, help_: str, **limits: Any) -> Any:
    """Declare a path into the project, or a name of results that begins with an element: it is followed on renaming."""
    extra: Any = {"unit": "", "leads_to": "elements"}
    return Field(default, title=label, description=help_, json_schema_extra=extra, **limits)


def value_or_function(
    default: Any, unit: str, argument: str, label: str, help_: str, **limits: Any
) -> Any:
    """Declare a constant in `unit`, or the id of a function of `argument` (a unit) that gives it."""
    extra: Any = {
        "unit": unit,
        "refers_to": "functions",
        "x_unit": argument,
        "y_unit": unit,
    }
    return Field(default, title=label, description=help_, json_schema_extra=extra, **limits)


def function(default: Any, x_unit: str, y_unit: str, label: str, help_: str, **limits: Any) -> Any:
    """Declare the id of a function with the units of its argument and of its value."""
    extra: Any = {
        "unit": "",
        "refers_to": "functions",
        "x_unit": x_unit,
        "y_unit": y_unit,
    }
    return Field(default, title=label, description=help_, json_schema_extra=extra, **limits)
