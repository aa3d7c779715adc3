"""Invent the answers of 80 people to the Spanish survey, as a panel company returns them.

    python3 answer.py responses/forms/csv counts.csv answers.csv

Nobody was asked. COUNTS says how many of 40 people choose an option of a stereotype; the other
questions are understood by 38 of them, unless it names the question. The 40 answer, in turn, the
forms that ask the same in other orders of the options.
"""

import csv
import sys
from pathlib import Path

PEOPLE = 40
UNDERSTOOD = 38
STEP = 7
BANDS = ("19-29", "30-39", "40-49", "50-59", "60+")
Rows = list[dict[str, str]]
Counts = dict[tuple[str, str], int]


def read(path: Path) -> Rows:
    """Give the rows of a table."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def chosen_by(question: Rows, counts: Counts, correct: dict[str, str]) -> dict[str, int]:
    """Give how many people choose each option of a question."""
    first = question[0]
    names = [row["option_text"] for row in question]
    if first["kind"] == "attention":
        return {name: PEOPLE if name == "Tarde" else 0 for name in names}
    if first["kind"] == "comprehension":
        right = correct[first["question_id"]]
        understood = counts.get((first["question_id"], "correct"), UNDERSTOOD)
        wrong = next(name for name in names if name != right)
        return {right: understood, wrong: PEOPLE - understood}
    stereotype = first["text"].partition("«")[2].partition("»")[0]
    return {name: counts.get((stereotype, name), 0) for name in names}


def answer(people: list[dict[str, str]], question: Rows, chosen: dict[str, int], at: int) -> None:
    """Write down who chooses what; at each question it begins with somebody else."""
    order = [people[(at * STEP + number) % PEOPLE] for number in range(PEOPLE)]
    if question[0]["kind"] == "select_all":
        for row in question:
            count = chosen.get(row["option_text"], 0)
            who = order[PEOPLE - count :] if row["exclusive"] == "true" else order[:count]
            for person in order:
                person[row["column"]] = "1" if any(person is one for one in who) else "0"
        return
    for row in question:
        count = chosen.get(row["option_text"], 0)
        for person in order[:count]:
            person[row["column"]] = row["code"]
        order = order[count:]


def alike(forms: list[Path]) -> list[list[Path]]:
    """Give the forms that ask the same questions together."""
    found: dict[tuple[str, ...], list[Path]] = {}
    for form in forms:
        columns = tuple(sorted(row["column"] for row in read(form)))
        found.setdefault(columns, []).append(form)
    return list(found.values())


def person_of(forms: list[Path], at: int) -> dict[str, str]:
    """Give one of the people who answer some forms in turn, of each form as its quotas ask."""
    form, number = forms[at % len(forms)].stem, at // len(forms)
    return {
        "respondent_id": f"{form}-{number + 1:03d}",
        "form": form,
        "gender": ("female", "male")[number % 2],
        "age_band": BANDS[number // 2 % 5],
    }


def answer_forms(forms: list[Path], counts: Counts, correct: dict[str, str]) -> Rows:
    """Give the answers of the people of forms that ask the same."""
    people = [person_of(forms, at) for at in range(PEOPLE)]
    questions: dict[str, Rows] = {}
    for row in read(forms[0]):
        if row["column"]:
            questions.setdefault(row["question_id"] or row["kind"], []).append(row)
    for at, question in enumerate(questions.values()):
        answer(people, question, chosen_by(question, counts, correct), at)
    return people


if __name__ == "__main__":
    folder, out = Path(sys.argv[1]), Path(sys.argv[3])
    counts = {
        (row["stereotype"], row["option"]): int(row["people"]) for row in read(Path(sys.argv[2]))
    }
    correct = {
        row["question_id"]: row["text"]
        for row in read(folder.parents[1] / "questionnaire.csv")
        if row["role"] == "correct"
    }
    every = [
        person
        for forms in alike(sorted(folder.glob("f[0-9][0-9].csv")))
        for person in answer_forms(forms, counts, correct)
    ]
    every.sort(key=lambda person: person["respondent_id"])
    columns = list(dict.fromkeys(name for person in every for name in person))
    with out.open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(every)
    print(f"{len(every)} people answered: {out}")
