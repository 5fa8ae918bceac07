"""Jobs and their TOML text, the schema for editors, and plans."""

import copy
import os
import pathlib
import pickle
import random
import string
import subprocess
import sys
import tomllib

import numpy
import pytest
import small_data
import tacit
from tacit import _job, _toml

SOURCE = pathlib.Path(__file__).parents[2]


def random_value(draw, depth):
    letters = string.printable + "äß漢\U0001f600\x01\x7f\"\\'"
    kinds = [lambda: draw.choice([True, False]), lambda: draw.randint(-2**63, 2**63 - 1),
             lambda: draw.uniform(-1, 1) * 10**draw.randint(-300, 300),
             lambda: draw.choice([float("inf"), -0.0, 5e-324, 1e16]),
             lambda: "".join(draw.choice(letters) for _ in range(draw.randint(0, 9)))]
    if depth:
        kinds += [lambda: [random_value(draw, depth - 1) for _ in range(draw.randint(0, 3))],
                  lambda: random_table(draw, depth - 1),
                  lambda: [random_table(draw, depth - 1) for _ in range(draw.randint(1, 3))]]
    return draw.choice(kinds)()


def random_table(draw, depth):
    keys = ["a", "b-c", "d_1", "", "with space", "quoted\"", "ä", "x.y", "9"]
    return {key: random_value(draw, depth) for key in draw.sample(keys, draw.randint(0, 4))}


def test_the_text_of_a_job_is_read_back_as_the_same_values():
    draw = random.Random(20)
    for _ in range(500):
        tables = random_table(draw, 4)
        assert tomllib.loads(_toml.dumps(_toml.plain(tables, ""))) == tables, tables


@pytest.mark.parametrize("tables,sentence", [
    ({"a": {"b": {1, 2}}}, "a.b is of the type set; expected text, a number"),
    ({"a": [2**63]}, "a[0] is 9223372036854775808; expected a number of at most 64 bits"),
    ({"a": {3: 1}}, "a: the key 3 is no text"),
    ({"a": "\ud800"}, "a: the text has a surrogate"),
])
def test_what_toml_cannot_have_is_refused_with_its_key(tables, sentence):
    with pytest.raises(tacit.ConfigError) as refused:
        _toml.plain(tables, "")
    assert sentence in str(refused.value)


@pytest.mark.parametrize("name", ["sensors", "payments", "citations"])
def test_a_job_of_a_file_is_that_of_the_command(name, tmp_path):
    path = SOURCE / f"examples/jobs/{name}.toml"
    job = tacit.Job.read(path)
    of_command = tomllib.loads(small_data.command("settings", "--job", path)["job"])
    assert job.settings == of_command and job.name == name and job.parties == of_command["parties"]
    assert job.tables["data"]["files"] == str(path.parent / "rank{rank}.npz")
    job.save(tmp_path / "elsewhere.toml")  # its paths do not depend on the folder
    again = tacit.Job.read(tmp_path / "elsewhere.toml")
    assert again == job and hash(again) == hash(job)
    assert {**again.settings, "output": None} == {**job.settings, "output": None}


@pytest.mark.parametrize("tables", [{"trainin": {"epochs": 5}}, {"training": {"epoch": 5}}, {"training": {"epochs": "five"}},
                                    {"training": {"optimiser": {"kind": "sgd", "beta1": 0.5}}}, {"parties": 0},
                                    {"model": {"layers": [{"kind": "gcn", "output": 3}]}}])
def test_a_wrong_key_or_value_is_the_sentence_of_the_command(tables, tmp_path):
    whole = {**small_data.job().tables, **tables}
    with pytest.raises(tacit.ConfigError) as refused:
        tacit.Job(**whole)
    (tmp_path / "job.toml").write_text(_toml.dumps(_toml.plain(whole, "")))
    told = small_data.command("settings", "--job", tmp_path / "job.toml", code=2)["error"]
    assert str(tmp_path) in told and str(refused.value) == told[told.index(": ") + 2:]
    with pytest.raises(tacit.ConfigError) as refused:
        tacit.Job.read(tmp_path / "job.toml")
    assert str(refused.value) == told


def test_a_key_that_is_nearly_right_has_a_hint():
    with pytest.raises(tacit.ConfigError, match="there is no such setting; did you mean training.epochs?"):
        small_data.job(training={"epoch": 5})


def test_a_job_never_changes_and_is_replaced_by_a_copy():
    given = {"hidden": 4}
    job = small_data.job(model={"gcn": given})
    given["hidden"] = 9
    job.tables["model"]["gcn"]["hidden"] = job.settings["training"]["epochs"] = 9
    assert job.tables["model"] == {"gcn": {"hidden": 4}} and job.settings["training"]["epochs"] == 6
    for change in (lambda: setattr(job, "training", {"epochs": 5}), lambda: setattr(job, "name", "x"),
                   lambda: delattr(job, "name")):
        with pytest.raises(AttributeError, match="a job never changes; expected a copy"):
            change()
    longer = job.replace(training={"epochs": 50}, reveal=None)
    assert longer.settings["training"]["epochs"] == 50 and job.settings["training"]["epochs"] == 6
    assert longer.tables["training"]["optimiser"] == job.tables["training"]["optimiser"] and "reveal" not in longer.tables
    assert job.replace(model={"layers": [{"kind": "gcn", "outputs": 1}]}).tables["model"].keys() == {"layers"}
    assert pickle.loads(pickle.dumps(job)) == job == copy.deepcopy(job) and job != longer
    assert eval(repr(job), {"Job": tacit.Job}) == job


def test_values_of_numpy_and_paths_are_those_of_python(tmp_path):
    job = small_data.job(training={"epochs": numpy.int64(7), "optimiser": {"kind": "sgd", "rate": numpy.float64(0.25)}},
                         data={"files": [tmp_path / "a.npz", "b.npz"]})
    assert job.settings["training"]["epochs"] == 7 and job.settings["training"]["optimiser"]["rate"] == 0.25
    assert job.tables["data"]["files"] == [str(tmp_path / "a.npz"), str(pathlib.Path.cwd() / "b.npz")]


def test_the_paths_of_a_job_are_those_of_the_schema():
    settings = small_data.command("settings")["settings"]
    kinds = ("a file's path", "a folder's path")
    assert set(_job.PATHS) == {one["name"] for one in settings if one["allowed"].startswith(kinds)}


def test_the_schema_for_editors_is_that_of_the_command():
    made = subprocess.run([sys.executable, SOURCE / "tools/python-schema", os.environ["TACIT"]], capture_output=True, text=True,
                          check=True).stdout
    assert (SOURCE / "python/tacit/_job_schema.pyi").read_text() == made, \
        "make it anew: tools/python-schema build/release/launcher/tacit >python/tacit/_job_schema.pyi"


def test_a_type_checker_finds_a_wrong_key_and_a_wrong_value(tmp_path):
    mypy = pytest.importorskip("mypy.api")
    program = tmp_path / "program.py"
    start = 'import tacit\njob = tacit.Job(name="x", training={%s})\nlonger: tacit.Job = job.replace(parties=3)\n'
    for inside, sentence in (('"epochs": 5, "optimiser": "adam"', "Success"), ('"epoch": 5', 'Extra key "epoch"'),
                             ('"epochs": "five"', "str"), ('"loss": "mean"', "mean")):
        program.write_text(start % inside)
        told, wrong, _ = mypy.run([str(program), "--cache-dir", str(tmp_path / "cache")])
        assert sentence in told, told + wrong


@pytest.mark.parametrize("parties,rows", [(2, False), (3, True)])
def test_a_plan_is_that_of_the_command(tmp_path, parties, rows):
    job, graph = small_data.job(parties, rows), tacit.Graph(**small_data.arrays())
    plan = tacit.plan(job, graph.split(job), rtt=10, bandwidth=50)
    graph.save(tmp_path / "whole.npz")
    job.save(tmp_path / "job.toml")
    told = small_data.command("plan", tmp_path / "job.toml", "--graph", tmp_path / "whole.npz", "--rtt", 10, "--bandwidth", 50)
    assert plan.json["ranks"] == told["ranks"] and plan.reveals == told["reveals"] and plan.memory == told["memory"]
    assert plan.exact and plan.bytes == max(rank["total"]["bytes"] for rank in told["ranks"])
    assert plan.rounds == told["ranks"][0]["total"]["rounds"] and len(plan.seconds) == len(told["links"])
    text = repr(plan)
    assert "training loss" in text and "an epoch" in text and "10 ms, 50 Mbit/s" in text
    assert plan._repr_html_().count("<tr>") == len([line for line in text.splitlines() if line])
    assert tacit.plan(job, graph=graph).json["ranks"] == told["ranks"]


def test_a_plan_without_a_dealer_bounds_its_leakage():
    job, graph = small_data.job(2), tacit.Graph(**small_data.arrays())
    assert tacit.plan(job, graph=graph).leakage is None
    plan = tacit.plan(job.replace(correlations="pairwise"), graph=graph)
    assert 0 < plan.leakage <= 2**-40 and "2^-" in repr(plan)
    told = max(rank["total"]["made_leakage"] for rank in plan.json["ranks"]) / 2**90
    assert plan.leakage == pytest.approx(told)  # the plan tells its logarithm


def test_a_plan_has_a_frame():
    pytest.importorskip("pandas")
    plan = tacit.plan(small_data.job(2), graph=tacit.Graph(**small_data.arrays()))
    assert plan.frame.loc["all", "rounds"] == plan.rounds


def test_a_plan_refuses_what_contradicts_itself():
    job, graph = small_data.job(2), tacit.Graph(**small_data.arrays())
    parts = graph.split(job)
    for given, sentence in (({"parts": parts, "graph": graph}, "expected one of them"), ({"rtt": 3}, "belong together"),
                            ({"parts": graph}, "parts is one graph"), ({"parts": parts[:1]}, "there are 1 parts; expected 2"),
                            ({"parts": parts[::-1]}, "part 0 is rank 1's"), ({}, "data.files")):
        with pytest.raises(tacit.ConfigError, match=sentence):
            tacit.plan(job, **given)


def test_a_missing_command_is_named_with_the_remedy(monkeypatch, tmp_path):
    monkeypatch.setenv("TACIT_PROGRAM", str(tmp_path / "none"))
    with pytest.raises(tacit.ConfigError, match="TACIT_PROGRAM is .*none, which is no program"):
        small_data.job()
    monkeypatch.delenv("TACIT_PROGRAM")
    monkeypatch.setattr("tacit._program._HERE", pathlib.Path("/a/b/c/d"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(tacit.ConfigError, match="the command tacit is not found; expected it in PATH"):
        small_data.job()
