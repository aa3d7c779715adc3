"""Batch files of OpenAI's form: written here, answered by a provider or by vLLM, and read back."""

from curation.records.lazy import importer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evaluation.batch.files import Limits
    from evaluation.batch.reading import read
    from evaluation.batch.writing import write

__all__ = ["Limits", "read", "write"]
__getattr__ = importer(
    __name__,
    {
        "Limits": "evaluation.batch.files",
        "read": "evaluation.batch.reading",
        "write": "evaluation.batch.writing",
    },
)


def __dir__() -> list[str]:
    return __all__
