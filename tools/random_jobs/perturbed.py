"""perturbed: random jobs with model.perturbed, and numpy's own training of them.

A network without edges is trained. Its class probabilities are added up over each node's neighbours and the node itself, with
noise; a second network is trained on the probabilities and these sums (gnn/train/perturbed_graph.h). Shares and numpy draw other
noise, so numpy trains several times, and the revealed probabilities must be like its results (replicas.py). Half of the jobs has
the least noise that a job may state: their sums are nearly exact. One job in six asks for something that a perturbed model does
not have, and must be refused with the path of the setting.

Sums over the neighbours of a hub are large. A job whose numbers leave the default ranges in numpy's trainings may be refused by the
range watch. Adam on shares takes gradients below 64 (gnn/optimiser/adam.h); the watch finds larger ones up to 192 by chance alone,
so such a job is not compared."""

import dataclasses
import json
import math
import re

import numpy

from . import draw as graphs
from . import initial, private, replicas
from .job import Job, toml_value

LEAST_NOISE = 0.05
MOVED_BY = 1e-3  # of a feature's deviation, in each replica: fixed-point numbers have such errors
ERROR = 0.004  # of a revealed probability
MOST_OF_ADAM, MOST = 64, 1023  # gradients in the scale of shares; activations and logits


@dataclasses.dataclass
class PerturbedJob(Job):
    mode = "shares"
    perturbed: dict = dataclasses.field(default_factory=dict)
    privacy: dict = dataclasses.field(default_factory=dict)
    more: dict = dataclasses.field(default_factory=dict)  # further tables
    refused_for: str = ""  # a path that the refusal must name
    largest: dict = dataclasses.field(default_factory=lambda: {"gradient": 0.0, "activation": 0.0})  # in numpy's trainings

    @property
    def beyond_adam(self):
        return self.training["optimiser"]["kind"] == "adam" and self.largest["gradient"] > MOST_OF_ADAM

    @property
    def beyond_ranges(self):
        return self.beyond_adam or not self.largest["activation"] <= MOST

    def note(self, what, *arrays):
        self.largest[what] = max(self.largest[what], *(abs(one).max(initial=0) for one in arrays))

    def toml(self):
        tables = {"model": {"perturbed": self.perturbed}, "privacy": self.privacy, **self.more}
        text = super().toml()
        for name, table in tables.items():
            text += f"\n[{name}]\n" + "".join(f"{key} = {toml_value(value)}\n" for key, value in table.items()) if table else ""
        return text


def draw(seed, number, small):
    random = numpy.random.default_rng([seed, number, 9])
    nodes = int(numpy.exp(random.uniform(numpy.log(60), numpy.log(130 if small else 400))))
    traits = [f"{nodes} nodes"]
    columns = int(random.integers(2, 13))
    x = random.normal(size=(nodes, columns))
    if random.random() < 0.3:
        x = (x > 0.5).astype(float)
    edge_index = written(random, graphs.edges(random, nodes, traits), nodes, traits)
    classes = int(random.integers(2, 8))
    signal = graphs.hidden_signal(random, x, edge_index)
    graph = {"x": x, "edge_index": edge_index, **graphs.masks(random, nodes),
             "y": graphs.class_labels(random, signal, classes, traits)}
    parties = int(random.choice([2, 2, 3, 5]))
    data = graphs.ownership(random, parties, columns)
    data |= {"edges": str(random.choice([f"rank {random.integers(parties)}", "edges", "any"])), "classes": classes}
    optimiser = {"kind": "sgd", "rate": graphs.rounded(numpy.exp(random.uniform(numpy.log(0.01), numpy.log(0.2)))),
                 "momentum": float(random.choice([0, 0.5, 0.9]))}
    if random.random() < 0.4:
        optimiser = {"kind": "adam", "rate": graphs.rounded(numpy.exp(random.uniform(numpy.log(0.005), numpy.log(0.03))))}
    optimiser["weight_decay"] = float(random.choice([0, 0, 5e-4]))
    training = {"epochs": int(random.integers(2, 31 if small else 101)), "seed": int(random.integers(1, 1000)),
                "loss": "cross-entropy", "optimiser": optimiser}
    if random.random() < 0.2:
        training["batch"] = int(max(8, graph["train_mask"].sum() // random.integers(2, 5)))
    if random.random() < 0.2:
        training["label_smoothing"] = 0.1
    perturbed = {"hidden": int(random.integers(1, 17)), "head": int(random.integers(1, 17)),
                 "encoder_epochs": int(random.integers(1, 31 if small else 101))}
    noise = LEAST_NOISE if random.random() < 0.5 else float(f"{numpy.exp(random.uniform(numpy.log(0.2), numpy.log(4))):.2g}")
    privacy = {"unit": "edge", "noise": noise, "delta": 1e-4, "noise_from": str(random.choice(["both", "parties", "dealt"]))}
    if random.random() < 0.3:
        privacy["colluding"] = int(random.integers(0, parties))
    binary = set(numpy.unique(x)) <= {0.0, 1.0}
    traits += [f"edges of {data['edges']}", *(f"{value}" for value in perturbed.values()),
               *(str(value) for value in privacy.values()), f"epochs {training['epochs']}",
               f"batch {training.get('batch', 'of all')}", " ".join(str(value) for value in optimiser.values())]
    job = PerturbedJob(
        name=f"perturbed-{seed}-{number}", parties=parties, graph=graph, data=data, layers=[], training=training,
        ring={"bits": 64 if optimiser["kind"] == "adam" else int(random.choice([64, 64, 56, 48]))},
        preprocessing={"features": str(random.choice(["none", "row-sum"] if binary else ["standardise"]))},
        reveal={"loss": "everyone", "predictions": "everyone", "probabilities": "everyone"}, perturbed=perturbed, privacy=privacy,
        traits=traits)
    if number % 3 == 0:
        job.more.update(checkpoints={"every": 1 + number % 4})
        traits.append("checkpoints")
    if random.random() < 1 / 6:
        ask_for_too_much(random, job)
    job.traits.append(f"ring of {job.ring['bits']}")
    return job


def written(random, edge_index, nodes, traits):
    """Returns the edges as a file may have them: some in one direction alone; loops, and edges that are there twice."""
    if random.random() < 0.4:
        edge_index = edge_index[:, random.random(edge_index.shape[1]) < 0.7]
        traits.append("directed")
    if random.random() < 0.3:
        loops = numpy.tile(random.integers(0, nodes, 5), (2, 1))
        edge_index = numpy.concatenate([edge_index, edge_index[:, :10], loops], axis=1)
        traits.append("loops and repeated edges")
    return edge_index[:, random.permutation(edge_index.shape[1])]


def ask_for_too_much(random, job):
    wrong = {
        "model.perturbed.hops": lambda: job.perturbed.update(hops=2),
        "model.perturbed.dropout": lambda: job.perturbed.update(dropout=0.5),
        "reveal.model": lambda: job.reveal.update(model="everyone"),
        "data.edges": lambda: job.data.update(edges=str(random.choice(["public", "none"]))),
        "data.classes": lambda: (job.data.pop("classes"), job.reveal.pop("probabilities"), job.training.update(loss="mse"),
                                 job.training.pop("label_smoothing", 0), job.graph.update(y=job.graph["y"].astype(float))),
        "data.edge_weights": lambda: (job.data.update(edge_weights=True),
                                      job.graph.update(edge_weight=numpy.ones(job.graph["edge_index"].shape[1]))),
        "privacy.clip": lambda: job.privacy.update(clip=1.0),
        "privacy.sampling": lambda: job.privacy.update(sampling="parties"),
        "model.layers": lambda: job.layers.append({"kind": "dense", "outputs": 2}),
        "training.mode": lambda: (job.training.update(mode="aggregate"), job.privacy.pop("noise_from")),
        "unit record": lambda: job.privacy.update(unit="record"),
        "no privacy": job.privacy.clear,
    }
    what = str(random.choice(list(wrong)))
    wrong[what]()
    job.refused_for = what if "." in what and what != "data.edge_weights" else "model.perturbed"
    job.traits.insert(0, f"asks for {what}")


def features(job):
    """The features that both networks' weights are for, as the preprocessing makes them."""
    x, kind = job.graph["x"].astype(float), job.preprocessing["features"]
    if kind == "standardise":
        return (x - x.mean(0)) / numpy.maximum(x.std(0), 1e-9)
    return x / numpy.maximum(x.sum(1, keepdims=True), 1) if kind == "row-sum" else x


def softmax(z):
    e = numpy.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def learned(job, x, hidden, epochs, random):
    """Returns the outputs of a dense network for all nodes, and its training loss before the last epoch."""
    model = initial.dense([x.shape[1], hidden, job.classes], job.training["seed"])
    smoothed = job.training.get("label_smoothing", 0)
    y = (1 - smoothed) * numpy.eye(job.classes)[job.graph["y"]] + smoothed / job.classes
    rows = numpy.flatnonzero(job.graph["train_mask"])
    count = math.ceil(len(rows) / (job.training.get("batch", 0) or len(rows)))
    batches = [numpy.sort(part) for part in numpy.array_split(random.permutation(rows), count)]
    largest, optimiser = max(len(one) for one in batches), job.training["optimiser"]
    scale = private.gradient_scale(job, largest)
    step = private.Adam(job, largest) if optimiser["kind"] == "adam" else private.Sgd(optimiser)
    loss = math.nan
    for _ in range(epochs):
        total = 0
        for batch in (batches[i] for i in random.permutation(count)):
            inputs, z = private.outputs(model, x[batch])
            p = softmax(z)
            total -= (y[batch] * numpy.log(numpy.maximum(p, 1e-12))).sum()
            d = (p - y[batch]) / largest
            hidden_d = (d @ model[1][0].T) * (inputs[1] > 0)
            step.begin()
            job.note("activation", inputs[1], z)
            for i, slope in ((0, hidden_d), (1, d)):
                gradients = [inputs[i].T @ slope, slope.sum(0)]
                job.note("gradient", scale * gradients[0], scale * gradients[1])
                model[i] = tuple(one - optimiser["rate"] * step.of((i, k), gradients[k] + optimiser["weight_decay"] * one)
                                 for k, one in enumerate(model[i]))
        loss = total / len(rows)
    return private.outputs(model, x)[1], loss


def deviation(job):
    """The deviation of the noise in a sum. An edge changes two rows of probabilities, each a little longer than 1 by rounding."""
    bits = {64: 13, 56: 13, 48: 10}[job.ring["bits"]]
    slack = 2 * job.classes * (max(1, job.parties / 2) * 2.0**-13 + 2.0**-12 + 3 * 2.0**-bits)
    return job.privacy["noise"] * math.sqrt(2) * (1 + slack) * private.deviation(job)


def trained(job, random):
    """One training: the class probabilities of all nodes, the readings of both networks, and the loss."""
    x = features(job)
    x = x + MOVED_BY * x.std(0) * random.normal(size=x.shape)
    z, _ = learned(job, x, job.perturbed["hidden"], job.perturbed["encoder_epochs"], random)
    p = softmax(z)
    adjacency = numpy.eye(len(x))
    adjacency[job.graph["edge_index"][1], job.graph["edge_index"][0]] = 1  # edges that are there twice count once
    sums = adjacency @ p + deviation(job) * random.normal(size=p.shape)
    last, loss = learned(job, numpy.hstack([p, sums]), job.perturbed["head"], job.training["epochs"], random)
    return {"probabilities": softmax(last), "loss": loss, "encoder": accuracies(job, z), "accuracy": accuracies(job, last)}


def accuracies(job, z):
    right = z.argmax(1) == job.graph["y"]
    return {part: float(right[job.graph[f"{part}_mask"]].mean()) for part in ("train", "test")}


def trainings_of(job):
    random = numpy.random.default_rng(job.training["seed"])
    return [trained(job, random) for _ in range(replicas.COUNT)]


def problems(job, folder, said):
    """Returns a sentence for each figure that numpy's trainings do not have, the job's accuracy, and numpy's mean."""
    summary = json.loads((folder / "run" / "rank0" / "summary.json").read_text())
    told = {one["what"]: one["value"] for one in summary["readings"]}
    arrays = numpy.load(folder / "run" / "rank0" / "predictions.npz")
    own, found = arrays["probabilities"], []
    trainings = trainings_of(job)
    found += replicas.unlike_vector("probabilities", own.ravel(), [one["probabilities"].ravel() for one in trainings], error=ERROR)
    by_prediction = accuracies(job, numpy.eye(job.classes)[arrays["predictions"]])
    for part in ("train", "test"):
        what, allowed = f"{part} accuracy", 0.02 + 2.01 / job.count(part)
        if abs(told[what] - by_prediction[part]) > 2.01 / job.count(part):
            found.append(f"{what}: {told[what]:.5g} was revealed, and the revealed predictions give {by_prediction[part]:.5g}")
        found += replicas.unlike_number(what, told[what], [one["accuracy"][part] for one in trainings], allowed)
        without = re.search(f"without edges: {what} ([0-9.e-]+)", said)
        if not without:
            found.append(f"no line states the {what} without edges")
            continue
        own_of_encoder, others = float(without[1]), [one["encoder"][part] for one in trainings]
        found += replicas.unlike_number(f"{what} without edges", own_of_encoder, others, allowed)
    losses = [one["loss"] for one in trainings]
    events = [json.loads(line) for line in (folder / "run" / "rank0" / "events.jsonl").read_text().splitlines()]
    loss = [event["loss"] for event in events if event["event"] == "epoch"][-1]
    found += replicas.unlike_number("loss", loss, losses, 0.01 + 0.03 * numpy.mean(losses))
    return found, told["test accuracy"], float(numpy.mean([one["accuracy"]["test"] for one in trainings]))
