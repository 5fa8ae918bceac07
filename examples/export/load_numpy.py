#!/usr/bin/env python3
"""load_numpy.py MODEL GRAPH PREDICTIONS [TRAINING]: predicts with a model that Tacit revealed, with numpy alone.

MODEL is a model.npz, or a file of `tacit export` (npz or safetensors). GRAPH is an .npz file with x, with edge_index if the
model has graph layers, with graph if it pools, and with pairs if it predicts links. An x of three axes holds several
snapshots of one graph; the predictions then have the snapshots as their first axis. TRAINING is the graph of the training; a model needs its x if the file lacks the features' scale.
docs/model-file.md describes the file. Targets of a model that lacks their scale come out in deviations from their mean.
"""
import json
import sys

import numpy


def read(path):
    """Returns the description of a model, and its arrays by their names."""
    if not path.endswith(".safetensors"):
        arrays = dict(numpy.load(path))
        return json.loads(arrays.pop("tacit").tobytes()), arrays
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    about = json.loads(header.pop("__metadata__")["tacit"])
    return about, {name: numpy.frombuffer(data[slice(*one["data_offsets"])], {"F32": "<f4", "F64": "<f8"}[one["dtype"]])
                   .reshape(one["shape"]) for name, one in header.items()}


def edges(edge_index, nodes, edge_weight=None):
    """Returns each edge once, with a loop at each node, and the edges' weights in each normalisation."""
    once, first = numpy.unique(edge_index, axis=1, return_index=True)
    own = numpy.ones(len(first)) if edge_weight is None else numpy.asarray(edge_weight, float)[first]
    apart = once[0] != once[1]
    source, target = numpy.hstack([once[:, apart], numpy.tile(numpy.arange(nodes), (2, 1))])
    own = numpy.append(own[apart], numpy.ones(nodes))
    degree = numpy.bincount(target, own, minlength=nodes)  # with the loop
    around = degree[target] - 1
    weights = {"symmetric": own * (degree[source] * degree[target])**-0.5,
               "mean": (source != target) * own / numpy.where(around > 1e-6, around, 1), "sum": own}
    return numpy.stack([source, target]), {name: values.astype("float32") for name, values in weights.items()}


def scaled(about, arrays, x, training_x=None):
    """Returns the features as the first layer takes them. Missing ones (NaN) become the training's means, if these are known."""
    scaling = about["features"]
    if scaling["scaling"] == "row-sum":
        sums = numpy.abs(x).sum(1, keepdims=True)
        x = x / numpy.where(sums == 0, 1, sums)
    if scaling["scaling"] == "standardise":
        if "mean" not in scaling and training_x is None:
            sys.exit("the model does not hold the scale of its features: name the training's x")
        rows = None if training_x is None else training_x.reshape(-1, x.shape[-1])  # of all snapshots
        mean = arrays[scaling["mean"]] if "mean" in scaling else numpy.nanmean(rows, 0)
        deviation = arrays[scaling["deviation"]] if "mean" in scaling else numpy.where(numpy.isnan(rows), mean, rows).std(0)
        x = numpy.where(numpy.isnan(x), mean, x)
        x = (x - mean) / numpy.where(deviation <= 1e-12 * numpy.abs(mean), 1, deviation)
    if numpy.isnan(x).any():
        more = ", or use tacit predict" if scaling["scaling"] == "folded" else ""
        sys.exit(f"features are missing, and the model does not tell the training's means: fill them in{more}")
    return numpy.clip(x, -scaling["cut"], scaling["cut"]) if "cut" in scaling else x


def pooled(rows, graph, how):
    """Returns the mean or the sum over the rows of each graph."""
    if graph is None:
        sys.exit("the model predicts graphs: give graph, the number of each node's graph")
    sums = numpy.zeros((graph.max() + 1, rows.shape[1]), rows.dtype)
    numpy.add.at(sums, graph, rows)
    return sums / numpy.bincount(graph)[:, None] if how == "mean" else sums


def predict(about, arrays, x, edge_index=None, training_x=None, edge_weight=None, graph=None, pairs=None):
    """Returns the targets of each node or graph, a row for each; or the number of the likeliest class of each. For pairs of
    nodes, 1 if a link is likelier than not."""
    if x.ndim == 3:
        return numpy.stack([predict(about, arrays, one, edge_index, training_x, edge_weight, graph, pairs) for one in x])
    edge_index = numpy.zeros((2, 0), int) if edge_index is None else edge_index
    if about.get("edge_weights", False) != (edge_weight is not None):
        sys.exit("the model counts edges by their weights: give edge_weight" if edge_weight is None else
                 "the model does not know weights of edges: leave edge_weight out")
    (source, target), weights = edges(edge_index, len(x), edge_weight)

    def gathered(rows):
        sums = numpy.zeros_like(rows)
        numpy.add.at(sums, target, weights[layer["normalisation"]][:, None] * rows[source])
        return sums

    z, outputs = scaled(about, arrays, x.astype(float), training_x), []
    for layer in about["layers"]:
        if layer["kind"] == "relu":
            z = numpy.maximum(z, 0)
            continue
        if layer["kind"] == "layer-norm":
            z = (z - z.mean(1, keepdims=True)) / numpy.sqrt(z.var(1, keepdims=True) + layer["epsilon"])
            continue
        if layer["kind"] == "propagate":
            start = z
            for _ in range(layer["steps"]):
                z = (1 - layer["restart"]) * gathered(z) + layer["restart"] * start
            continue
        if layer["kind"] == "pool":
            z = pooled(z, graph, layer["pooling"])
            continue
        if layer["kind"] == "dot":
            if pairs is None:
                sys.exit("the model predicts links: give pairs, a row of first nodes and a row of second ones")
            score = (z[pairs[0]] * z[pairs[1]]).sum(1)
            z = numpy.stack([numpy.zeros_like(score), score], 1)
            continue
        if layer["kind"] == "logit":
            z = numpy.hstack([numpy.zeros_like(z), z])
            continue
        outputs.append(z)  # of the layer with weights before; at first the features
        z = numpy.hstack(outputs[1:]) if layer.get("jump") else z
        own = {part: arrays[name] for part, name in layer["arrays"].items()}
        out = z @ own["weight"].T - own.get("shift", 0)
        if layer["kind"] in ("gcn", "gin"):
            out = gathered(out) + layer.get("epsilon", 0) * out
        if layer["kind"] == "sage":
            out = out + gathered(z @ own["neighbour_weight"].T - own.get("neighbour_shift", 0))
        out = out + own.get("bias", 0)
        z = out + z if layer["residual"] else out
    if about["output"] == "classes":
        return z.argmax(1)
    scaling = about["targets"]
    return z * arrays[scaling["deviation"]] + arrays[scaling["mean"]] if "mean" in scaling else z


def names_of(about, predictions):
    """Returns the names of predicted classes, if the model's job names its classes."""
    return numpy.array(about["class_names"])[predictions]


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    graph = numpy.load(sys.argv[2])
    training = numpy.load(sys.argv[4])["x"] if len(sys.argv) == 5 else None
    about, arrays = read(sys.argv[1])
    index, weight, of, pairs = (graph.get(name) for name in ("edge_index", "edge_weight", "graph", "pairs"))
    made = predict(about, arrays, graph["x"], index, training, weight if about.get("edge_weights") else None, of, pairs)
    names = {"class_names": about["class_names"]} if "class_names" in about else {}
    numpy.savez(sys.argv[3], predictions=made[..., 0] if about["output"] != "classes" and made.shape[-1] == 1 else made, **names)
