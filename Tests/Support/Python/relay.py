"""relay.py UPSTREAM: passes requests on to a podcast-web, and prints its own URL. The answer of each order to play on is cut: the connection
is closed without an answer, after the order was carried out."""
import http.client
import http.server
import sys
from urllib.parse import urlsplit

UPSTREAM = urlsplit(sys.argv[1]).netloc


class Relay(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        connection = http.client.HTTPConnection(UPSTREAM, timeout=60)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection", "content-length")}
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        self.close_connection = True
        if self.path == "/api/v1/playback/play" and b'"what"' not in body:
            answer.read()
            print("cut", flush=True)
            return
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        while piece := answer.read1(65536):
            self.wfile.write(piece)
            self.wfile.flush()

    do_GET = do_POST = do_PUT = pass_on

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Ends of connections are expected."""


server = Server(("127.0.0.1", 0), Relay)
print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
server.serve_forever()
