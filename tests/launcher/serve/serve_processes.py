"""Starts the processes of serve_test.py, and connects its clients to a service."""
import http.client
import json
import os
import socket
import subprocess
import time

SOON = 60  # seconds


def expect(what, holds):
    if not holds:
        raise SystemExit(f"serve_test: {what}")


def run(words, folder, code=0):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    expect(f"{' '.join(words)} ended with {done.returncode}\n{done.stdout}\n{done.stderr}", done.returncode == code)
    return done


_held = []  # sockets


def free_port():
    """A port that this process keeps from all others. A program that listens with SO_REUSEADDR, as tacit does, can have it."""
    one = socket.socket()
    one.bind(("127.0.0.1", 0))
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _held.append(one)
    return one.getsockname()[1]


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=SOON)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(SOON)
        self.sock.connect(self.path)


class Process:
    """A rank, or a launch, which writes its output into files and never waits for a reader."""

    def __init__(self, words, folder, name):
        self.name, self.err_path = name, os.path.join(folder, f"{name}.err")
        self.out_path = os.path.join(folder, f"{name}.out")
        with open(self.err_path, "w") as err, open(self.out_path, "w") as out:
            self.process = subprocess.Popen(words, cwd=folder, stdout=out, stderr=err, stdin=subprocess.DEVNULL)

    def err(self):
        with open(self.err_path) as file:
            return file.read()

    def out(self):
        with open(self.out_path) as file:
            return file.read()

    def says(self, text):
        until = time.monotonic() + SOON
        while text not in self.err():
            ended = self.process.poll()
            expect(f"{self.name} ended with {ended} without \"{text}\":\n{self.err()}", ended is None)
            expect(f"{self.name} does not say \"{text}\":\n{self.err()}", time.monotonic() < until)
            time.sleep(0.02)

    def ends(self, code):
        ended = self.process.wait(SOON)
        expect(f"{self.name} ended with {ended}, not {code}:\n{self.err()}{self.out()}", ended == code)


def request(path, body, method="POST", target="/v1/predictions", headers=None, port=None):
    """One request on a connection of its own: the status, the JSON, the headers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SOON) if port else UnixConnection(path)
    connection.request(method, target, body if body is None or isinstance(body, (str, bytes)) else json.dumps(body),
                       headers or {})
    response = connection.getresponse()
    answer = response.status, json.loads(response.read()), dict(response.getheaders())
    connection.close()
    return answer


def wait_for(path):
    until = time.monotonic() + SOON
    while not os.path.exists(path):
        expect(f"{path} does not come", time.monotonic() < until)
        time.sleep(0.01)
