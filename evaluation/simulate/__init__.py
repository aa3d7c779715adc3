"""People against models: a model is asked the survey's own questions."""

from curation.records.lazy import importer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evaluation.simulate.comparing import prepare as prepare
    from evaluation.simulate.comparing import simulate as simulate

__getattr__ = importer(__name__)
__dir__ = __getattr__("__dir__")
