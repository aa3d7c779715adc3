"""What a function of the library did: facts by key, of which one is a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Summary(Mapping[str, Any]):
    """What a function did.

    Attributes:
        values_by_key: What there is to know, as `--json` prints it.
        table: The key of the rows that are its table.
        columns: Of the table, in order.
    """

    values_by_key: Mapping[str, Any]
    table: str
    columns: Sequence[str]

    def __getitem__(self, key: str) -> Any:  # whatever JSON has
        return self.values_by_key[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_key)

    def __len__(self) -> int:
        return len(self.values_by_key)

    def to_frame(self) -> "pd.DataFrame":
        """A row an item of the table: its texts and numbers, of a list how many it holds."""
        import pandas as pd

        rows = (one if isinstance(one, Mapping) else asdict(one) for one in self[self.table])
        frame = pd.DataFrame([*map(_flat, rows)])
        return frame.reindex(columns=[*self.columns])


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row whose mappings, such as how often each label was given, are columns of it."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            found |= value
        else:
            found[name] = len(value) if isinstance(value, list | tuple) else value
    return found
