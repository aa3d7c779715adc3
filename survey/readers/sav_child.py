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
    # Of what is no text and no number, dates and times alone are in such files.
    json.dump(read(path, encoding or None), sys.stdout, default=lambda cell: cell.isoformat())


def read(path: str, encoding: str | None) -> dict[str, Any]:
    """Read a file.

    Returns:
        `names`, `columns`, `labels`, `encoding`, and by name `values`, each with its label, and
        those that are `missing`; or `problem` alone.
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
        "columns": [list(cells) for cells in data.values()],
        "labels": {
            name: label or "" for name, label in zip(names, meta.column_labels, strict=True)
        },
        "values": {name: list(known.items()) for name, known in meta.variable_value_labels.items()},
        "missing": {
            name: [cell for cell in {*data[name]} - {None} if _within(cell, ranges)]
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


if __name__ == "__main__":
    main()
