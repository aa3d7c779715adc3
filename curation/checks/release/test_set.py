"""A test set that was drawn anew within a version."""

from collections.abc import Iterator

from curation.checks.base import Subject
from curation.checks.release.facts import ReleaseFacts, of_settings
from curation.model.findings import Finding, Severity


class TestSet:
    """Scores on the test set of one version can be compared."""

    rule = "release-test-set"
    severity = Severity.ERROR
    title = "A test set that is another one than that of the same version's release"
    hint = "write the former value of samples.seed back, or raise 'version' in culture.yaml"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding."""
        facts = subject.release or ReleaseFacts()
        now = facts.digest
        for item in facts.releases:
            if now is None or item.version != subject.culture.version:
                continue
            if item.samples_sha256 != now.samples_sha256:
                continue  # 'release-version' says so
            if item.test_samples_sha256 != now.test_samples_sha256:
                message = (
                    f"the test set of version {item.version} was drawn with seed {item.seed}, "
                    f"and is now another one (seed {now.seed})"
                )
                yield of_settings(self, "samples.seed", message)
                return
