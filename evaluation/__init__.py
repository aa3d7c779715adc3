"""Models on the benchmark: what they are asked, their replies, scores, comparisons, reports.

Question answering is here; `stories`, `occupations` and `simulate` are packages of their own, with
the same steps. Functions take a `curation.Workspace` or paths, and return what they found.
"""

from curation.records.lazy import importer

TYPE_CHECKING = False  # importing the package costs nothing
if TYPE_CHECKING:
    from evaluation import batch as batch
    from evaluation import compare as compare
    from evaluation import occupations as occupations
    from evaluation import simulate as simulate
    from evaluation import stories as stories
    from evaluation.cluster import over_parts as over_parts
    from evaluation.cluster import run_parts as run_parts
    from evaluation.qa.prepare import prepare as prepare
    from evaluation.qa.scoring import ScoreInputs as ScoreInputs
    from evaluation.qa.scoring import score as score
    from evaluation.replies.merging import collect as collect
    from evaluation.replies.merging import merge as merge
    from evaluation.replies.rows import parse_replies as parse_replies
    from evaluation.reporting.report import report as report
    from evaluation.runner.asking import plan_models as plan_models
    from evaluation.runner.asking import plan_run as plan_run
    from evaluation.runner.asking import run as run
    from evaluation.runner.asking import run_models as run_models
    from evaluation.runner.backend import BackendSettings as BackendSettings

__getattr__ = importer(__name__)
__dir__ = __getattr__("__dir__")
