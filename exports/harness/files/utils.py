"""What the tasks of this folder do in the Language Model Evaluation Harness.

The YAML files beside it name these functions. `measure` holds how replies are read and scored.
"""

import functools
import importlib.util
import math
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
Doc = dict[str, Any]
Counted = tuple[str, str, int]
"""Where a reply is counted: template, prompt and cell."""
Replies = str | Sequence[str | None] | None
"""What comes of a request: a reply, or in several epochs one for each."""
Items = Counted | Sequence[Counted]
"""Where that is counted."""


def _measure(name: str) -> Any:
    """Import a module of the package `measure` beside this file, and of no other folder's."""
    package = f"measure_{zlib.crc32(str(_HERE).encode()):08x}"
    if package not in sys.modules:
        folder = _HERE / "measure"
        spec = importlib.util.spec_from_file_location(
            package, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        if spec is None or spec.loader is None:
            raise ImportError(f"{folder} cannot be imported")
        sys.modules[package] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[package])
    return importlib.import_module(f"{package}.{name}")


_rows, _scoring = _measure("rows"), _measure("scoring")
_SETTINGS = _rows.read_settings(_HERE)
_KIND, _EPOCHS = _SETTINGS["set"], _SETTINGS.get("epochs", 1)
_GENERATED = (*_scoring.NAMES, *(_scoring.EPOCH_SPREAD if _EPOCHS > 1 else ()))
"""What is given of replies that are generated."""


def load(category: str | None = None, **_: object) -> Any:
    """Load the requests, all or those of a category; nothing is fetched."""
    import datasets

    rows = list(_rows.read_rows(_HERE, category))
    return {"test": datasets.Dataset.from_list(rows)}


def letter(doc: Doc) -> str:
    """The letter of the right answer."""
    return str(doc["letters"][doc["right"]])


def generated(doc: Doc, results: Sequence[Replies]) -> dict[str, Items]:
    """Read what came of a request, for the task of a category."""
    return dict.fromkeys(_GENERATED, _read(doc, results))


def generated_all(doc: Doc, results: Sequence[Replies]) -> dict[str, Items]:
    """Read what came of a request, for the task of all categories."""
    return _with_category(doc, _read(doc, results), _GENERATED)


def chosen(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, Items]:
    """Take the likeliest letter, for the task of a category."""
    return dict.fromkeys(_scoring.NAMES, _likeliest(doc, results))


def chosen_all(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, Items]:
    """Take the likeliest letter, for the task of all categories."""
    return _with_category(doc, _likeliest(doc, results))


def _read(doc: Doc, results: Sequence[Replies]) -> Items:
    first = results[0]
    replies = [first] if first is None or isinstance(first, str) else first
    counted = [_rows.counted(doc, _rows.answer_of(doc, reply or "")[0]) for reply in replies]
    return counted if _EPOCHS > 1 else counted[0]


def _likeliest(doc: Doc, results: Sequence[tuple[float, bool]]) -> Counted:
    values = [value for value, _ in results]
    if any(math.isnan(value) for value in values):
        raise ValueError(f"{doc['request_id']}: the model gives no log-likelihood (NaN)")
    counted: Counted = _rows.counted(doc, _rows.likeliest(doc, values))
    return counted


def _with_category(
    doc: Doc, counted: Items, names: Sequence[str] = _scoring.NAMES
) -> dict[str, Items]:
    of_category = (_scoring.of_group(name, doc["category_id"]) for name in _scoring.GROUP_NAMES)
    return dict.fromkeys((*names, *of_category), counted)


def _by_epoch(item: Any) -> Iterator[tuple[Counted, int | None]]:
    """Yield where replies are counted, each with its epoch where there are several."""
    if isinstance(item[0], str):
        yield tuple(item), None
        return
    for epoch, counted in enumerate(item, start=1):
        yield tuple(counted), epoch


@functools.lru_cache(maxsize=256)
def _values(counts: frozenset[tuple[tuple[Counted, int | None], int]]) -> dict[str, float | None]:
    tally = _scoring.Tally(_KIND)
    for ((template, prompt, at), epoch), times in counts:
        tally.add(template, prompt, at, times, epoch)
    values: dict[str, float | None] = tally.values()
    return values


def _aggregation(name: str) -> Callable[[Sequence[Items]], float | str | None]:
    """Make the function that gives one of the values; None where it is undefined.

    A standard error that is undefined is what the harness itself writes for one: N/A.
    """
    undefined = "N/A" if name.endswith("_stderr") else None

    def aggregate(items: Sequence[Items]) -> float | str | None:
        counts = Counter(reply for item in items for reply in _by_epoch(item))
        value = _values(frozenset(counts.items())).get(name)
        return undefined if value is None else value

    aggregate.__name__ = name
    return aggregate


globals().update({name: _aggregation(name) for name in _GENERATED})
