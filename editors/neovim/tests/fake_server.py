#!/usr/bin/env python3
"""A language server that does what a test tells it. Standard library only.

It speaks LSP on stdin and stdout. Two ways to tell it what to do, both by environment variables:

FAKE_SOCKET  path of a Unix socket that the test listens on. Everything the client sends goes there,
             one JSON object a line. Lines from there are {"number": N, "order": O}, answered with
             {"obeyed": N}. An order is sent to the client as it is, but
             {"on": METHOD, "result": R} sets the answer to a request of the client,
             {"on": METHOD, "hold": true} leaves the answer to the test, and {"exit": N} ends it.
FAKE_SCENE   a JSON file {"on": {METHOD: result}, "after": {METHOD: [message, …]}}: the messages go
             out after a message with that method (or an answer with that id) came ("${uri}" and "${dir}" are the document
             opened first and its folder).
"""
import json
import os
import socket
import sys
import threading

out_lock = threading.Lock()
test_lock = threading.Lock()
answers = {
    "initialize": {
        "capabilities": {
            "positionEncoding": os.environ.get("FAKE_ENCODING", "utf-16"),
            "textDocumentSync": {"openClose": True, "change": 2, "save": True},
            "experimental": {"redline": {"version": 1}},
        },
        "serverInfo": {"name": "fake"},
    },
}
held = set()


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    with out_lock:
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        sys.stdout.buffer.flush()


def receive():
    size = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            return None
        line = line.strip()
        if not line:
            return json.loads(sys.stdin.buffer.read(size))
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            size = int(value)


def obey(order):
    if "exit" in order:
        os._exit(order["exit"])
    if "on" in order:
        held.discard(order["on"])
        if order.get("hold"):
            held.add(order["on"])
        else:
            answers[order["on"]] = order.get("result")
    else:
        send(order)


def report(test, message):
    with test_lock:
        test.sendall((json.dumps(message) + "\n").encode())


def listen(test):
    for line in test.makefile("r", encoding="utf-8"):
        said = json.loads(line)
        obey(said["order"])
        report(test, {"obeyed": said["number"]})


def play(messages, uri):
    text = json.dumps(messages).replace("${uri}", uri).replace("${dir}", os.path.dirname(uri))
    for message in json.loads(text):
        send(message)


def main():
    test, scene, first = None, {}, ""
    if "FAKE_SOCKET" in os.environ:
        test = socket.socket(socket.AF_UNIX)
        test.connect(os.environ["FAKE_SOCKET"])
        threading.Thread(target=listen, args=(test,), daemon=True).start()
    if "FAKE_SCENE" in os.environ:
        with open(os.environ["FAKE_SCENE"], encoding="utf-8") as file:
            scene = json.load(file)
        answers.update(scene.get("on", {}))
    while (message := receive()) is not None:
        if test:
            report(test, message)
        method = message.get("method")
        if method == "exit":
            return
        if method == "textDocument/didOpen":
            first = first or message["params"]["textDocument"]["uri"]
        if method and "id" in message and method not in held:
            send({"id": message["id"], "result": answers.get(method)})
        play(scene.get("after", {}).get(method or message["id"], []), first)


main()
