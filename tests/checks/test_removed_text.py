"""The rule `removed-text`."""

from curation.model.bank import Label


def test_a_removed_template_with_texts_is_found(make):
    """Label and texts contradict each other."""
    assert make.found(make.pair(label=Label.SAMPLE_REMOVED)) == [
        (
            "removed-text",
            "warning",
            f"bank.csv, row {row}, column label",
            f"{variant} is labelled SR but has texts",
        )
        for row, variant in ((2, "craft-001a"), (3, "craft-001b"))
    ]


def test_a_removed_template_with_source_texts_only_is_right(make):
    """It was not translated."""
    first, second = make.untranslated()
    variants = [
        make.variant(
            str(item.id),
            texts=item.texts,
            source_texts=item.source_texts,
            label=Label.SAMPLE_REMOVED,
        )
        for item in (first, second)
    ]
    assert make.found(variants) == []
