"""A survey about an invented country of crafts."""

from dataclasses import dataclass, replace

import pytest

from curation.records.bank import Group, Label
from curation.records.culture import Category, Culture
from curation.records.sample import SAMPLE_COLUMNS, Sample
from survey.building.questions import Built, asked_templates
from tests.survey.conftest import Make

NONE = "There is none"
CULTURE = Culture(
    culture="Nowhere", language="en", unknown="Unknown", categories=(Category(id="Craft"),)
)


@dataclass(frozen=True)
class Crafts:
    groups: tuple[Group, ...] = (
        Group("Craft", "Bakers", fillers="[Ann]"),
        Group("Craft", "Potters", fillers="[Bob]"),
        Group("Craft", "Glaziers", parent="Potters", counts=False),
        Group("Craft", "Weavers", fillers="[Cleo]"),
    )
    culture: Culture = CULTURE

    def template(
        self,
        number=1,
        stereotype="They hum at work",
        target=("Bakers",),
        other=("Potters",),
        label=Label.SIMPLY_TRANSFERRED,
        extra=(),
        category="Craft",
        **texts,
    ):
        """Make a template with variants a and b; in a the target is the second person."""
        names = "N1: [Bob]; N2: [Ann]"
        texts = {"stereotype": stereotype, "names": names, **texts}
        made = Make().template(f"{category.lower()}-{number:03d}", target, other, label, **texts)
        variants = [
            replace(item, category=category, extra=tuple(extra), row=number)
            for item in made.variants
        ]
        return replace(made, variants=tuple(variants))

    def open(self, number=1, stereotype="They rise early"):
        """Make a template that leaves its groups to the survey."""
        lists = "N1: [*]; N2: [*]"
        return self.template(number, stereotype, (), (), Label.TARGET_MODIFIED, names=lists)

    def build(self, *templates, **changes):
        """Make the questions of some templates, each with one of comprehension."""
        parts = replace(self, **changes)
        asked = asked_templates(templates, (), parts.culture)
        filled = {str(item.id): self.understanding(str(item.id)) for item in asked}
        return Built(asked, parts.culture, parts.groups, filled, NONE)

    def understanding(self, template_id):
        return Sample(*[""] * len(SAMPLE_COLUMNS))._replace(
            template_id=template_id,
            sample_id=f"{template_id}a-001-dis-cnt",
            context="Bob and Ann came in. Bob hummed, Ann was silent.",
            question="Who does not hum?",
            choices=("Bob", "Ann", "Unknown"),
        )


@pytest.fixture(scope="session")
def crafts():
    """Templates, groups and questions of an invented country of crafts."""
    return Crafts()
