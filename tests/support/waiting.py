"""Waiting for what happens elsewhere, however fast the machine is."""

import time


def wait_for(happened):
    """Wait until something has happened; a test in which it never does must end, too."""
    until = time.monotonic() + 300
    while not happened():
        assert time.monotonic() < until, "what the test waits for has not happened"
        time.sleep(0.002)
