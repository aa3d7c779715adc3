"""Whether scores differ by more than chance: groups, models, benchmarks, sets."""

from curation.records.lazy import importer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evaluation.compare.comparing import banks as banks
    from evaluation.compare.comparing import benchmarks as benchmarks
    from evaluation.compare.comparing import cultures as cultures
    from evaluation.compare.comparing import groups as groups
    from evaluation.compare.comparing import models as models
    from evaluation.compare.planning import plan as plan
    from evaluation.compare.sides import Given as Given
    from evaluation.compare.testing import GROUPINGS as GROUPINGS
    from evaluation.compare.testing import Normalised as Normalised
    from evaluation.compare.testing import PairedUnit as PairedUnit

__getattr__ = importer(__name__)
__dir__ = __getattr__("__dir__")
