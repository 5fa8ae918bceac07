"""judging: more metrics, class weights and label smoothing for a random job; and the metrics that numpy computes from the
revealed predictions, by the definitions of scikit-learn, with 0 where a denominator is 0."""

import json

import numpy

RATE, SUM, RANK = 1e-3, 0.03, 0.03  # allowed differences; sums and ranks are of predictions that were rounded once more


def add(job, seed, number):
    """Draws from a stream of its own, so that the rest of the job does not change."""
    random = numpy.random.default_rng([seed, number, 1])
    job.reveal["predictions"] = "everyone"
    if not job.classes:
        kinds = ["r2", "explained_variance", "loss", "mae"]
    else:
        job.reveal["probabilities"] = "everyone"
        kinds = ["precision", "recall", "f1", "confusion", "roc_auc", "average_precision", "log_loss", "loss"]
        if random.random() < 0.5:
            weights = [float(f"{weight:.2g}") for weight in numpy.exp(random.uniform(-1, 1.5, job.classes))]
            job.training["class_weights"] = "balanced" if random.random() < 0.5 else weights
        if random.random() < 0.3:
            job.training["label_smoothing"] = float(random.choice([0.05, 0.1, 0.3]))
    job.metrics = [draw(random, str(what), job) for what in random.permutation(kinds)[:5]]
    job.training["evaluate_every"] = int(random.choice([0, 7]))
    job.traits.append(", ".join(str(one["what"]) for one in job.metrics))


def draw(random, what, job):
    one = {"what": what, "part": str(random.choice(["train", "test"])), "to": str(random.choice(["everyone", "rank 0"]))}
    one["to"] = 0 if one["to"] == "rank 0" else one["to"]
    if random.random() < 0.5:
        one["every"] = int(random.integers(1, 30))
    if what in ("roc_auc", "average_precision"):
        one["class"] = int(random.integers(job.classes))
    elif what in ("precision", "recall", "f1"):
        kind = random.integers(4)
        if kind == 0:
            one["class"] = int(random.integers(job.classes))
        elif kind < 3:
            one["average"] = ["micro", "macro"][kind - 1]
    return one


def name(one):
    text = f"{one['part']} {one['what']}"
    text += f"_class_{one['class']}" if "class" in one else ""
    return text + (f"_{one['average']}" if "average" in one else "")


def is_near(probability):
    """True if two classes of a node are so near that another forward pass, with other rounding, may swap them."""
    best = numpy.sort(probability, 1)
    return (best[:, -1] - best[:, -2] < 0.004).any()


def problems(job, folder):
    """Returns a sentence for each metric that differs from numpy's."""
    if not job.metrics or not (folder / "predictions.npz").exists():
        return []
    told = {one["what"]: one for one in json.loads((folder / "summary.json").read_text())["readings"]}
    arrays = numpy.load(folder / "predictions.npz")
    found = []
    for one in job.metrics if not job.classes or "probabilities" in arrays else []:
        rows = job.graph[{"train": "train_mask", "test": "test_mask"}[one["part"]]]
        y, predicted = job.graph["y"][rows], arrays["predictions"][rows]
        probability = arrays["probabilities"][rows] if job.classes else None
        reading = told.get(name(one))
        if reading is None:
            found.append(f"{name(one)} was not revealed to rank 0")
            continue
        if job.classes and one["what"] not in ("loss", "log_loss") and is_near(probability):
            continue
        if one["what"] == "confusion":
            counts = confusion(y, predicted, job.classes)
            if not numpy.array_equal(counts, numpy.array(reading["counts"])):
                found.append(f"{name(one)}: {reading['counts']} and not {counts.tolist()}")
            continue
        expected, allowed = value(one, y, predicted, probability, job)
        if expected is not None and not abs(reading["value"] - expected) <= allowed:
            found.append(f"{name(one)}: {reading['value']:.5g} and not {expected:.5g}")
    return found


def value(one, y, predicted, probability, job):
    """Returns a metric and the allowed difference; None if it does not follow from the revealed predictions."""
    what = one["what"]
    if what == "loss":
        return None, 0
    if what == "mae":
        error = abs(predicted.reshape(y.shape) - y)
        return error.mean(), 0.02 * max(error.mean(), 0.05 * y.std())
    if what in ("r2", "explained_variance"):
        return explained(what, y.reshape(len(y), -1), predicted.reshape(len(y), -1))
    if what == "log_loss":
        own = probability[numpy.arange(len(y)), y]
        return (None, 0) if own.min() < 0.01 else (-numpy.log(own).mean(), SUM)
    if what in ("roc_auc", "average_precision"):
        return ranking(what, y == one["class"], probability[:, one["class"]])
    counts = confusion(y, predicted, job.classes)
    return rate(what, counts, one, job.classes), RATE


def confusion(y, predicted, classes):
    counts = numpy.zeros((classes, classes), int)
    numpy.add.at(counts, (y, predicted), 1)
    return counts


def rate(what, counts, one, classes):
    right, own, predicted = numpy.diag(counts), counts.sum(1), counts.sum(0)
    if one.get("average") == "micro":
        return right.sum() / counts.sum()
    above, below = {"precision": (right, predicted), "recall": (right, own), "f1": (2 * right, own + predicted)}[what]
    rates = numpy.where(below > 0, above / numpy.maximum(below, 1), 0)
    if "class" in one:
        return rates[one["class"]]
    return rates[1] if classes == 2 and "average" not in one else rates.mean()


def ranking(what, positive, score):
    """Returns None if most scores are too close to 0 or 1 for a probability of 13 bits."""
    if len(numpy.unique(score)) < 0.9 * len(score):
        return None, 0
    negatives, positives = (~positive).sum(), positive.sum()
    if what == "roc_auc":
        if positives * negatives == 0:
            return 0.0, RATE
        difference = score[positive][:, None] - score[~positive][None, :]
        return ((difference > 0) + 0.5 * (difference == 0)).mean(), max(RANK, 2 / min(positives, negatives) / 10)
    if positives == 0:
        return 0.0, RATE
    at_least = score[None, :] >= score[positive][:, None]
    return (at_least[:, positive].sum(1) / at_least.sum(1)).mean(), max(RANK, 1 / positives)


def explained(what, y, predicted):
    error = predicted - y
    spread = ((y - y.mean(0)) ** 2).mean(0)
    left = (error**2).mean(0) if what == "r2" else error.var(0)
    expected = (1 - left / spread).mean()
    return expected, 0.01 * (1 + abs(expected))
