"""A version that names other samples than it did."""

import re
from collections.abc import Iterator

from curation.checks.base import Subject
from curation.checks.release.facts import ReleaseFacts, of_settings
from curation.model.findings import Finding, Severity

_NAME = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z.+-]*[0-9A-Za-z])?")


class Version:
    """Scores of one version can be compared: its samples never change."""

    rule = "release-version"
    severity = Severity.ERROR
    title = "A version that was released with other samples, or that lies below the last one"
    hint = "raise 'version' in culture.yaml"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding."""
        facts = subject.release or ReleaseFacts()
        if not _NAME.fullmatch(subject.culture.version):
            message = f"version '{subject.culture.version}' cannot stand in the name of a file"
            hint = "write digits and points, such as 1.0"
            yield of_settings(self, "version", message, hint)
            return
        if facts.digest is None or not facts.releases:
            return
        version, now = subject.culture.version, facts.digest.samples_sha256
        same = [item for item in facts.releases if item.version == version]
        changed = [item for item in same if item.samples_sha256 != now]
        last = facts.releases[-1]
        if changed:
            counts = changed[-1].samples, facts.digest.samples
            what = "other" if counts[0] == counts[1] else f"{counts[0]:,} samples, not these"
            message = f"version {version} was released with {what} {counts[1]:,} samples"
            yield of_settings(self, "version", message)
        elif not same and _below(version, last.version):
            message = f"version {version} lies below {last.version}, which was released last"
            yield of_settings(self, "version", message)


def _below(version: str, other: str) -> bool:
    """Compare versions of numbers and points; others have no order."""
    try:
        first, second = ([int(part) for part in item.split(".")] for item in (version, other))
    except ValueError:
        return False
    return first < second
