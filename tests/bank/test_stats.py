"""Counting templates and samples by category and label."""

from curation.bank.sample_set import category_counts
from curation.records.bank import Label, Template, TemplateId, Variant, VariantId, VariantLetter


def template(name, label, category=""):
    parsed = TemplateId.parse(name)
    known = Label(label) if label else None
    first = Variant(VariantId(parsed, VariantLetter.A), category or parsed.category, known)
    return Template(parsed, (first,))


BEFORE = [
    template("job-001", "ST"),
    template("age-001", "SR"),
    template("age-002", "TM"),
    template("age-003", "NC"),
    template("age-004", None),
    template("job-002", "ST"),
    template("job-003", "SR"),
]


def test_templates_are_counted_by_category_and_label_with_the_total():
    """Labels are of those left, SR of all; categories come in the bank's order."""
    after = [item for item in BEFORE if str(item.id) in ("job-002", "age-002", "age-004")]
    rows = category_counts(BEFORE, after, {"job": 40, "age": 8, "other": 99})
    assert [tuple(row.values()) for row in rows] == [
        ("job", 1, 0, 1, 0, 0, 2, 1, 40),
        ("age", 1, 1, 0, 0, 1, 3, 2, 8),
        ("Total", 2, 1, 1, 0, 1, 5, 3, 48),
    ]
