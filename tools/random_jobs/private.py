"""private: random jobs with a table [privacy], and numpy's own training of them: records are drawn, their gradients clipped one by
one, and noise added.

Shares and numpy draw other records and other noise. So numpy trains several times, and the revealed model must be like its
results (replicas.py): in the metric of the test rows, and in the movement of weights and biases. A third of the jobs is `sharp`:
with little noise, batches much smaller than the number of records, and one common label among the labels. The movement shows
whether records are drawn at the stated rate, and whether the empty rows that fill up a draw count."""

import dataclasses
import json
import math

import numpy

from . import initial, replicas
from .job import Job, toml_value

CUT = 1e-12
ERROR = 0.002  # of a weight, by the roundings of all steps


@dataclasses.dataclass
class PrivateJob(Job):
    mode: str = "shares"
    privacy: dict = dataclasses.field(default_factory=dict)

    def toml(self):
        text = super().toml()
        if self.mode == "aggregate":
            text = text.replace(f'correlations = "{self.correlations}"', 'correlations = "none"')
        text = text.replace('part = "train"', 'part = "validation"')  # a metric of records that are trained on is refused
        rows = [f"{key} = {toml_value(value)}" for key, value in self.privacy.items()]
        return text + "\n[privacy]\n" + "\n".join(rows) + "\n"


def has_no_dealer(job, number, always):
    """Lets the parties make the correlations in a job whose noise comes from the parties: in every third such job, or always, with
    noise from the parties."""
    if job.mode == "aggregate" or getattr(job, "refused_for", ""):
        return
    if always:
        job.privacy["noise_from"] = "parties"
    if always or (job.privacy.get("noise_from") == "parties" and number % 3 == 1):
        job.correlations = "pairwise"
        job.traits.append("no dealer")


def draw(seed, number, small):
    random = numpy.random.default_rng([seed, number, 7])
    rows = int(numpy.exp(random.uniform(numpy.log(60), numpy.log(300 if small else 1200))))
    columns = int(random.integers(1, 13))
    classes = int(random.integers(2, 5)) if random.random() < 0.6 else 0
    binary = random.random() < 0.4
    x = (random.random((rows, columns)) < 0.5).astype(float) if binary else numpy.clip(random.normal(size=(rows, columns)) / 2, -1, 1)
    signal = (x - x.mean(0)) @ random.normal(size=(columns, max(classes, 2))) + 0.2 * random.normal(size=(rows, max(classes, 2)))
    y = signal.argmax(1).astype(numpy.int64) if classes else numpy.clip(signal / 3, -1, 1)
    part = random.random(rows)
    graph = {"x": x, "edge_index": numpy.zeros((2, 0), numpy.int64), "y": y, "train_mask": part < 0.6,
             "val_mask": (part >= 0.6) & (part < 0.8), "test_mask": part >= 0.8}
    parties = int(random.choice([2, 2, 3, 5]))
    mode = str(random.choice(["shares", "shares", "aggregate"]))
    together = mode == "shares" and random.random() < 0.35
    sharp = number % 3 == 0
    if sharp:
        mode, together = "shares" if number % 2 == 0 else "aggregate", number % 4 == 2
    train = int(graph["train_mask"].sum())
    optimiser = {"kind": "sgd", "rate": float(f"{random.uniform(0.05, 0.8):.2g}"),
                 "momentum": float(random.choice([0, 0, 0.5, 0.9]))}
    if random.random() < 0.25:
        optimiser = {"kind": "adam", "rate": float(f"{random.uniform(0.005, 0.05):.2g}")}
    optimiser["weight_decay"] = float(random.choice([0, 0, 0.01]))
    training = {"epochs": int(random.integers(2, 9)), "seed": int(random.integers(1, 1000)),
                "loss": "cross-entropy" if classes else "mse", "optimiser": optimiser}
    if random.random() < 0.6:
        training["batch"] = int(random.integers(4, train))
    if mode == "aggregate":
        training["mode"] = "aggregate"
    privacy = {"noise": float(f"{numpy.exp(random.uniform(numpy.log(0.1), numpy.log(3))):.2g}"), "delta": 1e-4,
               "clip": float(f"{numpy.exp(random.uniform(numpy.log(0.1), numpy.log(3))):.2g}")}
    if mode == "shares":
        privacy["noise_from"] = str(random.choice(["both", "parties", "dealt"]))
        privacy["sampling"] = "parties" if together else "owners"
    if random.random() < 0.4:
        privacy["colluding"] = int(random.integers(0, parties))
    layers = []
    for _ in range(int(random.integers(0, 3 if mode == "aggregate" else 2 if classes or not sharp else 1))):
        layers += [{"kind": "dense", "outputs": int(random.integers(2, 17))}, {"kind": "relu"}]
    layers.append({"kind": "dense", "outputs": classes or 2})
    if classes == 2 and numpy.random.default_rng([seed, number, 9]).random() < 0.7:
        layers[-1]["outputs"], training["loss"] = 1, "logistic"
    if sharp:
        sharpen(numpy.random.default_rng([seed, number, 8]), graph, training, privacy, classes)
    owner = f"rank {random.integers(parties)}"
    split = columns >= parties and random.random() < 0.5
    data = ({"features": "columns" if split else owner, "labels": owner, "masks": "public"} if together
            else {"features": "rows", "labels": "rows", "masks": "rows"}) | {"edges": "none"}
    if classes:
        data["classes"] = classes
    return PrivateJob(
        name=f"private-{seed}-{number}", parties=parties, graph=graph, data=data, layers=layers, training=training,
        preprocessing={"features": "none", "targets": "none"} if not classes else {"features": "none"},
        reveal={"loss": "nobody", "model": "everyone"}, ranges={"features": 1, "weights": 1.5} if mode == "shares" else {},
        mode=mode, privacy=privacy,
        traits=[*(["sharp"] if sharp else []), f"{rows} rows", f"{columns} columns",
                f"{classes} classes" if classes else "targets", training["loss"], mode,
                *(str(value) for value in privacy.values()), f"{len(layers) // 2 + 1} layers",
                f"batch {training.get('batch', 'of all')}", " ".join(str(value) for value in training["optimiser"].values())])


def sharpen(random, graph, training, privacy, classes):
    """Makes all records alike, so that the weights move together: some features are constant, and one label is common."""
    rows, columns = graph["x"].shape
    constant = random.random(columns) < random.choice([0.3, 1])
    graph["x"][:, constant] = random.uniform(-1, 1, columns)[constant]
    common = random.random(rows) < 0.7
    if classes:
        graph["y"][common] = random.integers(classes)
    else:
        graph["y"][common] = random.choice([-0.8, 0.8], 2)
    train = int(graph["train_mask"].sum())
    training["batch"] = int(random.integers(3, max(4, train // 6)))
    training["epochs"] = int(random.integers(1, 4))
    privacy["noise"] = float(random.choice([0.05, 0.1]))
    steps = training["epochs"] * (train // training["batch"])
    rate = random.uniform(0.3, 1) / (steps * min(privacy["clip"], 0.5))
    training["optimiser"] = {"kind": "sgd", "rate": float(f"{min(rate, 0.8):.2g}"), "momentum": float(random.choice([0, 0, 0.5])),
                             "weight_decay": 0.0}


def initial_weights(job):
    return initial.dense([job.graph["x"].shape[1], *(layer["outputs"] for layer in job.layers if "outputs" in layer)],
                         job.training["seed"])


def weights(path):
    arrays = dict(numpy.load(path))
    count = sum(name.startswith("lins.") and name.endswith(".weight") for name in arrays)
    return [(arrays[f"lins.{i}.weight"].T.astype(float), arrays[f"lins.{i}.bias"].astype(float)) for i in range(count)]


def outputs(model, x):
    """The inputs of all layers, and the outputs of the last one."""
    inputs = []
    for i, (w, b) in enumerate(model):
        inputs.append(x)
        x = x @ w + b
        x = numpy.maximum(x, 0) if i + 1 < len(model) else x
    return inputs, x


def with_logit(job, z):
    """The log-odds of both classes, of a model with one output."""
    return numpy.hstack([numpy.zeros_like(z), z]) if job.training["loss"] == "logistic" else z


def clipped_sum(model, x, y, job):
    """The gradients of single records, each clipped, added up."""
    inputs, z = outputs(model, x)
    z = with_logit(job, z)
    if job.classes:
        e = numpy.exp(z - z.max(1, keepdims=True))
        d = e / e.sum(1, keepdims=True) - numpy.eye(job.classes)[y]
    else:
        d = 2 / z.shape[1] * (z - y)
    d = d[:, 1:] if job.training["loss"] == "logistic" else d
    slopes = []
    for i in range(len(model) - 1, -1, -1):
        slopes.insert(0, d)
        if i > 0:
            d = (d @ model[i][0].T) * (inputs[i] > 0)
    length = numpy.sqrt(sum(((a**2).sum(1) + 1) * (s**2).sum(1) for a, s in zip(inputs, slopes)))
    factor = numpy.minimum(1, job.privacy["clip"] / numpy.maximum(length, CUT))[:, None]
    return [(a.T @ (factor * s), (factor * s).sum(0)) for a, s in zip(inputs, slopes)]


def deviation(job):
    """Returns the deviation of the noise in a revealed model, in units of noise times clip."""
    n = job.parties
    pooled = job.privacy.get("colluding", n - 1)
    source = "parties" if job.mode == "aggregate" else job.privacy["noise_from"]
    return {"dealt": 1, "parties": math.sqrt(n / (n - pooled)), "both": math.sqrt(1 + pooled / n)}[source]


class Sgd:
    def __init__(self, optimiser):
        self.momentum, self.speed = optimiser["momentum"], {}

    def begin(self):
        pass

    def of(self, which, gradient):
        self.speed[which] = self.momentum * self.speed.get(which, 0) + gradient
        return self.speed[which]


def gradient_scale(job, batch):
    """The factor between Adam's gradients on shares and the mean's."""
    scale = batch if job.classes else batch * job.graph["y"].shape[1] / 2
    while scale > (128 if job.classes else 32):
        scale /= 2
    return scale


class Adam:
    """Adam with Tacit's epsilon, which has the scale of the gradients on shares (gradient_scale)."""

    def __init__(self, job, batch):
        self.epsilon, self.steps, self.first, self.second = 0.0625 / gradient_scale(job, batch), 0, {}, {}

    def begin(self):
        self.steps += 1

    def of(self, which, gradient):
        self.first[which] = 0.9 * self.first.get(which, 0) + 0.1 * gradient
        self.second[which] = 0.999 * self.second.get(which, 0) + 0.001 * gradient**2
        mean, square = self.first[which] / (1 - 0.9**self.steps), self.second[which] / (1 - 0.999**self.steps)
        return mean / numpy.sqrt(square + self.epsilon**2)


def trained(job, begin, random):
    model = [(w.copy(), b.copy()) for w, b in begin]
    chosen = {key: numpy.flatnonzero(job.graph[key]) for key in ("train_mask", "val_mask", "test_mask")}
    train, optimiser = chosen["train_mask"], job.training["optimiser"]
    batch = job.training.get("batch", 0) or len(train)
    sigma = job.privacy["noise"] * job.privacy["clip"] * deviation(job)
    step = Adam(job, batch) if optimiser["kind"] == "adam" else Sgd(optimiser)
    for _ in range(job.training["epochs"] * (len(train) // batch)):
        rows = train[random.random(len(train)) < batch / len(train)]
        sums = clipped_sum(model, job.graph["x"][rows], job.graph["y"][rows], job)
        step.begin()
        for i, layer in enumerate(model):
            limit = job.ranges.get("weights", numpy.inf)
            noisy = [(sums[i][k] + sigma * random.normal(size=layer[k].shape)) / batch for k in (0, 1)]
            gradients = [noisy[k] + optimiser["weight_decay"] * layer[k] for k in (0, 1)]
            model[i] = tuple(numpy.clip(layer[k] - optimiser["rate"] * step.of((i, k), gradients[k]), -limit, limit)
                             for k in (0, 1))
    return model


def longest(job):
    """Returns the largest length of a record's gradient, in clips, by intervals. Above 4096, a job on shares is refused."""
    weight = job.ranges["weights"]
    width, most, layers = job.graph["x"].shape[1], 1.0, []
    for layer in job.layers:
        if layer["kind"] != "dense":
            continue
        layers.append((width, layer["outputs"], most))
        most, width = width * most * weight + weight, layer["outputs"]
    slope = 1.0 if job.classes else 2 / width * (most + 1)
    square = 0
    for inputs, outs, largest in reversed(layers):
        square += (inputs * largest**2 + 1) * outs * slope**2
        slope *= outs * weight
    return math.sqrt(square) / job.privacy["clip"]


def metric_of(job, model):
    z = with_logit(job, outputs(model, job.graph["x"][job.graph["test_mask"]])[1])
    y = job.graph["y"][job.graph["test_mask"]]
    return (z.argmax(1) == y).mean() if job.classes else math.sqrt(((z - y) ** 2).mean())


def movements(model, begin):
    """Returns the movement of all weights, and of all biases, each as one vector."""
    return {what: numpy.concatenate([(one[k] - first[k]).ravel() for one, first in zip(model, begin)])
            for k, what in enumerate(("weights", "biases"))}


def problems(job, folder):
    """Returns a sentence for each figure that numpy's trainings do not have, the job's figures, and numpy's."""
    summary = json.loads((folder / "run" / "rank0" / "summary.json").read_text())
    told = {one["what"]: one["value"] for one in summary["readings"]}
    model = weights(folder / "run" / "rank0" / "model.npz")
    found = []
    reading, again = told[f"test {job.metric}"], metric_of(job, model)
    if not abs(reading - again) <= (2.01 / job.count("test") if job.classes else 0.01 + 0.02 * again):
        found.append(f"test {job.metric}: {reading:.5g} was revealed, and the revealed model has {again:.5g}")
    begin = initial_weights(job)
    random = numpy.random.default_rng(job.training["seed"])
    trainings = [trained(job, begin, random) for _ in range(replicas.COUNT)]
    metrics = [metric_of(job, one) for one in trainings]
    found += replicas.unlike_number(f"test {job.metric}", again, metrics, 0.03 + 2.01 / job.count("test"))
    moved, others = movements(model, begin), [movements(one, begin) for one in trainings]
    for what, own in moved.items():
        found += replicas.unlike_vector(f"movement of the {what}", own, [one[what] for one in others], error=ERROR)

    def length(one):
        return float(numpy.linalg.norm(numpy.concatenate(list(one.values()))))

    return (found, {"metric": again, "length": length(moved)},
            {"metric": float(numpy.mean(metrics)), "length": float(numpy.mean([length(one) for one in others]))})
