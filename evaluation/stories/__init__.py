"""Stories (BBG, Jin et al. 2025): built, continued, read, scored, compared with QA."""

from curation.records.lazy import importer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evaluation.stories.asking import ask as ask
    from evaluation.stories.asking import prepare as prepare
    from evaluation.stories.asking import readings as readings
    from evaluation.stories.building import build as build
    from evaluation.stories.building import collect as collect
    from evaluation.stories.building import sheet as sheet
    from evaluation.stories.comparing import compare as compare
    from evaluation.stories.comparing import evaluators as evaluators
    from evaluation.stories.readers import agreement as agreement
    from evaluation.stories.readers import passages as passages
    from evaluation.stories.scores import score as score

__getattr__ = importer(__name__)
__dir__ = __getattr__("__dir__")
