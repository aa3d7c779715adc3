"""What each rule says, by the table `rules.yaml`."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from curation.checks.workspace import ALL, run
from curation.languages import Language, load
from curation.records.bank import Label, Texts, VariantId
from curation.records.messages import own_yaml

TABLE = own_yaml(Path(__file__).with_name("rules.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("group", TABLE)
def test_a_rule_says_what_the_table_says(make, group):
    """Of each case, and nothing else of its own kind; each finding tells what to do."""
    name, _, severity = group.partition(" ")
    for case in TABLE[group]:
        every = run(subject_of(make, case))
        assert all(item.hint for item in every), case
        found = [item for item in every if item.rule == name]
        assert {item.severity.value for item in found} <= {severity}, case
        wanted = list(_expected(case.get("found", ())))
        assert [place(item) for item in found] == [where for where, _ in wanted], case
        for item, (_, message) in zip(found, wanted, strict=True):
            assert message in ("", item.message), case
        if "others" in case or name == "clean":
            assert {item.rule for item in every} - {name} == set(case.get("others", ())), case


def test_every_rule_speaks():
    """Nothing joins the catalogue without a case in the table that makes it speak."""
    speaking = {group for group, cases in TABLE.items() if any(case.get("found") for case in cases)}
    assert speaking == {f"{rule.id} {rule.severity.value}" for rule in ALL}


def place(item):
    """Where a finding stands; without the bank's name."""
    file = "" if item.file == "bank.csv" else item.file
    return " ".join(str(part) for part in (file, item.row or "", item.column) if part)


def _expected(entries):
    """Each place with a message, in the order of findings: by row where one entry is of two."""
    listed = []
    for at, entry in enumerate(entries):
        where, _, message = entry.partition(": ")
        rows, _, column = where.partition(" ")
        if rows == "2+3":
            listed += [((row, at), f"{row} {column}", message) for row in (2, 3)]
        else:
            first = int(rows) if rows.isdigit() else 99 * ("." in rows)
            listed.append(((first, at), where, message))
    if any("+" in entry for entry in entries):
        listed.sort(key=lambda item: item[0])
    for _, where, message in listed:
        yield where, message


def subject_of(make, case):
    groups = [_group(make, given) for given in case.get("groups", ())]
    if "all_groups" in case:
        rows = [_group(make, given) for given in case["all_groups"]]
    else:
        rows = make.groups(*groups)
    culture = dict(case.get("culture", {}))
    if "language" in case:
        culture["language"] = case["language"]
    made = make.subject(list(_variants(make, case)), rows, **culture)
    if "decided" in case:
        made = replace(made, decided_with=dict(_settings(case["decided"])))
    if "written" in case:
        code = case["language"]
        file = Path("workspace/languages") / f"{code}.yaml"
        made = replace(made, language=Language(code, load(code).folder, file, case["written"]))
    return made


def _settings(given):
    for key, value in given.items():
        yield key, tuple(value) if isinstance(value, list) else Fraction(value)


def _group(make, given):
    fields = dict(given)
    category = fields.pop("category", "Craft")
    return replace(make.group(fields.pop("group"), **fields), category=category)


def _variants(make, case):
    if "variants" not in case:
        for letter in "ab":
            yield _variant(make, f"1{letter}", {**case.get("both", {}), **case.get(letter, {})})
        return
    for given in case["variants"]:
        fields = {"id": given} if isinstance(given, str) else dict(given)
        yield _variant(make, fields.pop("id"), fields)


def _variant(make, name, given):
    fields = {key: tuple(v) if isinstance(v, list) else v for key, v in given.items()}
    key = VariantId.parse(f"craft-00{name}")
    untranslated, empty = fields.pop("untranslated", False), fields.pop("empty", False)
    of_source, condition = fields.pop("source", None), fields.pop("condition", "")
    if condition:
        fields["names"] += f"; {condition}"
    if "label" in fields:
        fields["label"] = None if fields["label"] is None else Label(fields["label"])
    if "extra" in fields:
        fields["extra"] = tuple(fields["extra"].items())
    if not (untranslated or empty):
        made = make.variant(str(key), **fields)
    else:
        names = {field for field in fields if hasattr(Texts(), field)}
        texts = {field: fields.pop(field) for field in names}
        written = Texts(**texts) if empty else make.texts(key.letter.value, **texts)
        sides = ("texts", "source_texts") if empty else ("source_texts", "texts")
        made = make.variant(str(key), **dict(zip(sides, (written, Texts()), strict=True)))
        made = replace(made, **fields)
    if of_source is not None:
        source = {k: tuple(v) if isinstance(v, list) else v for k, v in of_source.items()}
        made = replace(made, source_texts=make.texts(key.letter.value, **source))
    return made
