"""SPSS and Stata files of panel companies: coded values with their labels."""

from survey.platforms.panel import begin
from survey.platforms.recognise import Described, Head, Recognised, Start

RANK = 60
CODED_AS = "csv"
_BEGINS = "it begins as files of SPSS or Stata do"


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is of SPSS or Stata."""
    if head.source.kind != "sav":
        return None
    labelled = len(head.source.value_labels)
    return Recognised("spss", (_BEGINS, f"{labelled} variables have labels"))


def start(described: Described) -> Start:
    """Begin a mapping: what the system calls missing was not asked."""
    return begin(described, missing=("-99",))
