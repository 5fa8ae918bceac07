#!/usr/bin/env python3
"""documents_test.py TACIT SOURCE what: runs the commands that documents show, following
plans.py.

complete        every block of every Markdown file, and of the text of every notebook, has a plan; every plan has its block;
                and every link leads to a file
README.md ...   the commands of these documents, one after the other in one folder, with outputs like the documents'
jobs            the commands in the heads of examples/jobs/*.toml, and the job itself for two epochs

Exit code 77: a Python module is missing that a document uses."""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import blocks
import plans

TACIT, SOURCE, WHAT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
LIMIT = 400  # seconds, for one block


def fail(what):
    sys.exit(f"documents_test: {what}")


GENERATED = ["docs/api.md"]  # its blocks are comments of headers


def planned(name):
    """Pairs each block of a document with its plan."""
    if name in GENERATED:
        return []
    found = blocks.fenced(SOURCE / name, name)
    plan = plans.PLANS.get(name, [])
    for block, (begin, _) in zip(found, plan):
        if not block.lines or not block.lines[0].startswith(begin):
            fail(f'{block.place}: plans.py has "{begin}" here; say there how to test this block')
    if len(found) > len(plan):
        fail(f"{found[len(plan)].place}: plans.py does not say how to test this block")
    if len(found) < len(plan):
        fail(f'{name} has no block "{plan[len(found)][0]}", but plans.py does')
    return [(block, step) for block, (_, step) in zip(found, plan)]


def check_complete():
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "*.md", "*.ipynb"], capture_output=True, text=True, check=False)
    names = listed.stdout.split() if listed.returncode == 0 else [
        str(path.relative_to(SOURCE)) for pattern in ("*.md", "*.ipynb") for path in SOURCE.rglob(pattern)
        if "build" not in path.relative_to(SOURCE).parts]
    names = sorted(set(names) | set(plans.PLANS))
    for name in names:
        if not (SOURCE / name).exists():
            fail(f"plans.py has a plan for {name}, which is not there")
        planned(name)
        broken = blocks.broken_links(SOURCE / name)
        if broken:
            fail(f"{name} links to missing files: {', '.join(broken)}")
    print(f"{len(names)} documents")


class Shell:
    """Runs commands in a folder with the built tacit, and remembers their output."""

    def __init__(self, folder):
        self.folder = folder
        self.said = []
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = str(probe.getsockname()[1])
        (folder / "bin").mkdir()
        (folder / "bin/tacit").symlink_to(TACIT.resolve())
        (folder / "bin/python3").symlink_to(sys.executable)  # the Python with the modules
        self.environment = {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8",
                            "TMPDIR": str(folder), "WORLD_SIZE": "4", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": self.port}

    def start(self, text):
        # setpriv: if this test is killed, its processes end with it.
        words = ["setpriv", "--pdeathsig", "KILL", "bash", "-euc", text]
        return subprocess.Popen(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)

    def finish(self, process, place, expected=0):
        try:
            said, _ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
            fail(f"{place}: not done after {LIMIT} s: {said}")
        self.said += said.splitlines()
        if process.returncode != expected:
            fail(f"{place}: ended with {process.returncode}, not {expected}: {said}")

    def run(self, text, place):
        self.said = []
        self.finish(self.start(text), place)

    def start_ranks(self, block):
        return [self.start("exec env " + line) for line in block.lines]

    def run_at_once(self, block):
        for process in self.start_ranks(block):
            self.finish(process, block.place)

    def kill_one(self, block, rank):
        ranks = self.start_ranks(block)
        events = self.folder / f"runs/rank{rank}/events.jsonl"
        until = time.monotonic() + LIMIT
        while not (events.exists() and '"checkpoint"' in events.read_text()):
            if time.monotonic() > until or any(each.poll() is not None for each in ranks):
                for each in ranks:
                    each.kill()
                fail(f"{block.place}: no checkpoint was written: {[each.communicate()[0] for each in ranks]}")
            time.sleep(0.01)
        ranks[rank].kill()
        for number, process in enumerate(ranks):
            self.finish(process, block.place, -signal.SIGKILL if number == rank else 3)


def shape(line):
    """A line without the parts that differ from run to run: numbers, fingerprints, folders, and
    the peer in waiting."""
    line = re.sub(r"/\S*?/(?=runs/)", "", line)
    line = re.sub(r"it closed the connection during \w+|the connection broke[^;(]*", "GONE", line)
    line = re.sub(r" \(reported by rank \d\)", "", line)
    line = re.sub(r"rank \d was (waiting for|sending|at work)[^;]*", "BUSY", line)
    line = re.sub(r"\d[\d.]*( [km]?s\b| [kM]?B\b|(?= [a-z]*/epoch))", "N", line)
    line = re.sub(r"\d[\d.,]*", "N", line)
    return re.sub(r"\s+", " ", line.strip())


def expect_shown(block, said):
    shapes = {shape(line) for line in said}
    for line in block.lines:
        if line.strip() not in ("", "...") and shape(line) not in shapes:
            near = [other for other in said if shape(other).split()[:2] == shape(line).split()[:2]]
            fail(f"{block.place} shows \"{line}\", but no command printed it; nearest: {near[:5]}\n" +
                 ("" if near else "\n".join(said)))


def follow(names, folder):
    shutil.copytree(SOURCE / "examples", folder / "examples")
    shell = Shell(folder)
    for block, step in (each for name in names for each in planned(name)):
        if isinstance(step, plans.Save):
            (folder / re.match(r"# ([\w.]+)", block.lines[0])[1]).write_text(block.text)
        elif isinstance(step, plans.Run):
            shell.run(step.instead or block.text, block.place)
        elif isinstance(step, plans.KillAndGoOn):
            shell.said = []
            shell.kill_one(block, step.rank)
            shell.run_at_once(block)
        elif isinstance(step, plans.Shows):
            expect_shown(block, shell.said)


def run_jobs(folder):
    for job in sorted((SOURCE / "examples/jobs").glob("*.toml")):
        place = folder / job.stem
        place.mkdir()
        shutil.copy(job, place)
        shell = Shell(place)
        commands = blocks.in_comments(job)
        if len(commands) < 2:
            fail(f"{job.name}: the comment at the head does not say how to make the data")
        for command in commands:
            shell.run(command, job.name)
        shell.run(f"tacit launch {job.name} --output run --set training.epochs=2", job.name)


def main():
    if WHAT == ["complete"]:
        return check_complete()
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("documents_test: skipped: python3-numpy is not installed (tools/setup --tests)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if WHAT == ["jobs"]:
            run_jobs(folder)
        else:
            follow(WHAT, folder)


if __name__ == "__main__":
    main()
