#!/usr/bin/python3
"""The time of an iteration with tacit.torch.synchronise beside PyTorch's DistributedDataParallel over Gloo.

    PYTHONPATH=build/release/python python3 bench/programs/torch_hook.py --tacit build/release/launcher/tacit --json hook.json

VGG-11 on made pictures, every rank a process on this machine with one thread. A pair is a training of each way, one after the
other, the next pair in the other order. The time of a training is the median of its iterations after the first, at rank 0.
The program prints the median, least and largest ratio of the pairs to DistributedDataParallel, and writes all numbers.
Gloo sends plain TCP; Tacit sends over TLS 1.3.
"""

import argparse
import json
import os
import pathlib
import platform
import socket
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TRAINER = pathlib.Path(__file__).parent / "ddp_gloo.py"
PEER, HOOKS = "ddp-gloo", ("hook", "secure-hook")


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tacit", required=True, type=pathlib.Path, help="the command, for keys and pictures")
    parser.add_argument("--json", type=pathlib.Path, help="a file for all numbers")
    for name, default in (("ranks", 4), ("pairs", 5), ("iterations", 6), ("batch", 64)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("--ways", default=",".join(HOOKS), help="of these: " + ", ".join(HOOKS))
    given = parser.parse_args()
    given.ways = given.ways.split(",")
    if not set(given.ways) <= set(HOOKS):
        parser.error(f"--ways: expected of {', '.join(HOOKS)}")
    if given.iterations < 2:
        parser.error("--iterations: expected at least 2: the first one is not counted")
    return given


class Trainings:
    """Keys, pictures, and trainings of all ranks in a folder."""

    def __init__(self, folder, given):
        self.folder, self.given = folder, given
        self.tacit = given.tacit.resolve()
        self.pictures = folder / "pictures"
        pictures = given.ranks * given.batch * given.iterations
        self._command("data", "make", "pictures", "--output", self.pictures, "--train", max(pictures, 100), "--test", 100)
        shown = []
        for rank in range(given.ranks):
            self._command("keys", "new", folder / f"rank{rank}.key")
            shown += ["--party", self._command("keys", "show", folder / f"rank{rank}.key").splitlines()[0]]
        (folder / "roster").write_text(self._command("keys", "roster", *shown))

    def _command(self, *words):
        return subprocess.run([self.tacit, *map(str, words)], check=True, capture_output=True, text=True).stdout

    def train(self, way):
        """The measurements of each rank."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        ranks = []
        for rank in range(self.given.ranks):
            seat = {"RANK": str(rank), "WORLD_SIZE": str(self.given.ranks), "MASTER_ADDR": "127.0.0.1",
                    "MASTER_PORT": str(port), "TACIT_KEY": str(self.folder / f"rank{rank}.key"), "TACIT_ROSTER": str(self.folder / "roster"),
                    "GLOO_SOCKET_IFNAME": "lo"}
            words = ["--way", way, "--data", self.pictures, "--batch", self.given.batch, "--iterations", self.given.iterations,
                     "--batch-norm", "--json", self.folder / f"{rank}.json"]
            ranks.append(subprocess.Popen([sys.executable, TRAINER, *map(str, words)], env={**os.environ, **seat},
                                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
        told = [rank.communicate()[1] for rank in ranks]
        for rank, process in enumerate(ranks):
            if process.returncode != 0:
                sys.exit(f"torch_hook: rank {rank} of {way} ended with {process.returncode}: {told[rank]}")
        return [json.loads((self.folder / f"{rank}.json").read_text()) for rank in range(self.given.ranks)]


def seconds(training):
    return statistics.median(iteration["seconds"] for iteration in training[0]["iterations"][1:])


def main():
    given = options()
    measured = []
    with tempfile.TemporaryDirectory(prefix="torch-hook-") as folder:
        trainings = Trainings(pathlib.Path(folder), given)
        for number in range(given.pairs):
            order = [PEER, *given.ways] if number % 2 == 0 else [*reversed(given.ways), PEER]
            pair = {way: trainings.train(way) for way in order}
            measured.append({way: {"seconds": seconds(ranks), "cpu_seconds": [rank["cpu_seconds"] for rank in ranks],
                                   "resident_bytes": [rank["resident_bytes"] for rank in ranks],
                                   "digests": [rank["digest"] for rank in ranks], "losses": [rank["epochs"][-1]["train_loss"]
                                                                                            for rank in ranks]}
                             for way, ranks in pair.items()})
            print(f"pair {number + 1} of {given.pairs}: " + ", ".join(f"{way} {one['seconds'] * 1e3:.0f} ms"
                                                                      for way, one in sorted(measured[-1].items())), flush=True)
    answer = {"ranks": given.ranks, "batch": given.batch, "iterations": given.iterations, "cores": os.cpu_count(),
              "machine": platform.machine(), "pairs": measured, "ratios": {}}
    for way in given.ways:
        ratios = [pair[way]["seconds"] / pair[PEER]["seconds"] for pair in measured]
        answer["ratios"][way] = ratios
        print(f"{way} / {PEER}: {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})")
    if given.json:
        given.json.write_text(json.dumps(answer, indent=1) + "\n")


if __name__ == "__main__":
    main()
