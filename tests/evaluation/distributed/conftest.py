"""A cluster of two workers on this machine."""

import asyncio
import signal

import pytest
from two_workers import two_workers

from evaluation.distributed.cluster import connected


@pytest.fixture(scope="session")
def held(tmp_path_factory):
    """The cluster of all tests."""
    with two_workers(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture
def cluster(held):
    """The same with both of its workers: one that was killed comes back. A test does not hang."""

    def stop(*_):
        raise TimeoutError("the test waits for ever")

    async def both():
        async with connected(held.address) as client:
            await client.wait_for_workers(2, timeout=60)

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(600)
    asyncio.run(both())
    yield held
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
