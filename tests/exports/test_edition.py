"""Hashes of samples."""

from hashlib import sha256

from benchmark import benchmark

from exports.edition import digest


def test_the_hash_is_of_all_cells_in_order():
    """Each followed by a unit separator, each sample by a record separator."""
    samples = benchmark(["hobby-001"])
    text = "".join(
        "".join(f"{cell}\x1f" for cell in (*item[:10], *item[10], *item[11:])) + "\x1e"
        for item in samples
    )
    assert digest(samples) == (8, sha256(text.encode()).hexdigest())
    assert digest([]) == (0, sha256(b"").hexdigest())
