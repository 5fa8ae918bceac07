"""bench/programs/torch_hook.py trains one model by DistributedDataParallel and by tacit.torch, and compares their times."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="python3-torch is not installed (tools/setup --tests)")
PROGRAM = pathlib.Path(__file__).parents[2] / "bench/programs/torch_hook.py"


def test_all_ways_train_one_model_and_each_pair_has_a_ratio(tmp_path):
    words = ["--tacit", os.environ["TACIT"], "--json", tmp_path / "hook.json", "--ranks", "2", "--pairs", "1", "--iterations", "2",
             "--batch", "4"]
    done = subprocess.run([sys.executable, PROGRAM, *words], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "hook.json").read_text())
    (pair,), ratios = told["pairs"], told["ratios"]
    assert set(pair) == {"ddp-gloo", "hook", "secure-hook"} and set(ratios) == {"hook", "secure-hook"}
    for way in ratios:
        assert ratios[way] == [pair[way]["seconds"] / pair["ddp-gloo"]["seconds"]]
        assert f"{way} / ddp-gloo: {ratios[way][0]:.3f}" in done.stdout
        assert pair[way]["losses"] == pytest.approx(pair["ddp-gloo"]["losses"], rel=1e-3)
    digests = {way: set(one["digests"]) for way, one in pair.items()}
    assert all(len(of_ranks) == 1 for of_ranks in digests.values())  # one model at both ranks
    assert digests["hook"] == digests["secure-hook"] != digests["ddp-gloo"]  # sums of whole numbers, with masks or without
