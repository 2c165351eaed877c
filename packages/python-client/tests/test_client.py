"""What the client sends, what it makes of answers, and what it sends again. Each test has a server of its own."""

import json
import threading
import unittest
import warnings
from http.server import BaseHTTPRequestHandler, HTTPServer

from workspace_data_service.answer import ApiProblem, NoAnswer
from workspace_data_service.client import Client, items, pages


class Server:
    """Gives the answers one after the other: (status, headers, body), or None to hang up."""

    def __init__(self, answers):
        self.requests = []
        waiting = list(answers)
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            def answer(self):
                length = int(self.headers["Content-Length"] or 0)
                requests.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
                answer = waiting.pop(0)
                if answer is None:
                    self.close_connection = True
                    return
                status, headers, body = answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.http = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def close(self):
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()


def good(body, **headers):
    return 200, {"Content-Type": "application/json", **headers}, json.dumps(body).encode()


def problem(status, code, **more):
    headers = {"Content-Type": "application/problem+json", "X-Request-Id": "req_1"}
    headers.update({"Retry-After": str(more.pop("after"))} if "after" in more else {})
    return status, headers, json.dumps({"code": code, "detail": "D", **more}).encode()


WEBHOOK = {"url": "https://a.example", "events": ["*"]}


class ClientTest(unittest.TestCase):
    def served(self, *answers, retries=3):
        server = Server(answers)
        self.addCleanup(server.close)
        self.waits = []
        return server, Client(server.url, "wdk_live_x", retries=retries, wait=self.waits.append)

    def test_path_query_and_key_are_sent(self):
        server, client = self.served(good({}), good({}))
        client.list_integrations(tag=["a,b", "c\\"], created_gte="2026-01-01T00:00:00Z", limit=5)
        client.read_webhook("whk_/?")
        method, path, headers, _ = server.requests[0]
        self.assertEqual(method, "GET")
        self.assertEqual(
            sorted(path.split("?")[1].split("&")),
            ["created%5Bgte%5D=2026-01-01T00%3A00%3A00Z", "limit=5", "tag=a%5C%2Cb%2Cc%5C%5C"],
        )
        self.assertEqual(headers["Authorization"], "Bearer wdk_live_x")
        self.assertEqual(server.requests[1][1], "/v1/webhooks/whk_%2F%3F")

    def test_a_path_without_its_parameter_is_refused_before_anything_is_sent(self):
        server, client = self.served()
        for webhook_id in ("", ".", ".."):
            with self.assertRaises(ValueError):
                client.read_webhook(webhook_id)
        self.assertEqual(server.requests, [])

    def test_a_patch_is_a_merge_patch_and_a_file_has_its_media_type(self):
        server, client = self.served(good({}), good({}))
        client.update_webhook("whk_1", {"description": None}, if_match='"v7"')
        client.create_import("day,clicks", type="stats", integration_id="int_1", content_type="text/csv")
        _, _, headers, body = server.requests[0]
        self.assertEqual((headers["Content-Type"], headers["If-Match"]), ("application/merge-patch+json", '"v7"'))
        self.assertEqual(body, b'{"description": null}')
        self.assertNotIn("Idempotency-Key", headers)
        self.assertEqual(server.requests[1][2]["Content-Type"], "text/csv")
        self.assertEqual(server.requests[1][3], b"day,clicks")

    def test_an_answer_has_what_its_headers_say(self):
        _, client = self.served(
            good({"id": "whk_1"}, ETag='"v1"', Location="/v1/webhooks/whk_1", **{"Idempotency-Replayed": "true"}),
            (204, {}, b""),
            (200, {"Content-Type": "application/gzip"}, b"\x1f\x8b\x00\xff"),
        )
        made = client.create_webhook(WEBHOOK)
        self.assertEqual((made.data, made.etag, made.location), ({"id": "whk_1"}, '"v1"', "/v1/webhooks/whk_1"))
        self.assertTrue(made.is_replayed)
        self.assertEqual((client.delete_webhook("whk_1").data), None)
        self.assertEqual(client.read_export_file("exp_1").data, b"\x1f\x8b\x00\xff")

    def test_a_problem_says_what_the_document_says(self):
        errors = [{"pointer": "/url", "code": "invalid_format", "detail": "Must be a URL."}]
        _, client = self.served(problem(422, "validation_failed", errors=errors))
        with self.assertRaises(ApiProblem) as raised:
            client.create_webhook(WEBHOOK)
        error = raised.exception
        self.assertEqual((error.status, error.code, error.errors), (422, "validation_failed", errors))
        self.assertEqual(error.request_id, "req_1")
        self.assertRegex(error.idempotency_key, "^[0-9a-f]{32}$")

    def test_what_is_no_answer_of_the_api_is_told_so(self):
        for answer in [
            (200, {"Content-Type": "application/json"}, b'{"data":'),
            (302, {"Location": "https://elsewhere.example/"}, b""),
            (404, {"Content-Type": "text/html"}, b"<h1>Not here</h1>"),
            (404, {"Content-Type": "application/problem+json"}, b'{"code":'),
        ]:
            server, client = self.served(answer)
            with self.assertRaises(ApiProblem) as raised:
                client.list_webhooks()
            self.assertEqual(raised.exception.code, "unexpected_answer")
            self.assertEqual(len(server.requests), 1)

    def test_a_post_whose_answers_are_lost_is_sent_again_with_the_key_of_the_first_try(self):
        server, client = self.served(None, (502, {"Content-Type": "text/html"}, b""), good({"id": "whk_1"}))
        self.assertEqual(client.create_webhook(WEBHOOK).data, {"id": "whk_1"})
        keys = {headers["Idempotency-Key"] for _, _, headers, _ in server.requests}
        self.assertEqual((len(server.requests), len(keys)), (3, 1))

    def test_a_refusal_that_says_when_to_come_again_is_waited_for(self):
        _, client = self.served(problem(429, "rate_limited", after=7), problem(503, "unavailable", after=2), good({}))
        client.delete_webhook("whk_1")
        self.assertEqual(self.waits, [7, 2])

    def test_what_would_wait_long_and_what_is_wrong_is_raised_at_once(self):
        for answer in [problem(429, "quota_exceeded", after=3600), problem(409, "invalid_state")]:
            server, client = self.served(answer)
            with self.assertRaises(ApiProblem):
                client.create_webhook(WEBHOOK)
            self.assertEqual(len(server.requests), 1)

    def test_a_delete_whose_answer_is_lost_is_not_sent_again(self):
        server, client = self.served(None)
        with self.assertRaises(NoAnswer):
            client.delete_webhook("whk_1")
        self.assertEqual(len(server.requests), 1)

    def test_an_operation_that_will_end_is_told_from_a_refusal_too(self):
        going = {
            "Deprecation": "@1801440000",
            "Sunset": "Tue, 01 Feb 2028 00:00:00 GMT",
            "Link": '<https://docs.example/webhooks>; rel="deprecation"; type="text/html"',
        }
        status, headers, body = problem(404, "not_found")
        _, client = self.served(good({}, **going), (status, {**headers, **going}, body), good({}))
        told = (
            "GET /v1/webhooks/{id} is deprecated, it may be gone from Tue, 01 Feb 2028 00:00:00 GMT on: "
            "https://docs.example/webhooks"
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            client.read_webhook("whk_1")
            with self.assertRaises(ApiProblem):
                client.read_webhook("whk_2")
            client.read_webhook("whk_3")
        self.assertEqual([str(one.message) for one in caught], [told, told])
        self.assertEqual({one.filename for one in caught}, {__file__})

    def test_lists_are_walked_by_their_cursor_with_the_same_filters(self):
        def page(ids, cursor):
            return good({"data": [{"id": one} for one in ids], "has_more": cursor is not None, "next_cursor": cursor})

        server, client = self.served(page("ab", "c1"), page("", "c2"), page("c", None), page("a", "c1"))
        self.assertEqual([one["id"] for one in items(client.list_webhooks, status="enabled")], ["a", "b", "c"])
        self.assertEqual(
            [path.split("?")[1] for _, path, _, _ in server.requests],
            ["status=enabled", "cursor=c1&status=enabled", "cursor=c2&status=enabled"],
        )
        # No page is asked for that nobody wants.
        next(pages(client.list_webhooks))
        self.assertEqual(len(server.requests), 4)


if __name__ == "__main__":
    unittest.main()
