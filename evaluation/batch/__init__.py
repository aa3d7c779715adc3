"""Batch files: requests that a provider answers within a day, at half the price."""

from curation.records.lazy import importer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evaluation.batch.formats import Format, Order
    from evaluation.batch.reading import read
    from evaluation.batch.sending import Server, fetch, send
    from evaluation.batch.writing import write

__all__ = ["Format", "Order", "Server", "fetch", "read", "send", "write"]
__getattr__ = importer(
    __name__,
    {
        "Format": "evaluation.batch.formats",
        "Order": "evaluation.batch.formats",
        "Server": "evaluation.batch.sending",
        "fetch": "evaluation.batch.sending",
        "read": "evaluation.batch.reading",
        "send": "evaluation.batch.sending",
        "write": "evaluation.batch.writing",
    },
)


def __dir__() -> list[str]:
    return __all__
