"""How many templates and samples a workspace has, before the survey and after it."""

from curation.bank.sample_set import COUNTED, LARGE, Counts, SampleSet, category_counts
from curation.files.workspace import Workspace
from curation.records.messages import Results
from survey.bank import FinalBank, final_bank


def stats(workspace: Workspace, final: FinalBank | None = None) -> Results:
    """Count templates and samples of a workspace.

    Templates that cannot be filled are listed, not counted.

    Args:
        workspace: The workspace.
        final: Its final bank, or a part of it; the one that its files say by default.

    Returns:
        Templates and samples by category.

        - `rows`: The table, as `category_counts` gives it, the total last.
        - `templates`: Every template that can be filled, in the order of the bank, with its
          `fillings`, the samples that are `possible` by them all, those that are written
          (`samples`), those that repeat others and never are (`duplicates`), and whether it
          explodes (`large`).
        - `limit`: The maximum number of samples of an export (`samples.limit`).
        - `exceeds_limit`: Whether there are more samples than that.
        - `findings`: The templates that cannot be filled, which are not counted, with what is
          wrong.

    Raises:
        CurateError: If bank, groups or settings cannot be read.
    """
    final = final or final_bank(workspace)
    settings = workspace.culture.samples
    made = SampleSet(workspace, tuple(final.fillable), None, settings).plan()
    counts: list[Counts] = [
        {
            "template_id": str(item.template.id),
            "category": item.template.category,
            "fillings": item.fillings,
            "possible": item.possible,
            "samples": made.written(item),
            "duplicates": made.duplicates_of(item),
            "large": made.written(item) > LARGE,
        }
        for item in made.templates
    ]
    by_category = made.count()
    values = {
        "rows": category_counts(final.before, final.templates, by_category),
        "templates": counts,
        "limit": settings.limit,
        "exceeds_limit": by_category.total() > settings.limit,
        "findings": made.faults,
    }
    return Results(values, {"rows": ("category", *COUNTED)})
