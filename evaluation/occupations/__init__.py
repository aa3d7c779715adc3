"""Which occupation a model gives to a group, compared with labour statistics (Ko et al. 2024)."""

from curation.records.lazy import importer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evaluation.occupations.people import survey as survey
    from evaluation.occupations.scoring import score as score
    from evaluation.occupations.tasks import Columns as Columns
    from evaluation.occupations.tasks import items as items
    from evaluation.occupations.tasks import ratios as ratios

__getattr__ = importer(__name__)
__dir__ = __getattr__("__dir__")
