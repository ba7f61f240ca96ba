"""Single faults that a parser can make: what may be changed in a source, and into what.

Each place of the source is found once, with all that it may become. What no test could tell from the sound program, or
what is a matter of taste, is no place: texts, annotations, messages, what is written to a log, sizes in pixels, how a
window is painted, requests to paint again.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

SILENT = {
    "__repr__", "__str__", "__del__", "paintEvent", "paint", "sizeHint", "minimumSizeHint",
}  # fmt: skip
"""Functions whose outcome only an eye sees."""

NO_EFFECT = {
    "update", "repaint", "updateGeometry", "deleteLater", "collect", "freeze", "close", "flush", "setObjectName",
    "debug", "info", "warning", "exception", "cache_clear", "ensurePolished", "blockSignals", "processEvents",
    "setWordWrap", "setAutoDefault", "setStyleSheet", "setAttribute", "unlink",
}  # fmt: skip
"""Calls that may be left out and nobody finds a difference, or none but in looks or memory."""

_TASTE = re.compile(
    r"Margin|Spacing|Stretch|Width|Height|Size|size|Pixmap|Font|Pen|Color|Rect|Point|Policy|singleShot|Interval|adjusted"
    r"|wait|sleep|resize|move$|translate|timeout|round$|linspace|isinstance|range_|Weight|opacity|alpha|colou?r"
)
"""Calls and named arguments whose numbers are sizes, waits, digits and colours."""

_TASTE_NAME = re.compile(
    r"PX|PIXEL|WIDTH|HEIGHT|SIZE|GAP|MARGIN|_MS$|PAUSE|DELAY|WAIT|COLOU?R|DIGITS|RADIUS|LONGEST|ALPHA|SHADE|TONE|FONT"
)

_FLIPPED = {
    ast.Lt: (">=",), ast.LtE: (">",), ast.Gt: ("<=",), ast.GtE: ("<",), ast.Eq: ("!=",), ast.NotEq: ("==",),
    ast.Is: ("is not",), ast.IsNot: ("is",), ast.In: ("not in",), ast.NotIn: ("in",),
}  # fmt: skip
_MOVED = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
_OTHER = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "+"}
_TWINS = {"min": "max", "max": "min", "any": "all", "all": "any", "sin": "cos", "cos": "sin"}

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Change:
    """One change of a source: bytes `start` to `end` become `new`."""

    kind: str
    start: int
    end: int
    new: str


@dataclass(frozen=True)
class Spot:
    """A place of a source, and all that it may become."""

    function: str
    """Full name of the function or class around it; empty at the top of a module."""
    line: int
    text: str
    number: int
    """How many of the same text come before it in the same function."""
    changes: tuple[Change, ...]


def spots(source: bytes) -> tuple[Spot, ...]:
    """Find all places of a source, in its order."""
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    count: dict[tuple[str, str], int] = {}
    found: list[Spot] = []
    for spot in sorted(finder.found, key=lambda one: (one.changes[0].start, -one.changes[0].end)):
        key = (spot.function, spot.text)
        count[key] = count.get(key, -1) + 1
        found.append(replace(spot, number=count[key]))
    return tuple(found)


class _Finder(ast.NodeVisitor):
    """Go through a module and note what may be changed."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self.found: list[Spot] = []
        self._names: list[str] = []
        self._functions: list[_Function] = []
        self._fields: list[dict[str, str]] = []
        self._taste = False

    # what is looked at, and what is passed over

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._names.append(node.name)
        self._fields.append(_fields(node))
        for one in node.body:
            self.visit(one)
        self._fields.pop()
        self._names.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def _function(self, node: _Function) -> None:
        if node.name in SILENT:
            return
        self._names.append(node.name)
        self._functions.append(node)
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)
        for one in node.body:
            self.visit(one)
        self._functions.pop()
        self._names.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assigned([node.target], node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        inside = self._functions and self._functions[-1].name != "__init__"
        if inside and any(isinstance(one, ast.Attribute | ast.Subscript) for one in node.targets):
            self._note(node, [self._change("a dropped assignment", node, "pass")])
        self._assigned(node.targets, node.value)

    def _assigned(self, targets: list[ast.expr], value: ast.expr) -> None:
        names = [one.id for one in targets if isinstance(one, ast.Name)]
        if "__all__" in names:
            return
        before = self._taste
        self._taste = before or any(_TASTE_NAME.search(name) for name in names)
        self.visit(value)
        self._taste = before

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in ast.unparse(node.test) or "__name__" in ast.unparse(node.test):
            return
        always = [self._change("a branch that is always taken", node.test, "True")]
        never = [self._change("a branch that is never taken", node.test, "False")]
        self._note(node.test, always + never)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        body, test, other = (self._text(one) for one in (node.body, node.test, node.orelse))
        swapped = f"({other}) if ({test}) else ({body})"
        self._note(node, [self._change("branches the other way round", node, swapped)])
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        if node.exc is not None and "NotImplemented" not in self._text(node):
            self._note(node, [self._change("a dropped refusal", node, "pass")])

    def visit_Assert(self, node: ast.Assert) -> None:
        """Pass over what is taken for granted."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Pass over texts."""

    def visit_Break(self, node: ast.Break) -> None:
        """Pass over what would have no end."""

    def visit_Continue(self, node: ast.Continue) -> None:
        self._note(node, [self._change("a dropped `continue`", node, "pass")])

    def visit_Expr(self, node: ast.Expr) -> None:
        call = node.value
        if not isinstance(call, ast.Call):
            if not isinstance(call, ast.Constant):
                self.generic_visit(node)
            return
        name = _called(call)
        if name in NO_EFFECT:
            return
        if not self._text(call).startswith("super().__init__") and not _TASTE.search(name):
            self._note(node, [self._change("a dropped call", node, "pass")])
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._note(node, [self._change("a dropped assignment", node, "pass")])
        self.visit(node.value)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            return
        if not isinstance(node.value, ast.Constant):
            self._note(node, [self._change("another value given back", node, self._given(node))])
        self.visit(node.value)

    def _given(self, node: ast.Return) -> str:
        """Say what a function gives back instead: of the same kind, if that can be told."""
        assert node.value is not None
        kind = self._functions[-1].returns if self._functions else None
        said = ast.unparse(kind) if kind is not None else ""
        if said == "bool":
            return f"return not ({self._text(node.value)})"
        for head, empty in (
            ("list", "[]"),
            ("tuple[", "()"),
            ("dict", "{}"),
            ("set", "set()"),
            ("str", '""'),
        ):
            if said.startswith(head) and (head != "tuple[" or "..." in said):
                return f"return {empty}"
        if said in ("float", "int"):
            return f"return -({self._text(node.value)})"
        return "return None"

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            op, right = node.ops[0], node.comparators[0]
            new = list(_FLIPPED[type(op)])
            if type(op) in _MOVED and (_counts(node.left) or _counts(right)):
                new.append(_MOVED[type(op)])
            left, other = self._text(node.left), self._text(right)
            self._note(
                node,
                [
                    self._change("another comparison", node, f"({left}) {one} ({other})")
                    for one in new
                ],
            )
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        word = " or " if isinstance(node.op, ast.And) else " and "
        new = word.join(f"({self._text(one)})" for one in node.values)
        kind = "`or` for `and`" if isinstance(node.op, ast.And) else "`and` for `or`"
        self._note(node, [self._change(kind, node, f"({new})")])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            kind = "a dropped `not`" if isinstance(node.op, ast.Not) else "another sign"
            if not self._taste:
                self._note(node, [self._change(kind, node, f"({self._text(node.operand)})")])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        new = _OTHER.get(type(node.op))
        texts = any(_is_text(one) for one in ast.walk(node))
        if new is not None and not texts and not self._taste:
            both = f"({self._text(node.left)}) {new} ({self._text(node.right)})"
            self._note(node, [self._change("another sum or product", node, f"({both})")])
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if self._taste or isinstance(value, str | bytes) or value is None or value is Ellipsis:
            return
        if isinstance(value, bool):
            new = str(not value)
        elif isinstance(value, int):
            new = str(value + 1)
        elif isinstance(value, float):
            new = repr(1.5 * value if value else 1.0)
        else:
            return
        self._note(node, [self._change("another constant", node, new)])

    def visit_Call(self, node: ast.Call) -> None:
        name = _called(node)
        if name in ("tr", "Sentence", "ntr"):
            return
        before = self._taste
        self._taste = before or bool(_TASTE.search(name))
        options: list[Change] = []
        plain = [one for one in node.args if not isinstance(one, ast.Starred)]
        if (
            len(plain) > 1
            and len(plain) == len(node.args)
            and not self._taste
            and name not in ("getattr", "setattr", "cast", "connect")
        ):
            first, second = plain[0], plain[1]
            if ast.dump(first) != ast.dump(second) and _alike(first, second) and name not in _TWINS:
                head = self._source[self._at(node)[0] : self._at(first)[0]].decode()
                rest = self._source[self._at(second)[1] : self._at(node)[1]].decode()
                middle = self._source[self._at(first)[1] : self._at(second)[0]].decode()
                text = head + self._text(second) + middle + self._text(first) + rest
                options.append(self._change("swapped arguments", node, text))
        if (
            isinstance(node.func, ast.Name | ast.Attribute)
            and name in _TWINS
            and (name not in ("min", "max") or len(node.args) > 1 or not node.keywords)
        ):
            end = self._at(node.func)[1]
            options.append(
                Change(f"`{_TWINS[name]}` for `{name}`", end - len(name), end, _TWINS[name])
            )
        self._note(node, options)
        self.visit(node.func)
        for one in node.args:
            self.visit(one)
        for word in node.keywords:
            inner = self._taste
            self._taste = inner or bool(word.arg and _TASTE.search(word.arg))
            self.visit(word.value)
            self._taste = inner
        self._taste = before

    def visit_Attribute(self, node: ast.Attribute) -> None:
        owner = node.value
        if isinstance(owner, ast.Name) and owner.id == "self" and isinstance(node.ctx, ast.Load):
            fields = self._fields[-1] if self._fields else {}
            kind = fields.get(node.attr)
            twins = [name for name, other in fields.items() if other == kind and name != node.attr]
            if kind and not self._taste:
                self._note(
                    node, [self._change("another attribute", node, f"self.{one}") for one in twins]
                )
        self.visit(owner)

    # places in the text

    def _at(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._at(node)
        return self._source[start:end].decode()

    def _change(self, kind: str, node: ast.expr | ast.stmt, new: str) -> Change:
        return Change(kind, *self._at(node), new)

    def _note(self, node: ast.expr | ast.stmt, changes: list[Change]) -> None:
        if not changes:
            return
        names = ".".join(self._names)
        self.found.append(Spot(names, node.lineno, self._text(node), 0, tuple(changes)))


def _called(node: ast.Call) -> str:
    """The last name of what is called."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _counts(node: ast.expr) -> bool:
    """Whether an operand counts something, so that the limit itself occurs."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return isinstance(node, ast.Call) and _called(node) in ("len", "count", "rowCount")


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _alike(one: ast.expr, other: ast.expr) -> bool:
    """Whether two arguments could be mistaken for each other: neither is a text, a function or a class."""
    kinds = (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.Call, ast.UnaryOp)
    if not (isinstance(one, kinds) and isinstance(other, kinds)):
        return (
            isinstance(one, ast.Constant)
            and isinstance(other, ast.Constant)
            and type(one.value) is type(other.value) is not str
        )
    return True


def _fields(node: ast.ClassDef) -> dict[str, str]:
    """What each instance of a class holds, with what its kind looks like."""
    found: dict[str, str] = {}
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            found[one.target.id] = ast.unparse(one.annotation)
        if isinstance(one, ast.FunctionDef) and one.name == "__init__":
            kinds = {
                a.arg: ast.unparse(a.annotation)
                for a in one.args.args + one.args.kwonlyargs
                if a.annotation
            }
            for inner in ast.walk(one):
                found |= dict(_held(inner, kinds))
    return found


def _held(node: ast.AST, kinds: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The attributes of `self` that a statement sets, with what their kind looks like."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets, value, kind = node.targets, node.value, _kind(node.value, kinds)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        targets, value, kind = [node.target], node.value, ast.unparse(node.annotation)
    for target in targets:
        pairs = [(target, kind)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = [(t, _kind(v, kinds)) for t, v in zip(target.elts, value.elts, strict=False)]
        for one, its in pairs:
            if (
                isinstance(one, ast.Attribute)
                and isinstance(one.value, ast.Name)
                and one.value.id == "self"
                and its
            ):
                yield one.attr, its


def _kind(value: ast.expr, kinds: dict[str, str]) -> str:
    if isinstance(value, ast.Name):
        return kinds.get(value.id, "")
    if isinstance(value, ast.Call):
        return _called(value) if _called(value)[:1].isupper() else ""
    if isinstance(value, ast.Constant) and value.value is not None:
        return type(value.value).__name__
    return ""
