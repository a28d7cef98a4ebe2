#!/usr/bin/env python3
"""A second client, in the standard library only, written from the protocol page alone.

    python3 tests/conformance.py --bin target/debug/redline

Runs the main job (an agent's edit, reviewed) and the answers to bad input, prints one line for each
check, and closes with `N passed, N failed`. Exit code 1 if one failed.
"""

import argparse
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time

DEADLINE = 30.0
TEXT = "one\ntwo\nthree\nfour 😀 four\nfive\nsix\n"


class Gone(Exception):
    """The server ended, or said nothing for too long."""


class Server:
    """The child process and what came out of it."""

    def __init__(self, binary, root, script):
        self.root = root
        self.workspace = root / "workspace"
        environment = dict(os.environ, HOME=str(root / "home"))
        environment["REDLINE_CONFIG_DIR"] = str(root / "config")
        environment["REDLINE_STATE_DIR"] = str(root / "state")
        for folder in ("workspace", "home", "config", "state"):
            (root / folder).mkdir()
        self.script = root / "script.jsonl"
        self.script.write_text("".join(json.dumps(line) + "\n" for line in script))
        self.child = subprocess.Popen(
            [binary, "lsp"],
            cwd=self.workspace,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.messages = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.last_id = 0
        self.replies, self.reviews, self.events = {}, {}, []
        self.asks, self.withdrawn, self.saves, self.edits = [], [], [], []
        self.buffers = {}

    def read(self):
        """Frames into the queue, None at the end."""
        out = self.child.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    self.messages.put(None)
                    return
                line = line.strip()
                if not line:
                    break
                name, value = line.split(b":", 1)
                if name.lower() == b"content-length":
                    length = int(value)
            self.messages.put(json.loads(out.read(length).decode("utf-8")))

    def raw(self, data):
        self.child.stdin.write(data)
        self.child.stdin.flush()

    def send(self, message):
        body = json.dumps(dict(message, jsonrpc="2.0")).encode("utf-8")
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def begin(self, method, params):
        self.last_id += 1
        message = {"id": self.last_id, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return self.last_id

    def finish(self, number):
        return self.until(lambda: self.replies.pop(number, None), f"the answer {number}")

    def request(self, method, params):
        """The whole response: `result` or `error`."""
        return self.finish(self.begin(method, params))

    def call(self, method, params):
        reply = self.request(method, params)
        assert "error" not in reply, f"{method}: {reply['error']}"
        return reply["result"]

    def tool(self, name, **args):
        return self.call("redline/tool", {"name": name, "args": args})

    def until(self, condition, what):
        """Reads messages until the condition gives something."""
        end = time.monotonic() + DEADLINE
        while True:
            found = condition()
            if found:
                return found
            try:
                message = self.messages.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise Gone(f"waited in vain for {what}") from None
            if message is None:
                raise Gone(f"the server ended instead of {what}")
            self.receive(message)

    def receive(self, message):
        method, params = message.get("method"), message.get("params")
        if method is None:
            self.replies[message.get("id")] = message
        elif "id" in message:
            self.answer(message["id"], method, params)
        elif method == "redline/review":
            self.reviews[params["uri"]] = params
        elif method == "redline/threadEvent":
            self.events.append(params)
        elif method == "redline/permissionWithdrawn":
            self.withdrawn.append(params)

    def answer(self, number, method, params):
        result = None
        if method == "redline/permission":
            self.asks.append((number, params))
            return
        if method == "workspace/applyEdit":
            result = {"applied": self.apply(params)}
        elif method == "redline/save":
            for uri in params["uris"]:
                self.save(uri)
            result = {"saved": params["uris"]}
        elif method == "redline/format":
            result = {"formatted": False}
        elif method == "workspace/configuration":
            result = [None for _ in params["items"]]
        self.send({"id": number, "result": result})

    def reply(self, number, result):
        self.asks = [ask for ask in self.asks if ask[0] != number]
        self.send({"id": number, "result": result})

    # The editor: buffers are [text, version, path].

    def uri(self, name):
        return (self.workspace / name).as_uri()

    def write(self, name, text):
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        return str(path)

    def open(self, name):
        uri, path = self.uri(name), self.workspace / name
        text = path.read_bytes().decode("utf-8")
        self.buffers[uri] = [text, 0, path]
        item = {"uri": uri, "languageId": "text", "version": 0, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def text(self, uri):
        return self.buffers[uri][0]

    def replace(self, uri, old, new):
        """The user replaces the first `old`; sent as an incremental change."""
        text = self.buffers[uri][0]
        at = text.index(old)
        span = {"start": position(text, at), "end": position(text, at + len(old))}
        self.change(uri, text[:at] + new + text[at + len(old) :], [{"range": span, "text": new}])

    def change(self, uri, text, changes):
        buffer = self.buffers[uri]
        buffer[0], buffer[1] = text, buffer[1] + 2
        document = {"uri": uri, "version": buffer[1]}
        self.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": changes}
        )

    def apply(self, params):
        self.edits.append(params)
        for change in params["edit"]["documentChanges"]:
            document = change["textDocument"]
            buffer = self.buffers.get(document["uri"])
            if buffer is None or document["version"] not in (None, buffer[1]):
                return False
        for change in params["edit"]["documentChanges"]:
            uri = change["textDocument"]["uri"]
            text = self.text(uri)
            spans = [
                (offset(text, e["range"]["start"]), offset(text, e["range"]["end"]), e["newText"])
                for e in change["edits"]
            ]
            for start, end, new in sorted(spans, reverse=True):
                text = text[:start] + new + text[end:]
            self.change(uri, text, [{"text": text}])
        return True

    def save(self, uri):
        text, _, path = self.buffers[uri]
        path.write_bytes(text.encode("utf-8"))
        self.saves.append(uri)
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    # Steps that several checks share.

    def initialize(self):
        declared = "review permission question save open format threadEvents changeReason"
        params = {
            "processId": os.getpid(),
            "rootUri": self.workspace.as_uri(),
            "workspaceFolders": [{"uri": self.workspace.as_uri(), "name": "workspace"}],
            "initializationOptions": {
                "redline": {"provider": "script", "script": str(self.script)}
            },
            "capabilities": {
                "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
                "experimental": {"redline": {name: True for name in declared.split()}},
            },
        }
        result = self.call("initialize", params)
        self.notify("initialized", {})
        return result

    def hunks(self, uri, count, state="pending"):
        def found():
            review = self.reviews.get(uri, {"hunks": []})
            these = [hunk for hunk in review["hunks"] if hunk["state"] == state]
            return these if len(these) == count else None

        return self.until(found, f"{count} hunks {state}")

    def resolve(self, action, **more):
        return self.call("redline/resolve", dict(more, action=action))

    def content(self, uri, projection):
        return self.call("redline/content", {"uri": uri, "projection": projection})["text"]

    def turn_end(self, turn):
        def ended():
            of_turn = [p["event"] for p in self.events if p["turnId"] == turn]
            return next((event for event in of_turn if event["type"] == "turnEnd"), None)

        return self.until(ended, "the end of the turn")


def position(text, at):
    """LSP position (utf-16) of a character offset."""
    before = text[:at]
    line = before.count("\n")
    tail = before[before.rfind("\n") + 1 :]
    return {"line": line, "character": len(tail.encode("utf-16-le")) // 2}


def offset(text, where):
    """Character offset of an LSP position (utf-16)."""
    lines = text.splitlines(keepends=True) + [""]
    start = sum(len(line) for line in lines[: where["line"]])
    units, at = where["character"], start
    while units > 0 and at < len(text):
        units -= 2 if ord(text[at]) > 0xFFFF else 1
        at += 1
    return at


def edit(number, old, new):
    arguments = {"path": "${workspace}/a.txt", "old_str": old, "new_str": new}
    return {"type": "tool_use", "id": number, "name": "edit_file", "input": arguments}


SCRIPT = [
    {"content": [edit("c1", "two", "TWO"), edit("c2", "five", "FIVE")]},
    {"content": [{"type": "text", "text": "Look at this."}]},
    {"content": [{"type": "text", "text": "I see."}]},
    {"content": [{"type": "tool_use", "id": "c3", "name": "Bash", "input": {"cmd": "echo x > x"}}]},
    {"content": [{"type": "text", "text": "never said"}]},
]


class Report:
    """Counts checks."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, name, ok, detail=""):
        self.passed, self.failed = self.passed + bool(ok), self.failed + (not ok)
        print(f"{'ok  ' if ok else 'FAIL'} {name}" + ("" if ok else f": {detail}"), flush=True)

    def equal(self, name, found, expected):
        self.check(name, found == expected, f"found {found!r}, expected {expected!r}")


def check_handshake(server, report):
    before = server.request("redline/status", {})
    report.equal("a request before initialize is refused", before["error"]["code"], -32002)
    capabilities = server.initialize()["capabilities"]
    report.equal("the version", capabilities["experimental"]["redline"]["version"], 1)
    report.check("utf-16 by default", capabilities.get("positionEncoding", "utf-16") == "utf-16")
    status = server.call("redline/status", {})
    fields = "pendingHunks pendingFiles asks model dialect version logFile".split()
    report.check("the status has its fields", all(name in status for name in fields), status)


def check_prompt(server, report):
    server.write("a.txt", TEXT)
    uri = server.open("a.txt")
    started = server.call("redline/prompt", {"text": "shout"})
    report.check("a prompt answers with both ids", {"threadId", "turnId"} <= set(started), started)
    end = server.turn_end(started["turnId"])
    report.equal("the turn awaits review", end["reason"], "awaitingReview")
    hunks = server.hunks(uri, 2)
    texts = [(hunk["oldText"], hunk["newText"]) for hunk in hunks]
    report.equal("two hunks", texts, [("two\n", "TWO\n"), ("five\n", "FIVE\n")])
    report.equal("they say whose they are", hunks[0]["origin"]["toolCallId"], "c1")
    report.equal("the buffer is as it was", server.text(uri), TEXT)
    report.equal("the server agrees", server.content(uri, "editor"), TEXT)
    report.equal("the disk is as it was", (server.workspace / "a.txt").read_text(), TEXT)
    expected = TEXT.replace("two", "TWO").replace("five", "FIVE")
    report.equal("the agent sees its edits", server.content(uri, "agent"), expected)
    return uri, started["threadId"], [hunk["id"] for hunk in hunks]


def check_review(server, report, uri, hunks):
    server.replace(uri, "😀 four", "😀 vier")
    server.replace(uri, "one", "zero\none")
    report.equal("typing arrives", server.content(uri, "editor"), server.text(uri))
    moved = server.until(
        lambda: [h for h in server.reviews[uri]["hunks"] if h["range"]["start"]["line"] == 2],
        "the moved hunk",
    )
    report.equal("a hunk moves along", moved[0]["id"], hunks[0])
    answer = server.resolve("accept", hunks=[hunks[0]])
    report.equal("accept resolves it", answer["resolved"], [hunks[0]])
    expected = TEXT.replace("one", "zero\none").replace("two", "TWO").replace("😀 four", "😀 vier")
    report.equal("accept edits the buffer", server.text(uri), expected)
    document = server.edits[0]["edit"]["documentChanges"][0]["textDocument"]
    report.equal("the edit has a version", document["version"], 4)
    report.equal("unsaved typing is not saved", server.saves, [])
    answer = server.resolve("reject", hunks=[hunks[1]], comment="too loud")
    report.equal("reject resolves it", answer["resolved"], [hunks[1]])
    report.equal("reject leaves the buffer", server.text(uri), expected)
    report.equal("both sides agree", server.content(uri, "editor"), expected)
    answer = server.resolve("accept", hunks=["nothing"])
    report.equal("an unknown id is stale", answer["stale"], ["nothing"])


def check_told(server, report, thread):
    turn = server.call("redline/prompt", {"text": "go on", "threadId": thread})["turnId"]
    server.turn_end(turn)
    messages = server.call("redline/thread", {"threadId": thread})["messages"]
    said = [strings(m["message"]["content"]) for m in messages if m["type"] == "user"]
    lines = [line for text in sum(said, []) for line in text.splitlines()]
    accepted = [line for line in lines if line.startswith("accepted ") and "(c1)" in line]
    report.check("the agent is told of the accept", accepted and "a.txt:3-3" in accepted[0], lines)
    rejected = [line for line in lines if line.startswith("rejected ") and '"too loud"' in line]
    report.check("the agent is told of the reject", rejected, lines)


def check_ask(server, report, thread):
    for uri in server.buffers:
        server.save(uri)  # else the ask offers to save first
    turn = server.call("redline/prompt", {"text": "run", "threadId": thread})["turnId"]
    number, ask = server.until(lambda: server.asks and server.asks[0], "an ask")
    report.equal("the ask has the exact command", ask["args"]["cmd"], "echo x > x")
    report.equal("the ask has the directory", ask["cwd"], os.path.realpath(server.workspace))
    report.check("the ask has a reason", ask["reason"]["action"] == "ask", ask["reason"])
    options = {option["id"] for option in ask["options"]}
    report.check("the ask has its options", {"once", "session", "reject"} <= options, options)
    server.call("redline/cancel", {"threadId": thread})
    withdrawn = server.until(lambda: server.withdrawn, "the withdrawal")
    report.equal("cancel withdraws the ask", withdrawn[0]["askId"], ask["askId"])
    report.equal("the turn is cancelled", server.turn_end(turn)["reason"], "cancelled")
    server.reply(number, {"option": "once"})
    server.call("redline/status", {})
    report.check("a late answer runs nothing", not (server.workspace / "x").exists())
    call = server.begin("redline/tool", {"name": "Bash", "args": {"cmd": "expr seen"}})
    number, _ = server.until(lambda: server.asks and server.asks[0], "an ask")
    server.reply(number, {"option": "once"})
    result = server.finish(call)["result"]
    report.check("once runs the command", "<output>seen" in str(result.get("result")), result)


def check_files(server, report):
    path = server.write("b.txt", "eins\r\nzwei\r\n")
    result = server.tool("edit_file", path=path, old_str="zwei", new_str="2")
    report.equal("a direct call proposes", result["review"]["state"], "pending")
    report.equal("lineRange", result["result"]["lineRange"], [2, 2])
    server.resolve("accept", uri=server.uri("b.txt"))
    written = pathlib.Path(path).read_bytes()
    report.equal("a closed file is written, CRLF kept", written, b"eins\r\n2\r\n")
    new = server.workspace / "deep" / "new.txt"
    server.tool("create_file", path=str(new), content="new")
    report.check("a pending file is not there", not new.parent.exists())
    server.resolve("accept")
    report.equal("accept creates it with its folder", new.read_text(), "new\n")
    missing = server.tool("Read", path=str(server.workspace / "missing"))
    message = missing["error"]["message"]
    report.check("ENOENT", message.startswith("ENOENT: no such file or directory"), message)
    listing = server.tool("Read", path=str(server.workspace))["result"]
    report.check("a directory has slashes", "deep/" in listing.split("\n"), listing)


def check_bad_input(server, report):
    server.raw(b"Content-Length: 9\r\n\r\n{\"broken\"")
    server.raw(b"Content-Length: -1\r\n\r\n")
    server.send({"id": 424242, "result": "to nothing"})
    unknown = server.request("redline/noSuchMethod", {})
    report.equal("an unknown method", unknown["error"]["code"], -32601)
    wrong = server.request("redline/resolve", {"action": 5})["error"]
    named = wrong["code"] == -32602 and "action" in wrong["message"]
    report.check("wrong parameters name the field", named, wrong)
    report.check("the server lives on", server.call("redline/status", {}))


def check_end(server, report):
    report.equal("shutdown", server.call("shutdown", None), None)
    server.notify("exit", None)
    try:
        report.equal("exit after shutdown is 0", server.child.wait(10), 0)
    except subprocess.TimeoutExpired:
        report.check("exit after shutdown is 0", False, "the server still runs")


def strings(value):
    """Every string inside."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return sum((strings(item) for item in inner), [])


def run(server, report):
    check_handshake(server, report)
    uri, thread, hunks = check_prompt(server, report)
    check_review(server, report, uri, hunks)
    check_told(server, report, thread)
    check_ask(server, report, thread)
    check_files(server, report)
    check_bad_input(server, report)
    check_end(server, report)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="the redline binary")
    binary = os.path.abspath(parser.parse_args().bin)
    report = Report()
    with tempfile.TemporaryDirectory(prefix="redline-conformance-") as folder:
        server = Server(binary, pathlib.Path(folder).resolve(), SCRIPT)
        try:
            run(server, report)
        except (Gone, AssertionError, KeyError, IndexError, TypeError, OSError) as error:
            report.check(f"the run came to its end ({type(error).__name__})", False, error)
        finally:
            server.child.kill()
            server.child.wait()
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
