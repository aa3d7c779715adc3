"""The survey of the public: built, read, counted, decided by published thresholds, reported.

Functions take a `curation.Workspace`, return what they found, and raise `curation.CurateError`.
"""

from curation.records.lazy import importer

TYPE_CHECKING = False  # importing the package costs nothing
if TYPE_CHECKING:
    from survey.bank import FinalBank, final_bank
    from survey.building.build import build
    from survey.explaining import Overriding, explain, override, override_each
    from survey.filtering import FilterRun, filter
    from survey.progress import status
    from survey.readers.inspection import inspect
    from survey.reporting.report import report

__all__ = [
    "FilterRun",
    "FinalBank",
    "Overriding",
    "build",
    "explain",
    "filter",
    "final_bank",
    "inspect",
    "override",
    "override_each",
    "report",
    "status",
]
__getattr__ = importer(
    __name__,
    {
        "FilterRun": "survey.filtering",
        "FinalBank": "survey.bank",
        "Overriding": "survey.explaining",
        "build": "survey.building.build",
        "explain": "survey.explaining",
        "filter": "survey.filtering",
        "final_bank": "survey.bank",
        "inspect": "survey.readers.inspection",
        "override": "survey.explaining",
        "override_each": "survey.explaining",
        "report": "survey.reporting.report",
        "status": "survey.progress",
    },
)


def __dir__() -> list[str]:
    return __all__
