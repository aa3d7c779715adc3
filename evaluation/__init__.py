"""Models on the benchmark: what they are asked, their replies, scores, comparisons, reports.

Question answering is here; `stories`, `occupations` and `simulate` are packages of their own, with
the same steps. Functions take a `curation.Workspace` or paths, and return what they found.
"""

from curation.records.lazy import importer

TYPE_CHECKING = False  # importing the package costs nothing
if TYPE_CHECKING:
    from evaluation import batch, compare, occupations, simulate, stories
    from evaluation.cluster import over_parts, run_parts
    from evaluation.qa.prepare import prepare
    from evaluation.qa.scoring import ScoreInputs, score
    from evaluation.replies.merging import collect, merge
    from evaluation.replies.rows import parse_replies
    from evaluation.reporting.report import report
    from evaluation.runner.asking import plan_models, plan_run, run, run_models
    from evaluation.runner.backend import BackendSettings

__all__ = [
    "BackendSettings",
    "ScoreInputs",
    "batch",
    "collect",
    "compare",
    "merge",
    "occupations",
    "over_parts",
    "parse_replies",
    "plan_models",
    "plan_run",
    "prepare",
    "report",
    "run",
    "run_models",
    "run_parts",
    "score",
    "simulate",
    "stories",
]
__getattr__ = importer(
    __name__,
    {
        "BackendSettings": "evaluation.runner.backend",
        "ScoreInputs": "evaluation.qa.scoring",
        "batch": "evaluation.batch",
        "collect": "evaluation.replies.merging",
        "compare": "evaluation.compare",
        "merge": "evaluation.replies.merging",
        "occupations": "evaluation.occupations",
        "over_parts": "evaluation.cluster",
        "run_parts": "evaluation.cluster",
        "parse_replies": "evaluation.replies.rows",
        "plan_models": "evaluation.runner.asking",
        "plan_run": "evaluation.runner.asking",
        "prepare": "evaluation.qa.prepare",
        "report": "evaluation.reporting.report",
        "run": "evaluation.runner.asking",
        "run_models": "evaluation.runner.asking",
        "score": "evaluation.qa.scoring",
        "simulate": "evaluation.simulate",
        "stories": "evaluation.stories",
    },
)


def __dir__() -> list[str]:
    return __all__
