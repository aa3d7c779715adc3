"""A release that was made: what `releases.csv` holds of it."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class SampleDigest:
    """What identifies the samples of a benchmark, whatever the format of their files.

    Attributes:
        samples: How many samples there are.
        test_samples: How many are in the test set.
        samples_sha256: Hash of all samples.
        test_samples_sha256: Hash of the test set.
        seed: Of the test set.
    """

    samples: int
    test_samples: int
    samples_sha256: str
    test_samples_sha256: str
    seed: int


@dataclass(frozen=True, slots=True)
class Release:
    """A row of `releases.csv`; fields are its columns.

    Attributes:
        version: Of the benchmark.
        date: Of the release, as `release.date` has it.
        samples: How many samples it has.
        test_samples: How many of them are its test set.
        samples_sha256: Hash of all samples (see `curation.publish.digest`).
        test_samples_sha256: Hash of the test set.
        data_format: Version of the exported files.
        tool_version: Version of the tool that wrote it.
        seed: Of the test set.
        manifest_sha256: Hash of the package's manifest, which holds those of all its files.
    """

    version: str
    date: str
    samples: int
    test_samples: int
    samples_sha256: str
    test_samples_sha256: str
    data_format: int
    tool_version: str
    seed: int
    manifest_sha256: str


RELEASE_COLUMNS = tuple(item.name for item in fields(Release))
"""The columns of `releases.csv`."""
