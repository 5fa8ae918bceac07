#!/usr/bin/env python3
"""load_pyg.py MODEL GRAPH PREDICTIONS [TRAINING]: as load_numpy.py, with a module of PyTorch.

Model(path)(data.x, data.edge_index) takes a graph of PyTorch Geometric, with graph=data.batch a batch of graphs, with
pairs=data.edge_label_index pairs of nodes, and can be trained further. Its layers are MessagePassing layers where PyTorch Geometric is installed; without it, torch alone computes the same. load_numpy.py must lie
beside this file.
"""
import sys

import numpy
import torch

from load_numpy import edges, read, scaled

try:
    from torch_geometric.nn import MessagePassing
except ImportError:
    class MessagePassing(torch.nn.Module):
        def __init__(self, aggr):
            super().__init__()

        def propagate(self, index, x, weight):
            return torch.zeros_like(x).index_add_(0, index[1], self.message(x[index[0]], weight))


class Gather(MessagePassing):
    """The weighted sum of rows over the edges that lead to each node."""

    def forward(self, rows, index, weight):
        return self.propagate(index, x=rows, weight=weight)

    def message(self, x_j, weight):
        return weight[:, None] * x_j


class Layer(torch.nn.Module):
    """A layer with weights. Its parameters have the names weight, neighbour_weight, shift, neighbour_shift and bias."""

    def __init__(self, about, arrays):
        super().__init__()
        self.about, self.gather = about, Gather(aggr="add")
        for part, name in about["arrays"].items():
            self.register_parameter(part, torch.nn.Parameter(torch.tensor(arrays[name])))

    def forward(self, z, index, weights):
        own, kind = dict(self.named_parameters()), self.about["kind"]
        z = z.to(own["weight"].dtype)  # float64 if the scaling of the features is folded in
        out = (z @ own["weight"].T - own.get("shift", 0)).float()
        if kind in ("gcn", "gin"):
            out = self.gather(out, index, weights[self.about["normalisation"]]) + self.about.get("epsilon", 0) * out
        if kind == "sage":
            around = (z @ own["neighbour_weight"].T - own.get("neighbour_shift", 0)).float()
            out = out + self.gather(around, index, weights["mean"])
        out = out + own.get("bias", 0)
        return out + z if self.about["residual"] else out


class Propagate(torch.nn.Module):
    """A layer without parameters that gathers several times."""

    def __init__(self, about):
        super().__init__()
        self.steps, self.restart, self.gather = about["steps"], about["restart"], Gather(aggr="add")

    def forward(self, start, index, weights):
        z = start = start.float()
        for _ in range(self.steps):
            z = (1 - self.restart) * self.gather(z, index, weights["symmetric"]) + self.restart * start
        return z


class Pool(torch.nn.Module):
    """The mean or the sum over the rows of each graph."""

    def __init__(self, about):
        super().__init__()
        self.mean = about["pooling"] == "mean"

    def forward(self, z, graph):
        if graph is None:
            raise ValueError("the model predicts graphs: give graph, the number of each node's graph")
        sums = z.new_zeros(int(graph.max()) + 1, z.shape[1]).index_add_(0, graph, z)
        return sums / torch.bincount(graph)[:, None] if self.mean else sums


class Norm(torch.nn.Module):
    """Each row less its mean, divided by the root of its variance: LayerNorm without parameters, for rows of any width."""

    def __init__(self, epsilon):
        super().__init__()
        self.epsilon = epsilon

    def forward(self, z):
        return torch.nn.functional.layer_norm(z.float(), z.shape[1:], eps=self.epsilon)


class Dot(torch.nn.Module):
    """The log-odds of no link, which are 0, and of a link: the dot product of the rows of both nodes."""

    def forward(self, z, pairs):
        if pairs is None:
            raise ValueError("the model predicts links: give pairs, a row of first nodes and a row of second ones")
        score = (z[pairs[0]] * z[pairs[1]]).sum(1)
        return torch.stack([torch.zeros_like(score), score], 1)


class Logit(torch.nn.Module):
    """The log-odds of class 0, which are 0, and of class 1."""

    def forward(self, z):
        return torch.cat([torch.zeros_like(z), z], 1)


KINDS = {"relu": lambda about, arrays: torch.nn.ReLU(), "propagate": lambda about, arrays: Propagate(about),
         "pool": lambda about, arrays: Pool(about), "layer-norm": lambda about, arrays: Norm(about["epsilon"]),
         "dot": lambda about, arrays: Dot(), "logit": lambda about, arrays: Logit()}


class Model(torch.nn.Module):
    """forward() returns a row for each node, graph or pair: targets, or logits of classes. `training_x`: as in
    load_numpy.predict()."""

    def __init__(self, path, training_x=None):
        super().__init__()
        self.about, self.arrays = read(path)
        self.training_x = training_x
        self.layers = torch.nn.ModuleList(KINDS.get(one["kind"], Layer)(one, self.arrays) for one in self.about["layers"])

    def forward(self, x, edge_index=torch.zeros((2, 0), dtype=torch.long), edge_weight=None, graph=None, pairs=None):
        if x.ndim == 3:  # several snapshots of one graph
            return torch.stack([self(one, edge_index, edge_weight, graph, pairs) for one in x])
        if self.about.get("edge_weights") and edge_weight is None:
            raise ValueError("the model counts edges by their weights: give edge_weight")
        own = edge_weight.cpu().numpy() if self.about.get("edge_weights") else None
        index, weights = edges(edge_index.cpu().numpy(), len(x), own)
        index = torch.from_numpy(index).to(x.device)
        weights = {name: torch.from_numpy(values).to(x.device) for name, values in weights.items()}
        z = torch.from_numpy(scaled(self.about, self.arrays, x.cpu().double().numpy(), self.training_x)).to(x.device)
        outputs = []  # of the layers with weights, for jumps; at first the features
        for layer in self.layers:
            if isinstance(layer, Layer):
                outputs.append(z)
                z = torch.cat(outputs[1:], 1) if layer.about.get("jump") else z
            z = (layer(z, index, weights) if isinstance(layer, (Layer, Propagate)) else layer(z, graph)
                 if isinstance(layer, Pool) else layer(z, pairs) if isinstance(layer, Dot) else layer(z))
        scaling = self.about["targets"]
        if "mean" not in scaling:
            return z
        return z * torch.tensor(self.arrays[scaling["deviation"]]) + torch.tensor(self.arrays[scaling["mean"]])


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    graph = numpy.load(sys.argv[2])
    model = Model(sys.argv[1], numpy.load(sys.argv[4])["x"] if len(sys.argv) == 5 else None)
    parts = {name: torch.from_numpy(graph[name]) for name in ("x", "edge_index", "edge_weight", "graph", "pairs")
             if name in graph}
    with torch.no_grad():
        made = model(**parts)
    made = made.argmax(-1) if model.about["output"] == "classes" else made[..., 0] if made.shape[-1] == 1 else made
    names = {"class_names": model.about["class_names"]} if "class_names" in model.about else {}
    numpy.savez(sys.argv[3], predictions=made.numpy(), **names)
