"""Read an SPSS or Stata file in a process of its own.

The library that reads such files is written in C and may bring its process down on a damaged
one; then this process ends, and the one that asked says that the file is damaged.
"""

import json
import sys
from typing import Any


def main() -> None:
    """Read the file of the first argument in the encoding of the second; write JSON."""
    path, encoding = sys.argv[1:3]
    json.dump(read(path, encoding or None), sys.stdout, ensure_ascii=True)


def read(path: str, encoding: str | None) -> dict[str, Any]:
    """Read a file.

    Returns:
        `names`, `columns`, `labels`, `values`, `missing` and `encoding`; or `problem` alone.
    """
    import pyreadstat

    library = pyreadstat.read_dta if path.casefold().endswith(".dta") else pyreadstat.read_sav
    try:
        data, meta = library(path, encoding=encoding, user_missing=True, output_format="dict")
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError) as error:
        return {"problem": str(error), "encoding": _stated(path)}
    names = list(data)
    return {
        "names": names,
        "columns": [texts(list(cells)) for cells in data.values()],
        "labels": {
            name: label or "" for name, label in zip(names, meta.column_labels, strict=True)
        },
        "values": {
            name: {text(value): label for value, label in known.items()}
            for name, known in meta.variable_value_labels.items()
        },
        "missing": {
            name: sorted(texts([cell for cell in {*data[name]} - {None} if _within(cell, ranges)]))
            for name, ranges in meta.missing_ranges.items()
        }
        | {name: list(values) for name, values in meta.missing_user_values.items()},
        "encoding": str(meta.file_encoding or ""),
    }


def _within(cell: Any, ranges: Any) -> bool:
    """Whether the file declares a value missing: it lies in one of the ranges."""
    ends = ((known["lo"], known["hi"]) for known in ranges)
    return any(
        isinstance(cell, str) == isinstance(low, str) and low <= cell <= high for low, high in ends
    )


def _stated(path: str) -> str:
    """The encoding that a file says it is in, if that can be read."""
    import pyreadstat

    try:
        _, meta = pyreadstat.read_sav(path, metadataonly=True)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError):
        return ""
    return str(meta.file_encoding or "")


def texts(cells: list[Any]) -> list[str]:
    """Write cells as text, each distinct one once."""
    known = {cell: text(cell) for cell in set(cells)}
    return [known[cell] for cell in cells]


def text(cell: Any) -> str:
    """Write a cell as text: 1, not 1.0; nothing for what the system calls missing."""
    if cell is None or cell != cell:  # NaN alone is not itself
        return ""
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)


if __name__ == "__main__":
    main()
