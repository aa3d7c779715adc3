"""Stories (BBG, Jin et al. 2025): built, continued, read, scored, compared with QA."""

from curation.records.lazy import importer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evaluation.stories.asking import prepare
    from evaluation.stories.building import build, collect, sheet
    from evaluation.stories.comparing import compare, evaluators
    from evaluation.stories.readers import agreement, passages
    from evaluation.stories.reading import ask, readings
    from evaluation.stories.scores import score

__all__ = [
    "agreement",
    "ask",
    "build",
    "collect",
    "compare",
    "evaluators",
    "passages",
    "prepare",
    "readings",
    "score",
    "sheet",
]
__getattr__ = importer(
    __name__,
    {
        "agreement": "evaluation.stories.readers",
        "ask": "evaluation.stories.reading",
        "build": "evaluation.stories.building",
        "collect": "evaluation.stories.building",
        "compare": "evaluation.stories.comparing",
        "evaluators": "evaluation.stories.comparing",
        "passages": "evaluation.stories.readers",
        "prepare": "evaluation.stories.asking",
        "readings": "evaluation.stories.reading",
        "score": "evaluation.stories.scores",
        "sheet": "evaluation.stories.building",
    },
)


def __dir__() -> list[str]:
    return __all__
