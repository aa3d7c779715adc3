"""From BBQ's templates to a surveyed, documented benchmark of another culture.

What the toolkit can do with a bank of templates is a function here. Functions take a `Workspace`
(`open_workspace`), return what they found, and raise `CurateError`; they print nothing.
"""

from curation.records.lazy import importer

TYPE_CHECKING = False  # importing the package costs nothing
if TYPE_CHECKING:
    from curation.annotation.classify import (
        collect_labels,
        label_agreement,
        make_classify_sheets,
        resolve_agenda,
        resolve_one,
    )
    from curation.annotation.groups import collect_groups, make_groups_sheet
    from curation.annotation.labelstudio.pull import pull_answers
    from curation.annotation.labelstudio.push import push_tasks
    from curation.annotation.newtemplates import collect_new_templates, make_new_sheet
    from curation.annotation.suggestions import estimate_suggestions, suggest_labels
    from curation.annotation.translation.collect import collect_pulled, collect_translations
    from curation.annotation.translation.run import estimate_translation, run_translation
    from curation.annotation.translation.sheet import make_translation_sheets
    from curation.annotation.translation.table import translation_status
    from curation.bank.removal import delete_templates, restore_templates, set_aside_templates
    from curation.bank.sample_set import SampleSet, samples
    from curation.bank.stats import Stats, stats
    from curation.checks.workspace import Checked, check
    from curation.files.workspace import Workspace, open_workspace
    from curation.importing import ImportResult, import_templates
    from curation.initial import copy_demo, init_workspace
    from curation.records.messages import CurateError, Finding
    from curation.tracing.trace import Trace, TracedSample, trace

__version__ = "0.1.0"
DATA_FORMAT = 1
"""Version of the files that are exported: it rises when a column changes its name or meaning."""

__all__ = [
    "Checked",
    "CurateError",
    "Finding",
    "ImportResult",
    "SampleSet",
    "Stats",
    "Trace",
    "TracedSample",
    "Workspace",
    "check",
    "collect_groups",
    "collect_labels",
    "collect_new_templates",
    "collect_pulled",
    "collect_translations",
    "copy_demo",
    "delete_templates",
    "estimate_suggestions",
    "estimate_translation",
    "import_templates",
    "init_workspace",
    "label_agreement",
    "make_classify_sheets",
    "make_groups_sheet",
    "make_new_sheet",
    "make_translation_sheets",
    "open_workspace",
    "pull_answers",
    "push_tasks",
    "resolve_agenda",
    "resolve_one",
    "restore_templates",
    "run_translation",
    "samples",
    "set_aside_templates",
    "stats",
    "suggest_labels",
    "trace",
    "translation_status",
]
__getattr__ = importer(
    __name__,
    {
        "Checked": "curation.checks.workspace",
        "CurateError": "curation.records.messages",
        "Finding": "curation.records.messages",
        "ImportResult": "curation.importing",
        "SampleSet": "curation.bank.sample_set",
        "Stats": "curation.bank.stats",
        "Trace": "curation.tracing.trace",
        "TracedSample": "curation.tracing.trace",
        "Workspace": "curation.files.workspace",
        "check": "curation.checks.workspace",
        "collect_groups": "curation.annotation.groups",
        "collect_labels": "curation.annotation.classify",
        "collect_new_templates": "curation.annotation.newtemplates",
        "collect_pulled": "curation.annotation.translation.collect",
        "collect_translations": "curation.annotation.translation.collect",
        "copy_demo": "curation.initial",
        "delete_templates": "curation.bank.removal",
        "estimate_suggestions": "curation.annotation.suggestions",
        "estimate_translation": "curation.annotation.translation.run",
        "import_templates": "curation.importing",
        "init_workspace": "curation.initial",
        "label_agreement": "curation.annotation.classify",
        "make_classify_sheets": "curation.annotation.classify",
        "make_groups_sheet": "curation.annotation.groups",
        "make_new_sheet": "curation.annotation.newtemplates",
        "make_translation_sheets": "curation.annotation.translation.sheet",
        "open_workspace": "curation.files.workspace",
        "pull_answers": "curation.annotation.labelstudio.pull",
        "push_tasks": "curation.annotation.labelstudio.push",
        "resolve_agenda": "curation.annotation.classify",
        "resolve_one": "curation.annotation.classify",
        "restore_templates": "curation.bank.removal",
        "run_translation": "curation.annotation.translation.run",
        "samples": "curation.bank.sample_set",
        "set_aside_templates": "curation.bank.removal",
        "stats": "curation.bank.stats",
        "suggest_labels": "curation.annotation.suggestions",
        "trace": "curation.tracing.trace",
        "translation_status": "curation.annotation.translation.table",
    },
)


def __dir__() -> list[str]:
    return __all__
