"""A server on this machine that answers as it is told, and keeps what it was asked."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext


class Site:
    """A server.

    Attributes:
        answer: Gives status and content for method and path; it may take its time, and status 0
            breaks off. By default it is `status` and `body`.
        answer_to: The same for method, path, how the request was let in, and its content.
        headers: What every answer says besides.
        hangs: Cleared while no request is answered.
        asked: Method and path of each request.
        got: Headers and content of each request.
        tokens: How each request was let in.
    """

    def __init__(self, tls: SSLContext | None = None) -> None:
        self.status, self.body, self.headers = 200, b"{}", dict[str, str]()
        self.answer = lambda _method, _path: (self.status, self.body)
        self.answer_to = lambda method, path, _token, _sent: self.answer(method, path)
        self.hangs = threading.Event()
        self.hangs.set()
        self.asked, self.got, self.tokens = [], [], []
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # one write a reply: two would wait for one another

            def _any(self):
                sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                site.asked.append((self.command, self.path))
                site.got.append(str(self.headers).encode() + sent)
                token = self.headers["Authorization"]
                site.tokens.append(token)
                site.hangs.wait(60)
                status, body = site.answer_to(self.command, self.path, token, sent)
                if status == 0:
                    self.close_connection = True
                    return
                data = body.encode() if isinstance(body, str) else body
                with suppress(OSError):  # the client has left
                    self.send_response(status)
                    for name, text in (site.headers | {"Content-Length": len(data)}).items():
                        self.send_header(name, str(text))
                    self.end_headers()
                    self.wfile.write(data)

            do_GET = do_POST = do_PATCH = do_DELETE = _any  # names of the library

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        if tls is not None:
            self.http.socket = tls.wrap_socket(self.http.socket, server_side=True)
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.http.server_address[1]}"


@contextmanager
def serving(tls: SSLContext | None = None) -> Iterator[Site]:
    """Start a server for a block."""
    site = Site(tls)
    thread = threading.Thread(
        target=site.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    yield site
    site.hangs.set()
    site.http.shutdown()
    thread.join(60)
    site.http.server_close()
