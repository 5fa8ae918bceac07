"""A revealed model as a function and as a module of PyTorch equals the predictions on shares; new nodes; privacy."""

import math
import shutil

import numpy
import pytest
import small_data
import tacit


@pytest.fixture(scope="module", params=[(2, False, False), (2, True, True), (3, False, True), (3, True, False)])
def trained(request, tmp_path_factory):
    parties, rows, classes = request.param
    job = small_data.job(parties, rows, classes, epochs=80).replace(
        model={"gcn": {"hidden": 8}}, training={"optimiser": {"kind": "adam", "rate": 0.05}})
    graph = tacit.Graph(**small_data.arrays(classes))
    run = tacit.launch(job, graph.split(job), output=tmp_path_factory.mktemp("run")).wait()
    return run, graph, classes


def agree(made, told, classes, nodes):
    """Targets within the rounding on shares. A class may be another one where both are nearly as likely."""
    assert made.shape == told.shape == (nodes,)
    if classes:
        assert (made != told).sum() <= 1 and set(told) == {0, 1}
    else:
        assert numpy.abs(made - told).max() < 0.05 < told.std()


def test_the_model_equals_the_predictions_on_shares_for_old_and_new_nodes(trained):
    run, graph, classes = trained
    model = run.model()
    agree(model(graph), run.predict(to=0), classes, small_data.NODES)
    new = small_data.arrays(classes, seed=7, nodes=24)
    others = tacit.Graph(x=new["x"], edge_index=new["edge_index"])
    told = run.predict(others)
    agree(model(new["x"], new["edge_index"]), told, classes, 24)
    if classes:
        assert (told == new["y"]).mean() > 0.7
    else:
        assert numpy.sqrt(numpy.mean((told - new["y"])**2)) < 0.8 * new["y"].std()
    assert "result" in run.summary[0] and run.metrics  # a prediction leaves the summary of the training


def test_predictions_of_some_nodes_and_their_probabilities(trained):
    run, graph, classes = trained
    some = run.predict(graph, who=[3, 7, 11])
    of_all = run.predict(graph)[[3, 7, 11]]
    assert (some == of_all).all() if classes else numpy.abs(some - of_all).max() < 0.05
    if not classes:
        return
    labels, probabilities = run.predict(graph, probabilities=True)
    assert probabilities.shape == (small_data.NODES, 2) and numpy.abs(probabilities.sum(1) - 1).max() < 0.01
    assert (probabilities.argmax(1) == labels).mean() > 0.95


def test_a_module_of_pytorch_computes_the_same(trained):
    torch = pytest.importorskip("torch")
    run, graph, classes = trained
    model = tacit.load_model(run.folder / "rank0/model.npz")
    module = model.torch()
    with torch.no_grad():
        made = module(torch.from_numpy(graph.x), torch.from_numpy(graph.edge_index)).numpy()
    made = made.argmax(1) if classes else made[:, 0]
    assert (made == model(graph)).all() if classes else numpy.abs(made - model(graph)).max() < 1e-3
    assert sum(parameter.numel() for parameter in module.parameters()) > 0


def test_a_model_of_safetensors_is_the_same(trained, tmp_path):
    run, graph, _ = trained
    small_data.command("export", run.folder, "--out", tmp_path / "model.safetensors")
    assert (tacit.load_model(tmp_path / "model.safetensors")(graph) == run.model()(graph)).all()


def test_a_model_has_the_names_of_its_classes(tmp_path):
    job = small_data.job(2, classes=True, data={"class_names": ["low", "high"]})
    graph = tacit.Graph(**{**small_data.arrays(True), "y": numpy.where(small_data.arrays(True)["y"] > 0, "high", "low")})
    run = tacit.launch(job, graph.split(job), output=tmp_path).wait()
    model = run.model()
    assert model.class_names == ["low", "high"] and set(model.names(model(graph))) <= {"low", "high"}


def test_a_bad_model_or_graph_is_named(trained, tmp_path):
    run, graph, _ = trained
    model = run.model()
    with pytest.raises(tacit.ConfigError, match="x has 3 columns; expected 5, as in the training"):
        model(graph.x[:, :3], graph.edge_index)
    with pytest.raises(tacit.ConfigError, match="edges begin or end at a node that is not there"):
        model(graph.x, graph.edge_index + 1)
    with pytest.raises(tacit.ConfigError, match="features are missing"):
        model(numpy.full_like(graph.x, numpy.nan), graph.edge_index)
    with pytest.raises(tacit.ConfigError, match="the graph has no x"):
        model(tacit.Graph(edge_index=graph.edge_index, num_nodes=small_data.NODES))
    arrays = dict(numpy.load(run.folder / "rank0/model.npz"))
    for name, change, sentence in (("no", {"tacit": None}, "this is no model of tacit"),
                                   ("half", {"convs.0.lin.weight": None}, "convs.0.lin.weight is missing"),
                                   ("nan", {"convs.0.lin.weight": arrays["convs.0.lin.weight"] * numpy.nan}, "not finite"),
                                   ("new", {"tacit": numpy.frombuffer(arrays["tacit"].tobytes().replace(
                                       b'"format":1', b'"format":2').replace(b'"format": 1', b'"format": 2'), numpy.uint8)},
                                    "format 2; expected 1")):
        changed = {key: one for key, one in {**arrays, **change}.items() if one is not None}
        numpy.savez(tmp_path / f"{name}.npz", **changed)
        with pytest.raises(tacit.ConfigError, match=sentence):
            tacit.load_model(tmp_path / f"{name}.npz")
    for path, sentence in ((tmp_path / "none.npz", "No such file"), (tmp_path, "has no model.npz"),
                           (tmp_path / "m.onnx", "ends in")):
        with pytest.raises(tacit.ConfigError, match=sentence):
            tacit.load_model(path)


def test_predictions_that_the_job_reveals_to_nobody_need_a_rank(tmp_path):
    job = small_data.job(2, reveal={"predictions": "nobody"})
    graph = tacit.Graph(**small_data.arrays())
    run = tacit.launch(job, graph.split(job), output=tmp_path).wait()
    with pytest.raises(tacit.ConfigError, match="reveals predictions to nobody; expected to=RANK"):
        run.predict(graph)
    told = run.predict(graph, to=1)
    assert told.shape == (small_data.NODES,) and not (tmp_path / "rank0/predictions.npz").exists()
    narrow = tacit.Graph(x=graph.x[:, :4], edge_index=graph.edge_index)
    with pytest.raises(tacit.ConfigError, match="features"):
        run.predict(narrow, to=1)
    shutil.rmtree(tmp_path / "rank0/checkpoints")
    with pytest.raises(tacit.ConfigError, match="checkpoint"):
        run.predict(graph, to=1)


def test_epsilon_is_told_by_adversary(tmp_path):
    random = numpy.random.default_rng(1)
    x = random.uniform(-1, 1, (200, 3))
    data = {"features": "rows", "edges": "none", "labels": "rows", "masks": "rows", "classes": 2}
    job = tacit.Job(name="private", parties=2, correlations="dealer", data=data, preprocessing={"features": "none"},
                    model={"layers": [{"kind": "dense", "outputs": 2}]}, ranges={"features": 1, "weights": 4},
                    training={"epochs": 2, "batch": 20, "optimiser": {"kind": "sgd", "rate": 0.5}},
                    privacy={"epsilon": 2.0, "delta": 1e-4, "clip": 1.0}, audit={"every": "off"},
                    reveal={"loss": "nobody", "model": "everyone", "metric": [{"what": "accuracy", "part": "test"}]})
    graph = tacit.Graph(x=x, y=(x[:, 0] > 0).astype(int)).random_masks()
    run = tacit.launch(job, graph.split(job), output=tmp_path).wait()
    assert len(run.privacy) >= 2 and max(run.privacy.values()) <= 2.0 and min(run.privacy.values()) > 0
    assert run.privacy == {one["who"]: math.inf if one["epsilon"] is None else one["epsilon"]
                           for one in run.summary[0]["privacy"]["adversaries"]}
