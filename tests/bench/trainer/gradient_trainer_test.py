#!/usr/bin/python3
"""gradient_trainer_test.py TRAINER TACIT PART: VGG-11 trained by one process and by several.

PART is `digests` (all synchronous ways and one process end with the same weights, bit for bit), `async` or `endings`
(refusals, and ranks that die). Exit code 77: the trainer is not built, because libtorch is missing.
"""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from by_day import of_today

trainer, tacit, part = sys.argv[1:]
LIMIT = 240  # seconds for ranks that train, on a busy machine


def expect(condition, what):
    if not condition:
        sys.exit(f"gradient_trainer_test: {what}")


if not pathlib.Path(trainer).exists():
    print(f"gradient_trainer_test: skipped: {trainer} is not built, because libtorch is missing (tools/setup --tests)")
    sys.exit(77)


def command(*words):
    return subprocess.run([tacit, *map(str, words)], check=True, capture_output=True, text=True).stdout


class Place:
    """Keys, rosters and pictures in a folder that goes away, with all processes."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.pictures = self.folder / "pictures"
        command("data", "make", "pictures", "--train", 60, "--test", 20, "--output", self.pictures)
        self.prints = []
        for rank in range(3):
            told = command("keys", "new", self.folder / f"{rank}.key", "--json")
            self.prints.append(json.loads(told)["fingerprint"])
        self.started = []

    def roster(self, ranks):
        file = self.folder / f"roster{ranks}"
        if not file.exists():
            parties = [word for each in self.prints[:ranks] for word in ("--party", each)]
            file.write_text(command("keys", "roster", *parties), encoding="utf-8")
        return file

    def start(self, words, rank=0, ranks=1, port=4711):
        environment = {**os.environ, "RANK": str(rank), "WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1",
                       "MASTER_PORT": str(port)}
        words = [trainer, "--threads", "1", "--json", self.folder / f"{rank}.json", *words]
        if "--data" not in words:
            words += ["--data", self.pictures]
        if ranks > 1:
            words += ["--key", self.folder / f"{rank}.key", "--roster", self.roster(ranks), "--deadline", "60"]
        errors = open(self.folder / f"{rank}.err", "w", encoding="utf-8")
        self.started.append(subprocess.Popen(list(map(str, words)), stderr=errors, env=environment))
        errors.close()
        return self.started[-1]

    def start_all(self, ranks, words, others=None):
        """`others`: words of the ranks after rank 0, if they differ."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        return [self.start(others if others and rank else words, rank, ranks, port) for rank in range(ranks)]

    def ends(self, processes):
        """Exit codes and the last words of each."""
        until = time.monotonic() + LIMIT
        codes = [process.wait(timeout=max(1, until - time.monotonic())) for process in processes]
        return codes, [(self.folder / f"{rank}.err").read_text(encoding="utf-8") for rank in range(len(processes))]

    def measured(self, ranks, *words):
        processes = [self.start(words)] if ranks == 1 else self.start_all(ranks, words)
        codes, errors = self.ends(processes)
        expect(codes == [0] * ranks, f"{words} ended with {codes}: {errors}")
        return [json.loads((self.folder / f"{rank}.json").read_text(encoding="utf-8")) for rank in range(ranks)]

    def wait_for(self, rank, text):
        until = time.monotonic() + LIMIT
        while text not in (self.folder / f"{rank}.err").read_text(encoding="utf-8"):
            expect(time.monotonic() < until, f"rank {rank} never said \"{text}\"")
            time.sleep(0.1)

    def close(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.wait()


def check_digests(place):
    # bench_gradients_test compares the weights of all ways in every run.
    ways = ["gather-scatter", "per-layer", "ring", "two-phase", "buckets", "secure-sum"]
    for ranks, chosen in ((2, of_today(ways, 3)), (3, of_today(["buckets", "secure-sum"], 2))):
        same = ["--iterations", 2, "--seed", 3]
        one = place.measured(1, "--way", "single", "--batch", 2 * ranks, "--micro-batches", ranks, *same)[0]
        expect(one["parameters"] == 9225610, f"VGG-11 has {one['parameters']} parameters")
        expect(len(one["iterations"]) == 2 and one["epochs"][0]["tested"] == 20, f"a whole account: {one}")
        for way in chosen:
            all_ranks = place.measured(ranks, "--way", way, "--batch", 2, "--bucket", "1MB", *same)
            for rank in all_ranks:
                expect(rank["digest"] == one["digest"], f"{way}: rank {rank['rank']} of {ranks} has other weights")
            told = [all_ranks[0]["epochs"][0][key] for key in ("test_loss", "correct")]
            expect(told == [one["epochs"][0][key] for key in ("test_loss", "correct")], f"{way}: another test: {told}")
            expect(all_ranks[1]["bytes_sent"] > 2 * 4 * one["parameters"] / 2, f"{way}: too few bytes: {all_ranks[1]}")
    other = place.measured(1, "--way", "single", "--batch", 6, "--micro-batches", 3, "--iterations", 2, "--seed", 4)[0]
    expect(other["digest"] != one["digest"], "another seed ends with the same weights")
    # With batch normalisation, rank 0's statistics come from its own pictures.
    words = ["--batch-norm", "--iterations", 2]
    one = place.measured(1, "--way", "single", "--batch", 8, "--micro-batches", 2, *words)[0]
    two = place.measured(2, "--way", "buckets", "--batch", 4, *words)
    expect(one["parameters"] == 9231114, f"with batch normalisation {one['parameters']} parameters")
    expect({rank["digest"] for rank in two} == {one["digest"]}, "batch normalisation: other weights")
    expect(two[0]["epochs"] != [] and two[0]["epochs"][0]["test_loss"] == one["epochs"][0]["test_loss"],
           "batch normalisation: another test")


def check_async(place):
    words = ["--way", "async", "--batch", 10, "--epochs", 2, "--rate", 0.01]
    all_ranks = place.measured(2, *words, "--staleness", 2)
    for rank in all_ranks:
        expect(len(rank["iterations"]) == 6 and rank["oldest_step"] <= 2, f"staleness of 2: {rank}")
        gradients = 6 * 4 * rank["parameters"]
        expect(gradients < rank["bytes_sent"] < 1.1 * gradients, f"each gradient goes to the peer once: {rank}")
    processes = place.start_all(3, ["--way", "async", "--batch", 2, "--train", 12, "--epochs", 10000, "--rate", 0.001])
    place.wait_for(0, "epoch 1:")
    processes[2].send_signal(signal.SIGKILL)
    codes, errors = place.ends(processes)
    expect(codes == [3, 3, -signal.SIGKILL], f"a lost rank ends all others with 3: {codes} {errors}")
    for rank in (0, 1):
        last = errors[rank].strip().splitlines()[-1]
        expect("rank 2" in last and "iteration" in last, f"rank {rank} names the lost rank and its own step: {last}")


def check_endings(place):
    def refused(sentence, *words):
        codes, errors = place.ends([place.start(words)])
        expect(codes == [2] and sentence in errors[0], f"{words}: {codes} {errors}")

    refusals = [("expected single, gather-scatter, per-layer", "--way", "sometimes"),
                ("--bucket 0: expected at least 8 bytes", "--bucket", "0"),
                ("--bucket 5pounds: expected", "--bucket", "5pounds"),
                ("--micro-batches 2: expected 1 unless", "--way", "ring", "--micro-batches", "2"),
                ("cannot be divided into 3 --micro-batches", "--batch", "8", "--micro-batches", "3"),
                ("needs --key and --roster", "--way", "ring"),
                ("61 training pictures are asked for", "--train", "61"),
                ("data_batch_1.bin is missing", "--data", str(place.folder)),
                ("the training diverges", "--rate", "100", "--batch", "2", "--micro-batches", "2")]
    for refusal in of_today(refusals, 3):  # a start takes seconds, for libtorch
        refused(*refusal)
    refused("the training diverges", "--rate", "100", "--batch", "2")
    one = json.loads((place.folder / "0.json").read_text(encoding="utf-8"))
    expect(one["diverged"] == len(one["iterations"]) > 0 and one["epochs"] == [], f"the iterations before the end: {one}")
    for rank in (0, 1):
        (place.folder / f"{rank}.json").unlink(missing_ok=True)
    codes, errors = place.ends(place.start_all(2, ["--way", "buckets", "--rate", "100", "--batch", "2"]))
    expect(codes == [2, 2], f"two ranks that diverge: {codes} {errors}")
    told = [json.loads(file.read_text(encoding="utf-8")) for file in place.folder.glob("[01].json")]
    expect(told and all(rank["diverged"] > 0 for rank in told), f"a rank reports its iteration: {told} {errors}")

    def all_refused(sentence, words, others=None):
        codes, errors = place.ends(place.start_all(2, words, others))
        expect(codes == [2, 2], f"{words}: {codes} {errors}")
        expect(all(sentence in error for error in errors), f"{words}: {errors}")

    ring = ["--way", "ring", "--iterations", 1]
    all_refused("1 training pictures are too few for 2 ranks", [*ring, "--train", 1])
    all_refused("data_batch_1.bin is missing", ring, [*ring, "--data", place.folder])
    all_refused("--batch", ring, [*ring, "--batch", 3])

    processes = place.start_all(2, ["--way", "buckets", "--batch", 2, "--train", 12, "--epochs", 10000, "--rate", 0.001])
    place.wait_for(0, "epoch 1:")
    processes[1].send_signal(signal.SIGTERM)
    codes, errors = place.ends(processes)
    expect(codes == [3, 128 + signal.SIGTERM], f"after SIGTERM: {codes} {errors}")
    expect("rank 1 has received SIGTERM" in errors[0], f"rank 0 tells why: {errors[0]}")


with tempfile.TemporaryDirectory() as name:
    place = Place(name)
    try:
        {"digests": check_digests, "async": check_async, "endings": check_endings}[part](place)
    finally:
        place.close()
