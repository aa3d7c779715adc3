"""Groups that are a part of themselves."""

from collections.abc import Iterator, Mapping

from curation.checks.base import Subject, in_groups
from curation.model.bank import Group
from curation.model.findings import Finding, Severity

_Key = tuple[str, str]


class GroupCycle:
    """Going from parent to parent must end."""

    rule = "group-cycle"
    severity = Severity.ERROR
    title = "A group that is, through its parents, a part of itself"
    hint = "take out one of the parents"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each cycle, at the first of its groups in the file."""
        groups = {(item.category, item.group): item for item in reversed(subject.groups)}
        place = {key: at for at, key in enumerate(reversed(groups))}
        done: set[_Key] = set()
        for start in place:
            path, cycle = _walk(start, groups, done)
            done.update(path)
            if cycle:
                at = cycle.index(min(cycle, key=place.__getitem__))
                names = [name for _, name in (*cycle[at:], *cycle[:at], cycle[at])]
                message = f"the parents go in a circle: {' > '.join(names)}"
                yield in_groups(self, subject, groups[cycle[at]], "parent", message)


def _walk(
    start: _Key, groups: Mapping[_Key, Group], done: set[_Key]
) -> tuple[list[_Key], list[_Key]]:
    """Go from parent to parent; gives the way, and the part of it that is a circle."""
    path: dict[_Key, int] = {}
    key = start
    while key in groups and key not in done and key not in path:
        path[key] = len(path)
        key = key[0], groups[key].parent
    way = list(path)
    return way, way[path[key] :] if key in path else []
