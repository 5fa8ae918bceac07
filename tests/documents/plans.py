"""The plan for each block of commands in the documents, in their order. A block is named by the
beginning of its first line. A block without a plan, or a plan without a block, fails its
document's test. A document without such blocks needs no line here.

Save()          a file: its first line is a comment with its name
Run()           in a shell, from a folder with a copy of examples/; `instead` names the replacement, and why
KillAndGoOn(r)  each line in its own shell, all at once; rank r is killed once it has a checkpoint; then all again
Shows()         output: its lines are among those of the commands before it, for any numbers; "..." is any line
NotRun(why)
"""

from dataclasses import dataclass


@dataclass
class Save:
    pass


@dataclass
class Run:
    instead: str = ""
    why: str = ""


@dataclass
class KillAndGoOn:
    rank: int


@dataclass
class Shows:
    pass


@dataclass
class NotRun:
    why: str


PACKAGE = "tests/package runs the same commands with folders of its own"

PLANS = {
    "README.md": [
        ("tools/demo", Run(instead="tacit demo", why="tools/demo builds first; .ci/run runs both")),
        ("Who holds what:", Shows()),
        ("100% tests passed", NotRun("the end of tools/test, which this is part of")),
        ("cmake --preset release", NotRun(PACKAGE)),
        ("import tacit", NotRun("python_readme_test runs it with a graph of its own")),
        ("# make_graph.py", Save()),
        ("# mine.toml", Save()),
        ("python3 make_graph.py", Run()),
        ("rank    role", Shows()),
        ("tacit plan mine.toml", Run()),
        ("exactly ", Shows()),
        ("for rank in 0 1 2 3", Run()),
        ("RANK=0 tacit train", KillAndGoOn(1)),
        ("tacit: rank 1", Shows()),
        ("rank 1: goes on", Shows()),
        ("cmake --preset release", NotRun("tools/test does this, and runs this test")),
    ],
    "docs/guide/data.md": [
        ("[data]", NotRun("a part of a job; plan_measured_test trains a whole one")),
        ("# people_rules.toml", Save()),
        ("tacit data clean people.csv", NotRun("data_clean_test cleans such a table")),
        ("tacit data sum-statistics", NotRun("needs the ranks of a job; noisy_statistics_test runs the same commands")),
        ("tacit data make census", Run()),
        ("census.npz: 20000 rows", Shows()),
    ],
    "docs/guide/predictions.md": [
        ("# make_new.py", Save()),
        ("python3 make_new.py", Run()),
        ("tacit launch --serve", NotRun("runs until Ctrl-C; serve_test runs it")),
        ("curl --unix-socket", NotRun("asks the service that does not run here; serve_test asks so")),
        ("tacit launch -n 3 mine.toml --output runs/shown", Run()),
    ],
    "docs/guide/private-training.md": [
        ("[training]", NotRun("a part of a job; private_training_test runs a whole one")),
        ('correlations = "none"', NotRun("a part of a job; private_training_test runs a whole one")),
        ("[model]", NotRun("a part of a job; private_training_test runs a whole one")),
        ("tacit attack membership", NotRun("jobs that are not here; attack_test attacks models of whole trainings")),
    ],
    "CONTRIBUTING.md": [("tools/test", NotRun("this is part of tools/test"))],
    "bench/README.md": [("cmake --preset release", NotRun("tools/test does this, and this is its build folder")),
                        ("tacit bench all", NotRun("takes an hour; tests/bench/tables runs each verb for seconds")),
                        ("tacit bench gradients", NotRun("needs libtorch; tests/bench/tables runs the verb")),
                        ("PYTHONPATH=build/release/python", NotRun("takes minutes; python_torch_bench_test runs it for seconds")),
                        ("# prices.toml", Save()),
                        ("tacit bench data-parallel", Run()),
                        ("tacit data make pictures", NotRun("needs libtorch; gradient_trainer_test trains with ranks"))],
    "bench/results/README.md": [],
    "docs/api.md": [],
    "docs/job-file.md": [],
    "docs/notebooks/6-gradients.ipynb": [("with tacit.net.from_env", NotRun("python_torch_test trains so over TLS"))],
    "docs/notebooks/README.md": [("PATH=$PWD", NotRun("opens a browser; python_notebooks_test executes the notebooks"))],
    "docs/spec/README.md": [("def masked", NotRun("a function of protocols.py")),
                            ("python3 docs/spec/checks.py", NotRun("spec_test runs all three with fewer samples"))],
    "gnn/README.md": [
        ("model = torch_geometric", NotRun("needs PyTorch Geometric; the test of tacit export holds the names and shapes")),
        ("cmake --preset release", NotRun(PACKAGE)),
        ("RANK=0 WORLD_SIZE=3", NotRun(PACKAGE)),
    ],
    "gnn/data/README.md": [("m = scipy.sparse", NotRun("needs scipy; graph_npz_test has a file that it wrote so")),
                           ("from,to,to_rank", NotRun("node_ids_test has such files")),
                           ("numpy.savez_compressed", NotRun("snapshots_test writes and trains on such files"))],
    "launcher/README.md": [("$ tacit privacy account", NotRun("privacy_test compares these numbers")),
                           ("RANK=1 WORLD_SIZE=4", NotRun("one rank of four: README.md's are run")),
                           ("RANK=1 WORLD_SIZE=4", NotRun("one rank of four: align_test runs all"))],
    "net/README.md": [("cmake -S examples/gradients", NotRun("gradients_test.sh builds and runs the example where libtorch is"))],
    "python/README.md": [("import numpy, tacit", NotRun("python_readme_test runs it and compares the output")),
                         ("[[0. ]", NotRun("python_readme_test compares it")),
                         ("import numpy, tacit", NotRun("python_readme_test runs it")),
                         ("import numpy, tacit.net", NotRun("python_readme_test runs it at three ranks")),
                         ("tacit.torch.synchronise", NotRun("a part of a training; python_torch_test runs whole ones")),
                         ("synchronised = ", NotRun("a part of a training; python_torch_test runs whole ones")),
                         ("everyone who sees", NotRun("python_readme_test compares it"))],
    "tests/fuzz/README.md": [("ctest --test-dir build/release", NotRun("fuzzers_test builds and runs the programs so"))],
}
