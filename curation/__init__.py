"""From BBQ's templates to a surveyed, documented benchmark of another culture.

What the toolkit can do with a bank of templates is a function here. Functions take a `Workspace`
(`open_workspace`), return what they found, and raise `CurateError`; they print nothing.
"""

from curation.records.lazy import importer

TYPE_CHECKING = False  # importing the package costs nothing
if TYPE_CHECKING:
    from curation.annotation.classify import collect_labels as collect_labels
    from curation.annotation.classify import label_agreement as label_agreement
    from curation.annotation.classify import label_templates as label_templates
    from curation.annotation.classify import make_classify_sheets as make_classify_sheets
    from curation.annotation.classify import resolve_agenda as resolve_agenda
    from curation.annotation.groups import collect_groups as collect_groups
    from curation.annotation.groups import make_groups_sheet as make_groups_sheet
    from curation.annotation.labelstudio.pull import pull_answers as pull_answers
    from curation.annotation.labelstudio.push import push_tasks as push_tasks
    from curation.annotation.newtemplates import collect_new_templates as collect_new_templates
    from curation.annotation.newtemplates import make_new_sheet as make_new_sheet
    from curation.annotation.suggestions import estimate_suggestions as estimate_suggestions
    from curation.annotation.suggestions import suggest_labels as suggest_labels
    from curation.annotation.translation.collect import collect_pulled as collect_pulled
    from curation.annotation.translation.collect import collect_translations as collect_translations
    from curation.annotation.translation.handed import (
        make_translation_sheets as make_translation_sheets,
    )
    from curation.annotation.translation.run import estimate_translation as estimate_translation
    from curation.annotation.translation.run import run_translation as run_translation
    from curation.annotation.translation.units import translation_status as translation_status
    from curation.bank.removal import delete_templates as delete_templates
    from curation.bank.removal import restore_templates as restore_templates
    from curation.bank.removal import set_aside_templates as set_aside_templates
    from curation.bank.sample_set import SampleSet as SampleSet
    from curation.bank.sample_set import samples as samples
    from curation.checks.workspace import check as check
    from curation.files.workspace import Workspace as Workspace
    from curation.files.workspace import open_workspace as open_workspace
    from curation.importing import import_templates as import_templates
    from curation.initial import copy_demo as copy_demo
    from curation.initial import init_workspace as init_workspace
    from curation.records.messages import CurateError as CurateError
    from curation.records.messages import Finding as Finding
    from curation.tracing.trace import Trace as Trace
    from curation.tracing.trace import TracedSample as TracedSample
    from curation.tracing.trace import trace as trace

__version__ = "0.1.0"
DATA_FORMAT = 1
"""Version of the files that are exported: it rises when a column changes its name or meaning."""

__getattr__ = importer(__name__)
__dir__ = __getattr__("__dir__")
