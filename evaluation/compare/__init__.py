"""Whether scores differ by more than chance: groups, models, benchmarks, sets."""

from curation.records.lazy import importer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evaluation.compare.anova import GROUPINGS, Normalised, Unit
    from evaluation.compare.comparing import (
        Comparison,
        banks,
        benchmarks,
        cultures,
        groups,
        models,
    )
    from evaluation.compare.sides import Given

__all__ = [
    "GROUPINGS",
    "Comparison",
    "Given",
    "Normalised",
    "Unit",
    "banks",
    "benchmarks",
    "cultures",
    "groups",
    "models",
]
__getattr__ = importer(
    __name__,
    {
        "Comparison": "evaluation.compare.comparing",
        "Given": "evaluation.compare.sides",
        "GROUPINGS": "evaluation.compare.anova",
        "Normalised": "evaluation.compare.anova",
        "Unit": "evaluation.compare.anova",
        "banks": "evaluation.compare.comparing",
        "benchmarks": "evaluation.compare.comparing",
        "cultures": "evaluation.compare.comparing",
        "groups": "evaluation.compare.comparing",
        "models": "evaluation.compare.comparing",
    },
)


def __dir__() -> list[str]:
    return __all__
