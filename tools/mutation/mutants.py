"""Places of the product that can be broken, and the loader that breaks one of them.

A mutant is one small change of one expression or statement: another comparison, `and` for `or`, a
number or a truth value that is another one, a negation, arithmetic the other way round, a
`continue` that is not there. A process becomes a mutant by its environment, so that the commands
that a test starts are broken too:

    MUTANT=exports/package_files.py:147:12:compare    this place is broken
    MUTANT_HITS=FOLDER, MUTANT_PLACES=FILE            nothing is broken; it is written down which
                                                      tests run a function with one of the places
"""

import ast
import gc
import inspect
import os
import sys
from collections.abc import Callable, Collection, Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType

ROOT = Path(__file__).parents[2]
PACKAGES = ("curation", "survey", "evaluation", "exports")
_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
}
_COSMETIC = {"strict", "block_size", "buffering", "chunksize", "indent", "linewidth", "zorder"}
"""Arguments of which no result depends."""
_DRAWN = {"axes", "figure"}
"""What pictures are drawn on."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def kind_of(node: ast.AST) -> str | None:
    """What can be broken about a node, or None."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARED:
            return "compare"
        case ast.BoolOp():
            return "boolean"
        case ast.UnaryOp(op=ast.Not()):
            return "negation"
        case ast.Constant(value=bool()):
            return "truth"
        case ast.Constant(value=int() | float()):
            return "number"
        case ast.BinOp(op=operator, left=left, right=right) if type(operator) in _COUNTED:
            texts = (ast.JoinedStr, ast.List, ast.Tuple)
            is_text = any(
                isinstance(side, texts)
                or (isinstance(side, ast.Constant) and isinstance(side.value, str))
                for side in (left, right)
            )
            return None if is_text else "arithmetic"
        case ast.Continue():
            return "continue"
    return None


class _Places(ast.NodeVisitor):
    """Collects the places of a module that stand in functions."""

    def __init__(self) -> None:
        self.found: list[tuple[int, int, str]] = []
        self._depth = 0

    def visit_FunctionDef(self, node: _Function) -> None:  # the visitor's protocol
        self._depth += 1
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        for statement in node.body:
            self.visit(statement)
        self._depth -= 1

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Assert(self, node: ast.Assert) -> None:
        """What is asserted for a type checker is no behaviour."""

    def visit_keyword(self, node: ast.keyword) -> None:
        """Whether `zip` is strict is a guard, and the size of a buffer a matter of time."""
        if node.arg not in _COSMETIC:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        """How something is drawn is looked at by people, and how long is slept at by nobody."""
        of = node.func.value if isinstance(node.func, ast.Attribute) else None
        sleeps = isinstance(node.func, ast.Attribute) and node.func.attr == "sleep"
        if sleeps or (isinstance(of, ast.Name) and of.id in _DRAWN):
            self.visit(node.func)
            for part in (*node.args, *(item.value for item in node.keywords)):
                if not isinstance(part, ast.Constant | ast.UnaryOp):
                    self.visit(part)
        else:
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def generic_visit(self, node: ast.AST) -> None:
        kind = kind_of(node)
        if kind and self._depth and isinstance(node, ast.expr | ast.stmt):
            self.found.append((node.lineno, node.col_offset, kind))
        super().generic_visit(node)


def places(path: Path) -> list[str]:
    """The places of a module, as they are named in `MUTANT`."""
    visitor = _Places()
    visitor.visit(ast.parse(path.read_text(encoding="utf-8")))
    name = path.relative_to(ROOT).as_posix()
    return [f"{name}:{line}:{column}:{kind}" for line, column, kind in visitor.found]


class _Breaker(ast.NodeTransformer):
    """Breaks one place."""

    def __init__(self, line: int, column: int, kind: str) -> None:
        self.wanted = (line, column, kind)
        self.done = False

    def visit(self, node: ast.AST) -> ast.AST:
        here = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0), kind_of(node))
        node = self.generic_visit(node)
        if self.done or here != self.wanted:
            return node
        self.done = True
        broken = _broken(node)
        return ast.fix_missing_locations(ast.copy_location(broken, node))


def _broken(node: ast.AST) -> ast.AST:
    match node:
        case ast.Compare(ops=[operator]):
            node.ops = [_COMPARED[type(operator)]()]
        case ast.BoolOp(op=operator):
            node.op = ast.Or() if isinstance(operator, ast.And) else ast.And()
        case ast.UnaryOp(operand=operand):
            return operand
        case ast.Constant(value=bool() as value):
            return ast.Constant(not value)
        case ast.Constant(value=value):
            return ast.Constant(value + 1)
        case ast.BinOp(op=operator):
            node.op = _COUNTED[type(operator)]()
        case ast.Continue():
            return ast.Pass()
    return node


class _Watcher(ast.NodeTransformer):
    """Puts a call at the beginning of each function that has one of the places."""

    def __init__(self, lines: dict[int, list[int]]) -> None:
        self.lines = lines

    def visit_FunctionDef(self, node: _Function) -> ast.AST:
        within = [
            number
            for line, numbers in self.lines.items()
            if node.lineno <= line <= (node.end_lineno or node.lineno)
            for number in numbers
        ]
        self.generic_visit(node)
        if within:
            call = ast.parse(f"__import__('mutants').hit({within})").body
            for item in ast.walk(call[0]):
                if hasattr(item, "lineno"):
                    item.lineno = item.end_lineno = node.body[0].lineno  # type: ignore[attr-defined]
            after = int(ast.get_docstring(node, clean=False) is not None)
            node.body[after:after] = call
        return node

    visit_AsyncFunctionDef = visit_FunctionDef


_seen: set[int] = set()
"""The places that the present test has come to."""
os.register_at_fork(after_in_child=_seen.clear)


def begin_test() -> None:
    """Have places written down anew."""
    _seen.clear()


def hit(numbers: list[int]) -> None:
    """Write down that a test has come to places."""
    if _seen.issuperset(numbers):
        return
    _seen.update(numbers)
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
    folder = os.environ["MUTANT_HITS"]
    with open(f"{folder}/{os.getpid()}.txt", "a", encoding="utf-8") as stream:  # noqa: PTH123
        stream.writelines(f"{number}\t{test}\n" for number in numbers)


class _Loader(SourceFileLoader):
    """Loads a module with the change that is wanted, past its compiled file."""

    changes: dict[str, ast.NodeTransformer]

    def get_code(self, fullname: str) -> object:
        path = self.get_filename(fullname)
        tree = self.changes[path].visit(ast.parse(self.get_data(path)))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, changes: dict[str, ast.NodeTransformer]) -> None:
        self.changes = changes

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> object:
        if fullname.partition(".")[0] not in PACKAGES:
            return None
        spec: ModuleSpec | None = PathFinder.find_spec(fullname, path)  # type: ignore[arg-type]
        if spec and spec.origin in self.changes:
            loader = _Loader(fullname, spec.origin)
            loader.changes = self.changes
            spec.loader = loader
        return spec


def install(environment: dict[str, str]) -> None:
    """Become the mutant, or the watcher, that an environment asks for."""
    changes: dict[str, ast.NodeTransformer] = {}
    if "MUTANT" in environment:
        name, line, column, kind = environment["MUTANT"].split(":")
        changes[str(ROOT / name)] = _Breaker(int(line), int(column), kind)
    elif "MUTANT_HITS" in environment:
        lines: dict[str, dict[int, list[int]]] = {}
        listed = Path(environment["MUTANT_PLACES"]).read_text(encoding="utf-8").split()
        for number, place in enumerate(listed):
            name, line, _, _ = place.split(":")
            lines.setdefault(str(ROOT / name), {}).setdefault(int(line), []).append(number)
        changes = {path: _Watcher(found) for path, found in lines.items()}
    if changes:
        sys.meta_path.insert(0, _Finder(changes))


Changes = list[tuple[FunctionType, CodeType]]
"""Functions, and the code that each has where a place is broken."""


def run_meanwhile(work: Callable[[], object]) -> set[CodeType]:
    """Do some work; gives the code of the product that it ran."""
    ran: set[CodeType] = set()
    sys.setprofile(lambda frame, event, _: ran.add(frame.f_code) if event == "call" else None)
    try:
        work()
    finally:
        sys.setprofile(None)
    return {code for code in ran if code.co_filename.startswith(str(ROOT))}


def changes_of(place: str, ran: Collection[CodeType]) -> Changes | None:
    """What a place changes in functions that are imported already.

    Args:
        place: As it is named in `MUTANT`.
        ran: What has run before, see `run_meanwhile`.

    Returns:
        None where it is too late: a function that changes has run, or what is no function changes.
    """
    name, line, column, kind = place.split(":")
    path = str(ROOT / name)
    text = Path(path).read_text(encoding="utf-8")
    breaker = _Breaker(int(line), int(column), kind)
    before, after = (
        compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
        for tree in (ast.parse(text), breaker.visit(ast.parse(text)))
    )
    broken: dict[tuple[str, int], CodeType] = {}
    if not _compare(before, after, broken):
        return None
    if any(code.co_filename == path and _key(code) in broken for code in ran):
        return None
    return [
        (function, broken[_key(function.__code__)])
        for function in gc.get_objects()
        if type(function) is FunctionType
        and function.__code__.co_filename == path
        and _key(function.__code__) in broken
    ]


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _compare(before: CodeType, after: CodeType, broken: dict[tuple[str, int], CodeType]) -> bool:
    """Collect the functions that differ; gives whether nothing else does."""
    is_function = bool(before.co_flags & inspect.CO_OPTIMIZED)
    if is_function and before != after:
        broken[_key(after)] = after
    inner, plain = [], []
    for code in (before, after):
        inner.append([item for item in code.co_consts if isinstance(item, CodeType)])
        plain.append([repr(item) for item in code.co_consts if not isinstance(item, CodeType)])
    alike = is_function or (before.co_code == after.co_code and plain[0] == plain[1])
    for one, other in zip(*inner, strict=False):
        alike = _compare(one, other, broken) and alike
    return alike


def all_places(paths: list[Path] | None = None) -> Iterator[str]:
    """The places of the product, or of some of its modules."""
    for path in paths or [p for name in PACKAGES for p in sorted((ROOT / name).rglob("*.py"))]:
        yield from places(path)
