"""forward: the predictions of a revealed model, computed with numpy alone."""

import numpy

from . import links

DRAWS = 8


def predictions(job, arrays, x, normalised=None):
    """Returns the predictions for all nodes or graphs; for classes, the number of the likeliest class of each. `arrays` come from
    model.npz, with PyTorch Geometric's names. `normalised` replaces the adjacencies() of the job's edges."""
    symmetric, mean, sums = normalised or adjacencies(messages(job), len(x), snapshots=job.snapshots)
    convs = lins = 0
    outputs = []  # of the layers with weights so far, for jumps; at first the features
    for layer in job.layers:
        kind = layer["kind"]
        if kind == "relu":
            x = numpy.maximum(x, 0)
        if kind in ("relu", "dropout"):
            continue
        if kind == "pool":
            graph = job.graph["graph"]
            sums = numpy.zeros((graph[-1] + 1, x.shape[1]))
            numpy.add.at(sums, graph, x)
            x = sums if layer.get("pooling") == "sum" else sums / numpy.bincount(graph)[:, None]
            continue
        if kind == "dot":
            one, other = x[job.graph["pairs"][0]], x[job.graph["pairs"][1]]
            x = numpy.stack([numpy.zeros(len(one)), (one * other).sum(1)], 1)
            continue
        if kind == "logit":
            x = numpy.hstack([numpy.zeros((len(x), 1)), x])
            continue
        if kind == "propagate":
            start, part = x, layer.get("restart", 0)
            for _ in range(layer["steps"]):
                x = (1 - part) * (symmetric @ x) + part * start
            continue
        if kind == "layer-norm":
            x = (x - x.mean(1, keepdims=True)) / numpy.sqrt(x.var(1, keepdims=True) + 1 / 256)
            continue
        outputs.append(x)
        x = numpy.hstack(outputs[1:]) if layer.get("jump") else x
        before = x
        if kind == "dense":
            x = x @ arrays[f"lins.{lins}.weight"].T - arrays.get(f"lins.{lins}.shift", 0) + arrays[f"lins.{lins}.bias"]
            lins += 1
            x = x + before if layer.get("residual") else x
            continue
        name = f"convs.{convs}."
        convs += 1
        if kind == "gcn":
            x = symmetric @ (x @ arrays[name + "lin.weight"].T - arrays.get(name + "shift", 0)) + arrays[name + "bias"]
        elif kind == "gin":
            x = x @ arrays[name + "nn.weight"].T - arrays.get(name + "shift", 0)
            x = sums @ x + layer.get("epsilon", 0) * x + arrays[name + "nn.bias"]
        else:
            own = x @ arrays[name + "lin_r.weight"].T - arrays.get(name + "shift", 0)
            around = x @ arrays[name + "lin_l.weight"].T - arrays.get(name + "neighbour_shift", 0)
            x = own + mean @ around + arrays[name + "lin_l.bias"]
        x = x + before if layer.get("residual") else x
    if job.training["loss"] == "logistic" and x.shape[1] == 1:
        return (x[:, 0] > 0).astype(int)
    return x.argmax(1) if job.classes else x


def messages(job):
    return links.messages(job.graph, job.links) if job.links else job.graph


def prepared(job, model):
    x = job.graph["x"].astype(float)
    if job.preprocessing.get("missing") == "mean":
        x = numpy.where(numpy.isnan(x), numpy.nanmean(x, 0), x)
    kind = job.preprocessing.get("features", "standardise")
    if kind == "standardise" and not folded(model):
        most = job.preprocessing.get("cut", numpy.inf)
        return numpy.clip((x - x.mean(0)) / numpy.maximum(x.std(0), 1e-9), -most, most)
    if kind == "row-sum":
        sums = numpy.abs(x).sum(1, keepdims=True)
        return x / numpy.where(sums == 0, 1, sums)
    return x


def folded(model):
    """True if the model reads features in their own units. The first layer then has the scaling, and a shift."""
    return any(name.endswith("shift") for name in model)


def adjacencies(graph, rows, moved=lambda roots: roots, snapshots=1):
    """Returns the symmetric, the mean and the summing adjacency. `moved` may change the roots of the degrees. With snapshots, a
    node has that many rows, one below the other, and an edge joins the rows of the same snapshot."""
    nodes = rows // snapshots
    edge_index = graph["edge_index"]
    plain = numpy.zeros((nodes, nodes))
    plain[edge_index[1], edge_index[0]] = graph.get("edge_weight", 1)
    degrees = plain.sum(1)
    mean = plain * moved(1 / numpy.sqrt(numpy.where(degrees > 0, degrees, 1)))[:, None] ** 2
    loops = plain + numpy.eye(nodes)
    roots = moved(1 / numpy.sqrt(loops.sum(1)))
    made = roots[:, None] * loops * roots[None, :], mean, loops
    return made if snapshots == 1 else tuple(numpy.kron(one, numpy.eye(snapshots)) for one in made)


def distance(job, folder):
    """Returns the distance between the revealed predictions and the revealed model's predictions, and a sensitivity. The
    distance is the part of nodes with another class, or the root mean squared difference in deviations of the predictions;
    None unless both are revealed. The sensitivity is the largest distance by which numpy's own predictions move, in several
    draws, under errors as large as those of shares."""
    if not (folder / "model.npz").exists() or not (folder / "predictions.npz").exists():
        return None, 0
    told = numpy.load(folder / "predictions.npz")["predictions"]
    model = dict(numpy.load(folder / "model.npz"))
    x = prepared(job, model)
    own = predictions(job, model, x)
    random = numpy.random.default_rng(0)
    return difference(job, told, own), max(difference(job, moved(job, model, x, random), own) for _ in range(DRAWS))


def moved(job, model, x, random):
    """Returns predictions with an error of 2^-9 in the features and, for a private graph, in the roots of the degrees
    (gnn/graph/secret_adjacency.h states this error)."""
    normalised = None
    if job.data["edges"] not in ("public", "none"):
        normalised = adjacencies(messages(job), len(x), lambda roots: roots * (1 + 2**-9 * random.uniform(-1, 1, roots.shape)),
                                 job.snapshots)
    # The error belongs to the standardised feature: shares have no more of a feature that is far from zero in its own
    # unit.
    mean = x.mean(0) if folded(model) else 0
    return predictions(job, model, mean + (x - mean) * (1 + 2**-9 * random.normal(size=x.shape)), normalised)


def difference(job, told, own):
    if job.classes:
        return float((told != own).mean())
    told = told.reshape(own.shape)
    # The scale comes from the training nodes if masks are public, and otherwise from all nodes. This test does not
    # know it, and fits it; a poor fit counts as a distance.
    scaled = numpy.empty_like(own)
    for column in range(own.shape[1]):
        slope, offset = fitted(own[:, column], told[:, column])
        scaled[:, column] = slope * own[:, column] + offset
    # Shares round at 2^-13 of the targets' deviation. If all predictions are alike, their deviation is rounding alone.
    deviation = numpy.maximum(told.std(0), 0.02 * numpy.nanstd(job.graph["y"], 0).max())
    return float(numpy.sqrt((((told - scaled) / deviation) ** 2).mean()))


def fitted(own, told):
    if own.std() < 1e-9:
        return 0.0, told.mean()
    slope = ((own - own.mean()) * (told - told.mean())).mean() / own.var()
    return slope, told.mean() - slope * own.mean()
