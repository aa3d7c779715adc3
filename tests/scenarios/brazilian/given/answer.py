"""Answer each form of Google Forms as people would, and write the sheets that it gives back.

    python3 answer.py responses/forms/google OUT

A heading is a question's title, a cell the text of the option, as in Brazil: semicolons, a mark at
the beginning, the time in Portuguese. Of ten people nine choose the group that is written here.
"""

import csv
import json
import sys
from pathlib import Path

CHOSEN = ("idosos", "jovens", "praianos", "Noite", "19-29", "Mulher")
PEOPLE = 60


def chosen(step, person, correct):
    options = [str(option) for option in step["options"]]
    title = str(step["title"])
    if "regar as plantas" in title:
        return "jovens" if person % 10 else options[-1]
    wanted = [option for option in options if option in CHOSEN or option in correct]
    if len(wanted) > 1:
        wanted = ["idosos"]
    return wanted[0] if person % 10 or "Noite" in wanted else options[-1]


def main():
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    with (folder.parents[1] / "questionnaire.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    correct = {row["text"] for row in rows if row["role"] == "correct"}
    for script in sorted(folder.glob("f*.gs")):
        text = script.read_text(encoding="utf-8")
        data = json.loads(text.partition("SURVEY = ")[2].partition(";\n\nfunction")[0])
        asked = [step for step in data["steps"] if step["kind"] != "section"]
        path = out / f"{script.stem}.csv"
        with path.open("w", encoding="utf-8-sig", newline="") as stream:
            table = csv.writer(stream, delimiter=";")
            table.writerow(["Carimbo de data/hora", *(step["title"] for step in asked)])
            for person in range(PEOPLE):
                time = f"01/03/2026 10:{person:02d}:00"
                table.writerow([time, *(chosen(step, person, correct) for step in asked)])


if __name__ == "__main__":
    main()
