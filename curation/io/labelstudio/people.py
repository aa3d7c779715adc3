"""Who is who: users of the server and the names of annotators, `annotations/people.csv`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.io.labelstudio.client import User
from curation.io.tables import read_table, refuse_problems, write_csv
from curation.model.annotation import person_key
from curation.model.errors import CurateError

COLUMNS = ("user", "email", "annotator")
"""The columns of `people.csv`."""


@dataclass(frozen=True, slots=True)
class Person:
    """A user and the name under which his annotations stand; without one they are left out."""

    user: int
    email: str
    annotator: str


def read_people(path: Path) -> dict[int, Person]:
    """Read who is who; nobody where there is no file.

    Raises:
        CurateError: If a row cannot be read, or two users have one name.
    """
    if not path.exists():
        return {}
    table = read_table(path, required=COLUMNS)
    refuse_problems(table)
    found: dict[int, Person] = {}
    names: dict[str, int] = {}
    for row in table.rows:
        where = f"{table.file}, row {row.number}"
        text = row["user"].strip()
        if not text.isascii() or not text.isdigit():
            raise CurateError(f"'{text}' is no number of a user", where, "take back the edit")
        name = " ".join(row["annotator"].split())
        person = Person(int(text), row["email"].strip(), name)
        if person.user in found:
            raise CurateError(f"user {person.user} stands twice", where, "keep one row")
        first = names.setdefault(person_key(name), person.user) if name else person.user
        if first != person.user:
            raise CurateError(
                f"users {first} and {person.user} are both called '{name}'",
                where,
                "give each a name of his own, or empty the name of one that does not count",
            )
        found[person.user] = person
    return found


def add_people(
    known: Mapping[int, Person], users: Sequence[User], suggested: Mapping[int, str]
) -> dict[int, Person]:
    """Add users who are not known yet: by the suggested name, else by their number.

    Args:
        known: Who is known.
        users: Those who annotated.
        suggested: Names by user.
    """
    found = dict(known)
    names = {person_key(person.annotator) for person in found.values()}
    for user in sorted(users, key=lambda item: item.id):
        if user.id in found:
            continue
        name = suggested.get(user.id, "")
        if not name or person_key(name) in names:
            name = f"annotator-{user.id}"
        names.add(person_key(name))
        found[user.id] = Person(user.id, user.email, name)
    return found


def write_people(path: Path, people: Mapping[int, Person]) -> None:
    """Write who is who in place of `path`.

    Raises:
        CurateError: If it cannot be written.
    """
    rows = sorted(people.values(), key=lambda person: person.user)
    write_csv(path, COLUMNS, ((person.user, person.email, person.annotator) for person in rows))
