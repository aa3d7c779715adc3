"""What leaves the toolkit: the benchmark in every format, packages, and what changed between two.

Functions take a `curation.Workspace`, write to a folder, and return what they wrote.
"""

from curation.records.lazy import importer

TYPE_CHECKING = False  # importing the package costs nothing
if TYPE_CHECKING:
    from exports.browse.collecting import collect_comments as collect_comments
    from exports.browse.writing import view as view
    from exports.browse.writing import write_browse as write_browse
    from exports.data_files import bank as bank
    from exports.data_files import demo as demo
    from exports.data_files import samples as samples
    from exports.differences import diff as diff
    from exports.edition import Edition as Edition
    from exports.edition import open_edition as open_edition
    from exports.harness.tasks import task_folder as task_folder
    from exports.health import doctor as doctor
    from exports.hub_files import hub as hub
    from exports.package_files import package as package
    from exports.recipe_file import read_recipe as read_recipe
    from exports.releases import release_check as release_check
    from exports.replaying import export_recipe as export_recipe
    from exports.replaying import replay as replay
    from exports.survey_files import survey_results as survey_results
    from exports.verification import verify as verify

__getattr__ = importer(__name__)
__dir__ = __getattr__("__dir__")
