"""Which server is asked: the least busy one that is not set aside."""

from evaluation.runner.backends.openai import FAULTS, LONGEST_REST_S, Endpoint, Endpoints


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        """Give the time."""
        return self.now


def make(count):
    """Make servers named a, b and so on."""
    clock = Clock()
    return Endpoints([Endpoint("abcdef"[at], None) for at in range(count)], clock), clock


def pick(servers):
    """Take a server; there must be one."""
    server = servers.pick()
    assert server is not None
    return server


def test_one_that_is_down_rests_twice_as_long_each_time():
    """Up to a bound; one request looks whether it is back."""
    servers, clock = make(1)
    rests = []
    for _ in range(9):
        server = pick(servers)
        servers.down(server)
        rests.append(servers.wait())
        assert servers.pick() is None
        clock.now += servers.wait()
    assert rests == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert LONGEST_REST_S == 60
    probe = pick(servers)
    assert servers.pick() is None
    assert servers.wait() == 1
    servers.succeeded(probe)
    assert [pick(servers).url for _ in range(3)] == ["a", "a", "a"]
    servers.down(probe)
    assert servers.wait() == 1


def test_one_that_asks_to_be_left_alone_is():
    """For so long; then all may ask it at once, for it was never down."""
    servers, clock = make(1)
    server = pick(servers)
    servers.rest(server, 7.5)
    assert servers.pick() is None
    assert servers.wait() == 7.5
    clock.now += 7.5
    assert [pick(servers).url for _ in range(2)] == ["a", "a"]


def test_one_that_keeps_failing_is_set_aside_for_others():
    """But not where there are none."""
    alone, _ = make(1)
    for _ in range(3 * FAULTS):
        alone.failed(pick(alone))
    assert alone.wait() == 0
    servers, _ = make(2)
    for _ in range(FAULTS):
        bad = servers.servers[0]
        bad.busy += 1
        servers.failed(bad)
    assert {pick(servers).url for _ in range(5)} == {"b"}
