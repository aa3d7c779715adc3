"""People who answered the tiny survey, and what each platform gives back of them."""

import csv
import json
import random
from dataclasses import dataclass
from itertools import chain

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


REGIONS = {"east": ("1", "East & all"), "west": ("2", "west")}


def asked(kit, sheet):
    """The questions of a form and its check, step by step."""
    return [step for step in kit.steps(sheet) if isinstance(step, Check | FormItem)]


def columns(step, name, box):
    """A column, or one for each option of a multi-select."""
    several = enumerate(step.question.options, 1) if step.is_multiple else ()
    return [box.format(name, at) for at, _ in several] or [name]


def cells(step, person, *, by_text=False, before="", yes="1", no="", none=""):
    """What stands in them: texts, or numbers and marks; nothing in those of a blank question."""
    if isinstance(step, Check):
        at = step.answer if person.passed else (step.answer + 1) % len(step.options)
        return [step.options[at] if by_text else f"{before}{at + 1}"]
    chosen = person.answers.get(step.question.id, ())
    named = [
        (one.text if by_text else yes if step.is_multiple else f"{before}{at}", one.code in chosen)
        for at, one in enumerate(step.question.options, 1)
    ]
    if step.is_multiple:
        return [(text if ticked else no) if chosen else "" for text, ticked in named]
    return [text for text, ticked in named if ticked] or [none]


def joined(step, person):
    """The texts of what was chosen in one cell."""
    return ", ".join(filter(None, cells(step, person, by_text=True)))


def of_each_form(name, rows, **how):
    """Writes a file a form, of rows that a function gives."""

    def write(folder, kit, persons):
        written = []
        for sheet in kit.sheets:
            mine = [person for person in persons if person.form == sheet.id]
            path = put(folder / f"{name}-{sheet.id}.csv", rows(folder, kit, sheet, mine), **how)
            written.append((path, f"{sheet.id}.mapping.yaml"))
        return written

    return write


def qualtrics(kit, sheet, persons, *, by_text):
    """Three header rows; numbers, or the texts that were shown."""
    steps = asked(kit, sheet)
    own = ["StartDate", "Status", "IPAddress", "Finished", "ResponseId", "form", "region"]
    names = [*own, "Duration (in seconds)"]
    for step in steps:
        tag = "attention" if isinstance(step, Check) else step.question.id.replace("-", "_")
        names += columns(step, tag, "{}_{}")
    yield from (names, [f"text of {name}" for name in names])
    yield [json.dumps({"ImportId": f"QID{at}"}) for at, _ in enumerate(names)]
    status = ["IP Address", "192.0.2.1", "True"] if by_text else ["0", "192.0.2.1", "1"]
    for person in persons:
        mine = (cells(step, person, by_text=by_text, none="-99") for step in steps)
        about = ["2026-01-01", *status, person.id, sheet.id, REGIONS[person.region][by_text], "61"]
        yield [*about, *chain.from_iterable(mine)]


def limesurvey(_folder, kit, sheet, persons):
    """All cells quoted, codes; responses counted from 1 in each form."""
    steps = asked(kit, sheet)
    boxes = (
        columns(step, "ATT" if isinstance(step, Check) else step.code, "{}[SQ{:03d}]")
        for step in steps
    )
    names = ["id", "submitdate", "lastpage", "startlanguage", "seed", "region"]
    yield [*names, *chain.from_iterable(boxes), "interviewtime", "groupTime1", "Q001Time"]
    for person in persons:
        about = [person.id.partition("-")[2], "2026-01-01 10:00:00", "9", "en", "1"]
        mine = (cells(step, person, before="A", yes="Y") for step in steps)
        region = f"A{REGIONS[person.region][0]}"
        yield [*about, region, *chain.from_iterable(mine), "61", "30", "3"]


def label_studio(folder, kit, sheet, persons):
    """The task's own fields, then what was chosen, then who and when."""
    task = json.loads((folder / "label_studio" / f"{sheet.id}.tasks.json").read_text("utf-8"))
    data, steps = task[0]["data"], asked(kit, sheet)
    tail = ["id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"]
    yield [*data, "region", *(step.name for step in steps), *tail]
    for number, person in enumerate(persons):
        row = [*map(str, data.values()), person.region]
        for step in steps:
            chosen = cells(step, person)
            if isinstance(step, FormItem):
                chosen = list(person.answers[step.question.id])
            several = json.dumps({"choices": chosen})
            row.append(several if len(chosen) > 1 else "".join(chosen))
        time = "2026-01-01T10:00:00Z"
        yield [*row, "1", person.id, str(number), time, time, "61.5"]


def write_workbook(folder, kit, persons):
    """The workbook itself, filled in: a sheet a form."""
    book = openpyxl.load_workbook(folder / "workbook" / "forms.xlsx")
    for sheet in kit.sheets:
        form = book[sheet.id]
        places = {cell.value: cell.column for cell in form[1]}
        mine = (person for person in persons if person.form == sheet.id)
        for row, person in enumerate(mine, start=4):
            filled = {"respondent_id": person.id, "region": REGIONS[person.region][1]}
            for step in asked(kit, sheet):
                if step.is_multiple:
                    chosen = person.answers[step.question.id]
                    filled |= {f"{step.code}_{code}": "x" for code in chosen}
                else:
                    (text,) = cells(step, person, by_text=True)
                    filled[step.name] = f"'{text}" if text.startswith("=") else text
            for name, value in filled.items():
                form.cell(row, places[name], value or None)
    book.save(folder / "filled.xlsx")
    return [(folder / "filled.xlsx", f"{sheet.id}.mapping.yaml") for sheet in kit.sheets]


def company_rows(kit, persons, sheets):
    """The columns of the codebook; blank where nothing was answered or asked."""
    by_code = {item.code: item for sheet in sheets for item in sheet.items}
    items = [by_code[code] for code in sorted(by_code)]
    boxes = chain.from_iterable(columns(item, item.code, "{}_{}") for item in items)
    rows = [["respondent_id", "form", "region", "attention", *boxes]]
    for person in persons:
        mine = (cells(step, person, no="0") for step in (kit.check, *items))
        rows.append([person.id, person.form, person.region, *chain.from_iterable(mine)])
    return rows


def write_joint(folder, kit, persons):
    rows = company_rows(kit, persons, kit.sheets)
    return [(put(folder / "company-all.csv", rows), "all.mapping.yaml")]


def google(folder, kit, sheet, persons):
    """As its script makes it: titles as headings, texts as cells."""
    script = (folder / "google" / f"{sheet.id}.gs").read_text("utf-8")
    data = json.loads(script.partition("SURVEY = ")[2].partition(";\n\nfunction")[0])
    titles = (step["title"] for step in data["steps"] if step["kind"] != "section")
    yield ["Timestamp", *titles]
    for person in persons:
        said = (joined(step, person) for step in asked(kit, sheet))
        yield ["2026/01/01 10:00:00 AM GMT+1", REGIONS[person.region][1], *said]


write_google = of_each_form("google", google)


def kobo(folder, kit, sheet, persons):
    """XML names, a multi-select joined by blanks and once more by option."""
    book = openpyxl.load_workbook(folder / "xlsform" / f"{sheet.id}.xlsx")
    items = {item.code: item for item in sheet.items}
    names = []
    for kind, name, *_ in book["survey"].iter_rows(min_row=2, values_only=True):
        several = items[name].question.options if kind.startswith("select_multiple") else ()
        names += [name, *(f"{name}/{option.code}" for option in several)]
    yield [*names, "_id", "_uuid", "_submission_time", "_index"]
    times = {"start": "2026-01-01T10:00:00.000+01:00", "end": "2026-01-01T10:01:01.000+01:00"}
    for at, person in enumerate(persons, start=1):
        known = {**times, "form": sheet.id, "region": REGIONS[person.region][0]}
        (known["attention"],) = cells(kit.check, person)
        for code, item in items.items():
            chosen = person.answers[item.question.id]
            known[code] = " ".join(chosen)
            for option in item.question.options if chosen else ():
                known[f"{code}/{option.code}"] = str(int(option.code in chosen))
        row = [known.get(name, "") for name in names]
        yield [*row, str(7000 + at), person.id, "2026-01-01T10:02:00", str(at)]


def write_surveyjs(folder, kit, persons):
    """A list a form: what was not answered is not there, several options are a list."""
    written = []
    for sheet in kit.sheets:
        form = json.loads((folder / "surveyjs" / f"{sheet.id}.json").read_text("utf-8"))
        assert form["calculatedValues"][0]["expression"] == f"'{sheet.id}'"
        found = []
        for person in (each for each in persons if each.form == sheet.id):
            result = {"region": person.region, "attention": cells(kit.check, person)[0]}
            for item in sheet.items:
                chosen = list(person.answers[item.question.id])
                if chosen:
                    result[item.code] = chosen if item.is_multiple else chosen[0]
            found.append({**result, "form": sheet.id})
        path = folder / f"surveyjs-{sheet.id}.json"
        path.write_text(json.dumps(found, ensure_ascii=False), "utf-8")
        written.append((path, f"{sheet.id}.mapping.yaml"))
    return written


QUOTED = {"quoting": csv.QUOTE_ALL, "encoding": "utf-8-sig", "lineterminator": "\r\n"}
SEMICOLONS = {"delimiter": ";", "encoding": "utf-8-sig"}
EXPORTS = {
    "qualtrics-numbers": (
        "qualtrics",
        of_each_form("qualtrics", lambda _, *known: qualtrics(*known, by_text=False)),
    ),
    "qualtrics-texts": (
        "qualtrics",
        of_each_form("qualtrics", lambda _, *known: qualtrics(*known, by_text=True)),
    ),
    "limesurvey": ("limesurvey", of_each_form("limesurvey", limesurvey, **QUOTED)),
    "label-studio": ("label_studio", of_each_form("label_studio", label_studio)),
    "workbook": ("workbook", write_workbook),
    "google": ("google", write_google),
    "kobo": ("xlsform", of_each_form("kobo", kobo, **SEMICOLONS)),
    "surveyjs": ("surveyjs", write_surveyjs),
    "csv": (
        "csv",
        of_each_form("company", lambda _, kit, sheet, mine: company_rows(kit, mine, [sheet])),
    ),
    "csv-joint": ("csv", write_joint),
}
"""By name, the platform of the form and what writes the files, each with its mapping."""
