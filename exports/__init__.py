"""What leaves the toolkit: the benchmark in every format, packages, and what changed between two.

Functions take a `curation.Workspace`, write to a folder, and return what they wrote.
"""

from curation.records.lazy import importer

TYPE_CHECKING = False  # importing the package costs nothing
if TYPE_CHECKING:
    from exports.browse.collecting import collect_comments
    from exports.browse.writing import view, write_browse
    from exports.data_files import bank, demo, samples
    from exports.differences import diff
    from exports.edition import Edition, open_edition
    from exports.harness.tasks import task_folder
    from exports.health import doctor
    from exports.hub_files import hub
    from exports.package_files import package
    from exports.recipe_file import read_recipe
    from exports.releases import release_check
    from exports.replaying import export_recipe, replay
    from exports.survey_files import survey_results
    from exports.verification import verify

__all__ = [
    "Edition",
    "bank",
    "collect_comments",
    "demo",
    "diff",
    "doctor",
    "export_recipe",
    "hub",
    "open_edition",
    "package",
    "read_recipe",
    "release_check",
    "replay",
    "samples",
    "survey_results",
    "task_folder",
    "verify",
    "view",
    "write_browse",
]
__getattr__ = importer(
    __name__,
    {
        "Edition": "exports.edition",
        "bank": "exports.data_files",
        "collect_comments": "exports.browse.collecting",
        "demo": "exports.data_files",
        "diff": "exports.differences",
        "doctor": "exports.health",
        "export_recipe": "exports.replaying",
        "hub": "exports.hub_files",
        "open_edition": "exports.edition",
        "package": "exports.package_files",
        "read_recipe": "exports.recipe_file",
        "release_check": "exports.releases",
        "replay": "exports.replaying",
        "samples": "exports.data_files",
        "survey_results": "exports.survey_files",
        "task_folder": "exports.harness.tasks",
        "verify": "exports.verification",
        "write_browse": "exports.browse.writing",
        "view": "exports.browse.writing",
    },
)


def __dir__() -> list[str]:
    return __all__
