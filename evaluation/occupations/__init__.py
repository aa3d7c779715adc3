"""Which occupation a model gives to a group, compared with labour statistics (Ko et al. 2024)."""

from curation.records.lazy import importer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evaluation.occupations.labour import Columns, ratios
    from evaluation.occupations.people import survey
    from evaluation.occupations.scoring import score
    from evaluation.occupations.tasks import items

__all__ = [
    "Columns",
    "items",
    "ratios",
    "score",
    "survey",
]
__getattr__ = importer(
    __name__,
    {
        "Columns": "evaluation.occupations.labour",
        "items": "evaluation.occupations.tasks",
        "ratios": "evaluation.occupations.labour",
        "score": "evaluation.occupations.scoring",
        "survey": "evaluation.occupations.people",
    },
)


def __dir__() -> list[str]:
    return __all__
