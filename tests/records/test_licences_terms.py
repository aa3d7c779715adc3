"""What licences ask for."""

from curation.records.licences import TERMS, conflict, terms_of


def test_licences_are_known_however_they_are_written():
    """Blanks, hyphens and letters make no difference."""
    for written, spdx in [
        *(("CC BY 4.0", "CC-BY-4.0"), ("cc-by-sa-4.0", "CC-BY-SA-4.0"), (" MIT ", "MIT")),
        ("Apache 2.0", "Apache-2.0"),
    ]:
        found = terms_of(written)
        assert found.spdx == spdx


def test_every_licence_but_those_that_allow_nothing_goes_with_itself():
    """What comes under a licence may be published under it."""
    for name, terms in TERMS.items():
        assert bool(conflict(terms, terms)) is terms.no_derivatives, name


def test_obligations_are_those_of_the_names():
    """SA, NC and ND in a name are obligations."""
    for name, terms in TERMS.items():
        if name.startswith("CC-"):
            assert terms.attribution
            assert terms.share_alike is ("-SA-" in name)
            assert terms.non_commercial is ("-NC-" in name)
            assert terms.no_derivatives is ("-ND-" in name)
