"""Run every benchmark: `python -m benchmarks [NAME ...]`."""

import sys

from benchmarks import (
    agreement,
    browse,
    chance,
    check,
    clicking,
    coverage,
    documentation,
    errors,
    evaluation_reports,
    evaluator,
    expansion,
    filtering,
    labelstudio,
    occupations,
    order,
    packaging,
    publishing,
    reading,
    replies,
    report,
    running,
    samples,
    scoring,
    selection,
    startup,
    tracing,
    translation,
)

_ALL = {
    "startup": startup.run,
    "expansion": expansion.run,
    "filter": filtering.run,
    "publishing": publishing.run,
    "packaging": packaging.run,
    "check": check.run,
    "reading": reading.run,
    "replies": replies.run,
    "report": report.run,
    "evaluation reports": evaluation_reports.run,
    "order": order.run,
    "selection": selection.run,
    "translate": translation.run,
    "labelstudio": labelstudio.run,
    "clicks": clicking.run,
    "running": running.run,
    "peers": running.peers,
    "batches": running.batches,
    "scoring": scoring.run,
    "errors": errors.run,
    "coverage": coverage.run,
    "chance": chance.run,
    "occupations": occupations.run,
    "evaluator": evaluator.run,
    "agreement": agreement.run,
    "trace": tracing.run,
    "samples": samples.run,
    "docs": documentation.run,
    "browse": browse.run,
}

if __name__ == "__main__":
    names = sys.argv[1:] or list(_ALL)
    missed = [line for name in names for line in _ALL[name]() if "MISSED" in line]
    sys.exit(1 if missed else 0)
