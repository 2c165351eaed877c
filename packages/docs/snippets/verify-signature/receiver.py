# Receives webhooks: verifies each request, keeps each event once, answers, and works afterwards. Python 3.8 or later, no packages.
import json
import os
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify import verify

SECRET = os.environ["WEBHOOK_SECRET"]
for folder in ("incoming", "inbox", "done"):
    os.makedirs(folder, exist_ok=True)


def keep(event_id, body):
    """Stores the event under its id; False where it is there already. A link is made as a whole or not at all."""
    draft = f"incoming/{uuid.uuid4()}"
    with open(draft, "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, f"inbox/{event_id}")
        return True
    except FileExistsError:
        return False
    finally:
        os.remove(draft)


def work(event):
    """What you do with an event comes here. Where it raises, the event comes again."""
    print(f"work: {event['type']} {event['id']}", flush=True)


def work_off():
    while True:
        for event_id in os.listdir("inbox"):
            if os.path.exists(f"done/{event_id}"):
                continue
            try:
                with open(f"inbox/{event_id}", encoding="utf-8") as file:
                    work(json.load(file))
                open(f"done/{event_id}", "w").close()
            except Exception as error:
                print(f"{event_id} waits: {error}", flush=True)
        time.sleep(0.2)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            status = self.receive()
        except Exception as error:
            print(f"not kept: {error}", flush=True)
            status = 500  # it comes again
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def receive(self):
        """The status to answer with."""
        body = self.rfile.read(int(self.headers["Content-Length"]))  # the raw bytes: what is signed
        if not verify(SECRET, self.headers["X-Service-Signature"], body):
            print("refused: the signature does not hold", flush=True)
            return 401
        event_id = json.loads(body)["id"]
        print(f"{'kept' if keep(event_id, body) else 'known already'}: {event_id}", flush=True)
        return 204  # within 10 s, so work waits

    def log_message(self, *_):
        pass


threading.Thread(target=work_off, daemon=True).start()
with ThreadingHTTPServer(("127.0.0.1", 3000), Receiver) as server:
    print("listening on port 3000", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
