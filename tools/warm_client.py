"""Have the process of `warm_curate.py` run a command; this is what `curate` is in scenarios.

It is started a thousand times in a run of the tests, so it imports next to nothing: `_socket` is
what `socket` is made of.
"""

import os
import sys
from _socket import AF_UNIX, SCM_RIGHTS, SHUT_WR, SOCK_STREAM, SOL_SOCKET, socket

server = socket(AF_UNIX, SOCK_STREAM)
server.connect(sys.argv[1])
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
server.sendmsg([b"."], [(SOL_SOCKET, SCM_RIGHTS, streams)])
args = [os.fsencode(text) for text in sys.argv[2:]]
variables = (b"=".join(item) for item in os.environb.items())
folder = os.getcwdb()  # noqa: PTH109  # `pathlib` is not imported
server.sendall(b"\0".join((folder, b"%d" % len(args), *args, *variables)))
server.shutdown(SHUT_WR)
answer = server.recv(16)
sys.exit(int(answer) if answer else 70)
