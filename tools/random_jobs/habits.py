"""HABITS: badly written jobs of a new user, by name. Each must match its twin, or end with a helpful error."""

import numpy

from . import draw
from .job import Job


def base(nodes=200, columns=8, classes=3, seed=1):
    """Returns a job that trains well. Each habit changes one thing for the worse."""
    random = numpy.random.default_rng(seed)
    x = random.normal(size=(nodes, columns))
    pairs = random.integers(0, nodes, (2, 3 * nodes))
    graph = {"x": x, "edge_index": both_ways(pairs), **draw.masks(random, nodes)}
    signal = draw.hidden_signal(random, x, graph["edge_index"])
    graph["y"] = draw.class_labels(numpy.random.default_rng(0), signal, classes, []) if classes else signal[:, :1].copy()
    outputs = classes or 1
    data = {"features": "columns", "edges": "public", "labels": "rank 0", "masks": "public"}
    if classes:
        data["classes"] = classes
    return Job(
        name="habit",
        parties=2,
        graph=graph,
        data=data,
        layers=[{"kind": "gcn", "outputs": 16}, {"kind": "relu"}, {"kind": "gcn", "outputs": outputs}],
        training={"epochs": 100, "seed": 1, "optimiser": {"kind": "sgd", "rate": 0.2, "momentum": 0.9}},
        reveal={"loss": "everyone"},
    )


def both_ways(pairs):
    both = numpy.concatenate([pairs, pairs[::-1]], axis=1)
    return numpy.unique(both[:, both[0] != both[1]], axis=1).astype(numpy.int64)


def with_optimiser(job, **optimiser):
    job.training["optimiser"] = optimiser
    return job


def with_features(job, x, **preprocessing):
    job.graph["x"] = x
    job.preprocessing = preprocessing
    return job


def with_labels(job, y):
    job.graph["y"] = y
    return job


def with_edges(job, edge_index):
    job.graph["edge_index"] = edge_index
    return job


def with_layers(job, layers):
    job.layers = layers
    return job


def with_training(job, **training):
    job.training |= training
    return job


def star(nodes):
    return both_ways(numpy.array([numpy.zeros(nodes - 1, int), numpy.arange(1, nodes)]))


def deep(layers):
    hidden = [{"kind": "gcn", "outputs": 16}, {"kind": "relu"}] * (layers - 1)
    return [*hidden, {"kind": "gcn", "outputs": 3}]


def outlier(job):
    job.graph["x"][5, 0] = 1e6
    return job


def few_labels(job, count):
    train = numpy.flatnonzero(job.graph["train_mask"])
    job.graph["train_mask"][train[count:]] = False
    return job


def rare_class(job):
    y = numpy.zeros(len(job.graph["x"]), numpy.int64)
    y[::100] = 1
    job.data["classes"] = job.layers[-1]["outputs"] = 2
    return with_labels(job, y)


HABITS = {
    "2,000 features of 200 nodes": lambda: base(columns=2000),
    "a hub of degree 5,000": lambda: with_edges(base(5001), star(5001)),
    "a hub of degree 1,000, edges private": lambda: private_star(1001),
    "a rate 10 times too high": lambda: with_optimiser(base(), kind="sgd", rate=10.0),
    "a rate 10 times too high, targets": lambda: with_optimiser(base(classes=0), kind="sgd", rate=2.0, momentum=0.9),
    "Adam with a rate of 1": lambda: with_optimiser(base(), kind="adam", rate=1.0),
    "2,000 epochs": lambda: with_training(base(), epochs=2000),
    "one class of 1 %": lambda: rare_class(base(400)),
    "one class alone": lambda: with_labels(base(), numpy.zeros(200, numpy.int64)),
    "constant targets": lambda: with_labels(base(classes=0), numpy.full((200, 1), 7.0)),
    "targets in units of 1e9": lambda: with_labels(job := base(classes=0), job.graph["y"] * 1e9),
    "targets in units of 1e-9": lambda: with_labels(job := base(classes=0), job.graph["y"] * 1e-9),
    "features of 1e5, not standardised": lambda: with_features(job := base(), job.graph["x"] * 1e5, features="none"),
    "one feature of 1e6 among ones": lambda: outlier(base()),
    "features that are all zero": lambda: with_features(base(), numpy.zeros((200, 8))),
    "numbers of rows as a feature": lambda: with_features(base(), numpy.arange(1600.0).reshape(200, 8) * 1e6),
    "no edge": lambda: with_edges(base(), numpy.zeros((2, 0), numpy.int64)),
    "eight layers": lambda: with_layers(base(), deep(8)),
    # With the rate of base() all units die, in some runs on shares later than in the twin.
    "batches of one node": lambda: with_training(with_optimiser(base(), kind="sgd", rate=0.02), batch=1, epochs=5),
    "five labelled nodes, 300 epochs of Adam": lambda: with_training(
        with_optimiser(few_labels(base(), 5), kind="adam", rate=0.05), epochs=300
    ),
}


def private_star(nodes):
    job = with_edges(base(nodes), star(nodes))
    job.data["edges"] = "rank 1"
    return with_training(job, epochs=30)


def habit(number):
    """Returns a habit by its index in HABITS."""
    name, make = list(HABITS.items())[number]
    job = make()
    job.traits = [name]
    job.name = f"habit-{number}"
    return job
