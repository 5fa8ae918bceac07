"""Programs of several ranks: in threads over a mesh in memory, or in processes over TLS."""

import os
import pathlib
import socket
import subprocess
import sys
import threading

import tacit.net


def threads(parties, program, **options):
    """The result of the program at each rank, or its exception."""
    meshes, results = tacit.net.in_memory(parties, **options), [None] * parties

    def run(mesh):
        try:
            with mesh:
                results[mesh.rank] = program(mesh)
        except BaseException as error:  # for the test to judge
            results[mesh.rank] = error

    ranks = [threading.Thread(target=run, args=(mesh,)) for mesh in meshes]
    for rank in ranks:
        rank.start()
    for rank in ranks:
        rank.join()
    return results


def results_of(parties, program, **options):
    """The results of all ranks. Raises the first exception of a rank."""
    results = threads(parties, program, **options)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


class Processes:
    """Keys and a roster in a folder, and processes of Python that join over TLS."""

    def __init__(self, folder, parties):
        self.folder, self.parties = pathlib.Path(folder), parties
        command = os.environ["TACIT"]
        shown = []
        for rank in range(parties):
            self._tacit(command, "keys", "new", f"rank{rank}.key")
            shown += ["--party", self._tacit(command, "keys", "show", f"rank{rank}.key").splitlines()[0]]
        (self.folder / "roster").write_text(self._tacit(command, "keys", "roster", *shown))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = str(probe.getsockname()[1])

    def _tacit(self, *words):
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=True).stdout

    def environment(self, rank):
        return {**os.environ, "RANK": str(rank), "WORLD_SIZE": str(self.parties), "MASTER_ADDR": "127.0.0.1",
                "MASTER_PORT": self.port, "TACIT_KEY": f"rank{rank}.key", "TACIT_ROSTER": "roster"}

    def start(self, rank, program):
        return subprocess.Popen([sys.executable, "-c", program], cwd=self.folder, env=self.environment(rank), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, program):
        """Exit code, output and errors of every rank."""
        started = [self.start(rank, program) for rank in range(self.parties)]
        outputs = [process.communicate(timeout=60) for process in started]
        return [(process.returncode, *output) for process, output in zip(started, outputs)]
