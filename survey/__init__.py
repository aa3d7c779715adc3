"""The survey of the public: built, read, counted, decided by published thresholds, reported.

Functions take a `curation.Workspace`, return what they found, and raise `curation.CurateError`.
"""

from curation.records.lazy import importer

TYPE_CHECKING = False  # importing the package costs nothing
if TYPE_CHECKING:
    from survey.bank import FinalBank as FinalBank
    from survey.bank import final_bank as final_bank
    from survey.building.build import build as build
    from survey.explaining import explain as explain
    from survey.explaining import override as override
    from survey.explaining import override_each as override_each
    from survey.filtering import FilterRun as FilterRun
    from survey.filtering import filter as filter
    from survey.progress import status as status
    from survey.readers.inspection import inspect as inspect
    from survey.reporting.report import report as report
    from survey.totals import stats as stats

__getattr__ = importer(__name__)
__dir__ = __getattr__("__dir__")
