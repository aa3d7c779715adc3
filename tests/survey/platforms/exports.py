"""People who answered the tiny survey, and what each platform gives back of them."""

import csv
import json
import random
from dataclasses import dataclass

import openpyxl

from survey.platforms.kit import Check, FormItem
from tests.survey.readers.population import put


@dataclass(frozen=True)
class Person:
    """One respondent; `answers` holds by question the codes chosen, none where left blank."""

    id: str
    form: str
    region: str
    passed: bool
    answers: dict[str, tuple[str, ...]]


def people(kit, count=30):
    """Draw people, the same ones each time; some leave a question blank or fail the check."""
    rng = random.Random(count)  # noqa: S311  # a seeded draw
    found = []
    for at in range(count):
        sheet = kit.sheets[at % len(kit.sheets)]
        answers = {item.question.id: _chosen(item, rng) for item in sheet.items}
        name = f"{sheet.id}-{at // len(kit.sheets) + 1}"
        region = rng.choice(["east", "west", "west"])
        found.append(Person(name, sheet.id, region, rng.random() < 0.9, answers))
    return found


def _chosen(item, rng):
    codes = [option.code for option in item.question.options]
    if rng.random() < 0.15:
        return ()
    if item.is_multiple and rng.random() < 0.8:
        return tuple(sorted(rng.sample(codes[:-1], rng.randrange(1, len(codes)))))
    return (rng.choice(codes),)


def normal_form(kit, persons, *, positions=False):
    """Write the answers in normal form, by the rules of the documentation alone."""
    items = {sheet.id: {i.question.id: i for i in sheet.items} for sheet in kit.sheets}
    order = [i.question for s in kit.sheets[:1] for i in s.items]
    lines = ["respondent_id,question_id,kind,option,state,position,duration_s"]
    for person in sorted(persons, key=lambda person: person.id):
        for question in order:
            item = items[person.form].get(question.id)
            if item is None:
                continue
            chosen = person.answers[question.id]
            for at, option in enumerate(question.options):
                state = "selected" if option.code in chosen else "shown"
                state = state if chosen else "missing"
                place = str(item.order.index(at) + 1) if positions else ""
                cells = (person.id, question.id, question.kind.value, option.code, state, place, "")
                lines.append(",".join(cells))
    return ("\n".join(lines) + "\n").encode()


def _numbered(item, code):
    return str([option.code for option in item.question.options].index(code) + 1)


def _texts(item):
    return {option.code: option.text for option in item.question.options}


def _boxes(item, chosen, yes, no):
    """The cells of a question with a column for each option."""
    if not chosen:
        return [""] * len(item.question.options)
    return [yes[o.code] if o.code in chosen else no for o in item.question.options]


def _mine(persons, sheet):
    return [person for person in persons if person.form == sheet.id]


REGIONS = {"east": ("1", "East & all"), "west": ("2", "west")}


def write_qualtrics(folder, kit, persons, *, by_text=False):
    """A file a form: three header rows; numbers, or the texts that were shown."""
    written = []
    for sheet in kit.sheets:
        own = ["StartDate", "Status", "IPAddress", "Finished", "ResponseId", "form", "region"]
        names = [*own, "Duration (in seconds)"]
        for step in kit.steps(sheet):
            if isinstance(step, Check):
                names.append("attention")
            elif isinstance(step, FormItem):
                tag = step.question.id.replace("-", "_")
                size = len(step.question.options) if step.is_multiple else 0
                names += [f"{tag}_{at + 1}" for at in range(size)] or [tag]
        rows = [names, [f"text of {name}" for name in names]]
        rows.append([json.dumps({"ImportId": f"QID{at}"}) for at, _ in enumerate(names)])
        for person in _mine(persons, sheet):
            status = ["IP Address", "192.0.2.1", "True"] if by_text else ["0", "192.0.2.1", "1"]
            region = REGIONS[person.region][by_text]
            cells = ["2026-01-01", *status, person.id, sheet.id, region, "61"]
            for step in kit.steps(sheet):
                if isinstance(step, Check):
                    cells.append(_checked(step, person, by_text=by_text))
                elif isinstance(step, FormItem):
                    cells += _qualtrics(step, person.answers[step.question.id], by_text=by_text)
            rows.append(cells)
        path = put(folder / f"qualtrics-{sheet.id}.csv", rows)
        written.append((path, f"{sheet.id}.mapping.yaml"))
    return written


def _checked(check, person, *, by_text):
    at = check.answer if person.passed else (check.answer + 1) % len(check.options)
    return check.options[at] if by_text else str(at + 1)


def _qualtrics(item, chosen, *, by_text):
    texts = _texts(item)
    if item.is_multiple:
        return _boxes(item, chosen, texts if by_text else dict.fromkeys(texts, "1"), "")
    if not chosen:
        return ["-99"]
    return [texts[chosen[0]] if by_text else _numbered(item, chosen[0])]


def write_limesurvey(folder, kit, persons):
    """A file a form: all cells quoted, codes; responses counted from 1 in each."""
    written = []
    for sheet in kit.sheets:
        names = ["id", "submitdate", "lastpage", "startlanguage", "seed", "region"]
        for step in kit.steps(sheet):
            if isinstance(step, Check):
                names.append("ATT")
            elif isinstance(step, FormItem):
                size = len(step.question.options) if step.is_multiple else 0
                boxes = [f"{step.code}[SQ{at + 1:03d}]" for at in range(size)]
                names += boxes or [step.code]
        rows = [[*names, "interviewtime", "groupTime1", "Q001Time"]]
        for person in _mine(persons, sheet):
            number = person.id.partition("-")[2]
            cells = [number, "2026-01-01 10:00:00", "9", "en", "1"]
            cells.append(f"A{REGIONS[person.region][0]}")
            for step in kit.steps(sheet):
                if isinstance(step, Check):
                    cells.append(f"A{_checked(step, person, by_text=False)}")
                elif isinstance(step, FormItem):
                    chosen = person.answers[step.question.id]
                    if step.is_multiple:
                        cells += _boxes(step, chosen, dict.fromkeys(_texts(step), "Y"), "")
                    else:
                        cells.append(f"A{_numbered(step, chosen[0])}" if chosen else "")
            rows.append([*cells, "61", "30", "3"])
        path = folder / f"limesurvey-{sheet.id}.csv"
        how = {"quoting": csv.QUOTE_ALL, "encoding": "utf-8-sig", "lineterminator": "\r\n"}
        written.append((put(path, rows, **how), f"{sheet.id}.mapping.yaml"))
    return written


def write_label_studio(folder, kit, persons):
    """A file a form: the task's own fields, then what was chosen, then who and when."""
    written = []
    for sheet in kit.sheets:
        task = json.loads((folder / "label_studio" / f"{sheet.id}.tasks.json").read_text("utf-8"))
        data = task[0]["data"]
        asked = [step for step in kit.steps(sheet) if isinstance(step, Check | FormItem)]
        names = ["attention" if isinstance(step, Check) else step.code for step in asked]
        tail = ["id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"]
        rows = [[*data, "region", *names, *tail]]
        for number, person in enumerate(_mine(persons, sheet)):
            cells = [*map(str, data.values()), person.region]
            for step in asked:
                if isinstance(step, Check):
                    cells.append(_checked(step, person, by_text=False))
                    continue
                chosen = list(person.answers[step.question.id])
                several = json.dumps({"choices": chosen})
                cells.append(several if len(chosen) > 1 else "".join(chosen))
            time = "2026-01-01T10:00:00Z"
            rows.append([*cells, "1", person.id, str(number), time, time, "61.5"])
        path = put(folder / f"label_studio-{sheet.id}.csv", rows)
        written.append((path, f"{sheet.id}.mapping.yaml"))
    return written


def write_workbook(folder, kit, persons):
    """The workbook itself, filled in: a sheet a form."""
    path = folder / "workbook" / "forms.xlsx"
    book = openpyxl.load_workbook(path)
    for sheet in kit.sheets:
        form = book[sheet.id]
        places = {cell.value: cell.column for cell in form[1]}
        for row, person in enumerate(_mine(persons, sheet), start=4):
            cells = {"respondent_id": person.id, "region": REGIONS[person.region][1]}
            cells["attention"] = _checked(kit.check, person, by_text=True)
            for item in sheet.items:
                chosen, texts = person.answers[item.question.id], _texts(item)
                if item.is_multiple:
                    cells |= {f"{item.code}_{code}": "x" for code in chosen}
                elif chosen:
                    text = texts[chosen[0]]
                    cells[item.code] = f"'{text}" if text.startswith("=") else text
            for name, value in cells.items():
                form.cell(row, places[name], value)
    filled = folder / "filled.xlsx"
    book.save(filled)
    return [(filled, f"{sheet.id}.mapping.yaml") for sheet in kit.sheets]


def company_rows(kit, persons, sheets):
    """The columns of the codebook; blank where nothing was answered or asked."""
    items = {item.code: item for sheet in sheets for item in sheet.items}
    names = ["respondent_id", "form", "region", "attention"]
    for code, item in sorted(items.items()):
        size = len(item.question.options) if item.is_multiple else 0
        names += [f"{code}_{at + 1}" for at in range(size)] or [code]
    rows = [names]
    for person in persons:
        cells = [person.id, person.form, person.region]
        cells.append(_checked(kit.check, person, by_text=False))
        for _, item in sorted(items.items()):
            chosen = person.answers.get(item.question.id, ())
            if item.is_multiple:
                cells += _boxes(item, chosen, dict.fromkeys(_texts(item), "1"), "0")
            else:
                cells.append(_numbered(item, chosen[0]) if chosen else "")
        rows.append(cells)
    return rows


def write_company(folder, kit, persons):
    return [
        (
            put(
                folder / f"company-{sheet.id}.csv",
                company_rows(kit, _mine(persons, sheet), [sheet]),
            ),
            f"{sheet.id}.mapping.yaml",
        )
        for sheet in kit.sheets
    ]


def write_joint(folder, kit, persons):
    rows = company_rows(kit, persons, kit.sheets)
    return [(put(folder / "company-all.csv", rows), "all.mapping.yaml")]


def write_google(folder, kit, persons):
    """A sheet a form, as its script makes it: titles as headings, texts as cells."""
    written = []
    for sheet in kit.sheets:
        script = (folder / "google" / f"{sheet.id}.gs").read_text("utf-8")
        data = json.loads(script.partition("SURVEY = ")[2].partition(";\n\nfunction")[0])
        asked = [step for step in data["steps"] if step["kind"] != "section"]
        rows = [["Timestamp", *(step["title"] for step in asked)]]
        steps = [step for step in kit.steps(sheet) if isinstance(step, Check | FormItem)]
        for person in _mine(persons, sheet):
            cells = ["2026/01/01 10:00:00 AM GMT+1", REGIONS[person.region][1]]
            for step in steps:
                if isinstance(step, Check):
                    cells.append(_checked(step, person, by_text=True))
                else:
                    texts = _texts(step)
                    chosen = person.answers[step.question.id]
                    cells.append(", ".join(texts[code] for code in chosen))
            rows.append(cells)
        path = put(folder / f"google-{sheet.id}.csv", rows)
        written.append((path, f"{sheet.id}.mapping.yaml"))
    return written


def write_kobo(folder, kit, persons):
    """A file a form: XML names, a multi-select joined by blanks and once more by option."""
    written = []
    for sheet in kit.sheets:
        book = openpyxl.load_workbook(folder / "xlsform" / f"{sheet.id}.xlsx")
        fields = [row[:2] for row in book["survey"].iter_rows(min_row=2, values_only=True)]
        items = {item.code: item for item in sheet.items}
        names = []
        for kind, name in fields:
            codes = (
                [option.code for option in items[name].question.options] if name in items else []
            )
            names += [name, *(f"{name}/{c}" for c in codes if kind.startswith("select_multiple"))]
        rows = [[*names, "_id", "_uuid", "_submission_time", "_index"]]
        for at, person in enumerate(_mine(persons, sheet), start=1):
            known = {
                "start": "2026-01-01T10:00:00.000+01:00",
                "end": "2026-01-01T10:01:01.000+01:00",
            }
            known |= {"form": sheet.id, "region": REGIONS[person.region][0]}
            known["attention"] = _checked(kit.check, person, by_text=False)
            for code, item in items.items():
                chosen = person.answers[item.question.id]
                known[code] = " ".join(chosen)
                for option in item.question.options if chosen else ():
                    known[f"{code}/{option.code}"] = str(int(option.code in chosen))
            cells = [known.get(name, "") for name in names]
            rows.append([*cells, str(7000 + at), person.id, "2026-01-01T10:02:00", str(at)])
        path = put(folder / f"kobo-{sheet.id}.csv", rows, delimiter=";", encoding="utf-8-sig")
        written.append((path, f"{sheet.id}.mapping.yaml"))
    return written


def write_surveyjs(folder, kit, persons):
    """A list a form: what was not answered is not there, several options are a list."""
    written = []
    for sheet in kit.sheets:
        form = json.loads((folder / "surveyjs" / f"{sheet.id}.json").read_text("utf-8"))
        assert form["calculatedValues"][0]["expression"] == f"'{sheet.id}'"
        found = []
        for person in _mine(persons, sheet):
            result = {"region": person.region}
            result["attention"] = _checked(kit.check, person, by_text=False)
            for item in sheet.items:
                chosen = list(person.answers[item.question.id])
                if chosen:
                    result[item.code] = chosen if item.is_multiple else chosen[0]
            found.append({**result, "form": sheet.id})
        path = folder / f"surveyjs-{sheet.id}.json"
        path.write_text(json.dumps(found, ensure_ascii=False), "utf-8")
        written.append((path, f"{sheet.id}.mapping.yaml"))
    return written


EXPORTS = {
    "qualtrics-numbers": ("qualtrics", write_qualtrics),
    "qualtrics-texts": (
        "qualtrics",
        lambda folder, kit, persons: write_qualtrics(folder, kit, persons, by_text=True),
    ),
    "limesurvey": ("limesurvey", write_limesurvey),
    "label-studio": ("label_studio", write_label_studio),
    "workbook": ("workbook", write_workbook),
    "google": ("google", write_google),
    "kobo": ("xlsform", write_kobo),
    "surveyjs": ("surveyjs", write_surveyjs),
    "csv": ("csv", write_company),
    "csv-joint": ("csv", write_joint),
}
"""By name, the platform of the form and what writes the files, each with its mapping."""
