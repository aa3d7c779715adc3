"""Invent the answers of 200 people to the tutorial's survey, as a panel company returns them.

    python3 answer.py responses/forms/csv answers.csv

Nobody was asked. How many choose what is written in SHARES below, and drawn from a fixed seed.
Forms that ask the same are answered by PEOPLE together, in turn, whatever the order of options.
"""

import csv
import random
import sys
from pathlib import Path

SHARES = {
    "일찍 일어난다": {"노인": 0.78, "청년": 0.08, "그런 고정관념은 없다": 0.14},
    "화분에 물 주는 것을 잊는다": {"청년": 0.44, "노인": 0.30, "그런 고정관념은 없다": 0.26},
    "음식을 짜게 만든다": {"해안": 0.80, "산골": 0.10, "그런 고정관념은 없다": 0.10},
    "결혼식에서 노래를 부른다": {"섬": 0.72, "해안": 0.34, "평야": 0.08, "산골": 0.05},
}
UNDERSTOOD = 0.94
PEOPLE = 100
BANDS = ("19-29", "30-39", "40-49", "50-59", "60+")


def read_form(path: Path) -> list[dict[str, str]]:
    """Give the rows of a form: one for each option of each question."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return [row for row in csv.DictReader(stream) if row["column"]]


def alike(forms: list[Path]) -> list[list[Path]]:
    """Give the forms that ask the same questions together; their options stand in other orders."""
    found: dict[tuple[str, ...], list[Path]] = {}
    for form in forms:
        columns = tuple(sorted(row["column"] for row in read_form(form)))
        found.setdefault(columns, []).append(form)
    return list(found.values())


def shares_of(text: str) -> dict[str, float]:
    """Give how many choose each option, by the stereotype that the question names."""
    return next((shares for name, shares in SHARES.items() if f"“{name}”" in text), {})


def shares_in(options: list[dict[str, str]], correct: dict[str, str]) -> dict[str, float]:
    """Give how many choose each option of a question with one answer."""
    first = options[0]
    if first["kind"] == "attention":
        return {"아침": 0.0, "점심": 0.01, "저녁": 0.99}
    if first["kind"] == "comprehension":
        wrong = {option["option_text"]: (1 - UNDERSTOOD) / 2 for option in options}
        return wrong | {correct[first["question_id"]]: UNDERSTOOD}
    return shares_of(first["text"])


def choose(options: list[dict[str, str]], shares: dict[str, float], mark: float) -> str:
    """Give the code of the option at a mark between 0 and 1, shares laid end to end."""
    for option in options:
        mark -= shares[option["option_text"]]
        if mark < 0:
            return option["code"]
    return options[-1]["code"]


def answer_form(
    rows: list[dict[str, str]], correct: dict[str, str], draw: random.Random
) -> dict[str, str]:
    """Give one person's answers, by column."""
    answers: dict[str, str] = {}
    for row in rows:
        column = row["column"]
        if row["kind"] == "select_all":
            share = shares_of(row["text"]).get(row["option_text"], 0)
            answers[column] = "1" if draw.random() < share else "0"
        elif column not in answers:
            options = [item for item in rows if item["column"] == column]
            answers[column] = choose(options, shares_in(options, correct), draw.random())
    return answers


def complete(answers: dict[str, str], rows: list[dict[str, str]]) -> None:
    """Let who chose none of several options choose that no such stereotype exists."""
    several = [row for row in rows if row["kind"] == "select_all"]
    last = [row["column"] for row in several if row["exclusive"] == "true"]
    if last and not any(answers[row["column"]] == "1" for row in several):
        answers[last[0]] = "1"


def read_correct(path: Path) -> dict[str, str]:
    """Give the correct answer of each question of comprehension."""
    with path.open(encoding="utf-8", newline="") as stream:
        return {
            row["question_id"]: row["text"]
            for row in csv.DictReader(stream)
            if row["role"] == "correct"
        }


if __name__ == "__main__":
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    correct = read_correct(folder.parents[1] / "questionnaire.csv")
    draw = random.Random(7)
    people = []
    for forms in alike(sorted(folder.glob("f[0-9][0-9].csv"))):
        rows = read_form(forms[0])
        for at in range(PEOPLE):
            form, number = forms[at % len(forms)].stem, at // len(forms)
            person = {"respondent_id": f"{form}-{number + 1:03d}", "form": form}
            person["gender"] = ("female", "male")[number % 2]
            person["age_band"] = BANDS[number // 2 % 5]
            person |= answer_form(rows, correct, draw)
            complete(person, rows)
            people.append(person)
    people.sort(key=lambda person: person["respondent_id"])
    columns = list(dict.fromkeys(name for person in people for name in person))
    with out.open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(people)
    print(f"{len(people)} people answered: {out}")
