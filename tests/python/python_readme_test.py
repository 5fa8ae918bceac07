"""The code of python/README.md runs and prints the text of the document."""

import contextlib
import io
import pathlib
import re
import types

import numpy
import ranks

README = pathlib.Path(__file__).parents[2] / "python/README.md"
TOP = README.parents[1] / "README.md"


def blocks(document=README):
    """(language, text) of each block."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)


def run(code, names):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, str(README), "exec"), names)
    return output.getvalue()


def test_the_worked_example_shows_what_it_says():
    (language, code), (_, shown) = blocks()[:2]
    assert language == "python" and "tacit.mpc" in code
    assert run(code, {}) == shown


def test_the_training_runs_and_its_model_equals_the_predictions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    language, code = blocks()[2]
    assert language == "python" and "tacit.launch" in code
    names = {}
    shown = run(code, names)
    assert "an epoch" in shown and "training loss" in shown and str(tmp_path / "runs/ring/report.html") in shown
    assert float(shown.splitlines()[-1]) < 0.1 < names["predictions"].std()
    assert names["run"].metrics["test rmse"] < 0.9 * names["graph"].y.std()


def test_the_lines_of_the_first_page_run_on_a_graph(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, = (text for language, text in blocks(TOP) if language == "python" and "from_pyg" in text)
    assert len(code.splitlines()) <= 8
    random = numpy.random.default_rng(1)
    y = random.integers(7, size=210)
    data = types.SimpleNamespace(x=numpy.eye(7)[y] + random.normal(size=(210, 7)) / 4, y=y,
                                 edge_index=numpy.stack([numpy.argsort(y), numpy.roll(numpy.argsort(y), 1)]))
    names = {"data": data}
    shown = run(code, names)
    assert shown.startswith(str(names["run"].metrics["test accuracy"])) and names["run"].metrics["test accuracy"] > 0.5


def test_the_sums_run_at_three_ranks_over_tls(tmp_path):
    language, code = blocks()[3]
    assert language == "python" and "from_env" in code
    check = "\n    print(total.sum(), mean.sum())"
    results = ranks.Processes(tmp_path, 3).run(code + check)
    assert [code for code, _, _ in results] == [0, 0, 0], results
    assert len({output for _, output, _ in results}) == 1  # equal bits at every rank
    total, mean = map(float, results[0][1].split())
    assert abs(total / 3 - mean) < 1e-5


def test_the_epsilons_are_those_of_the_noise_beside_them():
    (_, code), (_, shown) = blocks()[5:7]
    clip, noise = map(float, re.search(r"clip=([\d.]+), noise=([\d.]+)", code).groups())
    delta, steps = re.search(r"delta=(\S+), steps=(\d+)", code).groups()

    def program(mesh):
        return mesh.gradients([(10,)], secure=True, clip=clip, noise=noise).epsilon(float(delta), int(steps))

    told = ranks.results_of(4, program)[0]
    assert shown.splitlines() == [f"{who:37} {epsilon:7.3f}" for who, epsilon in told.items()]
