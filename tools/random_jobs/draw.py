"""draw: random jobs as a new user might write them. Tests name jobs by seed and number, and a change here changes the jobs."""

import numpy

from .job import Job


def has_newer(number):
    """True for the jobs that may have newer settings. Tests name jobs with other numbers, which must not change."""
    return number % 8 in (2, 6)


def draw(seed, number, small):
    """Returns job `number` of `seed`. `small` limits its size, for a test that runs at every change."""
    random = numpy.random.default_rng([seed, number])
    nodes = int(numpy.exp(random.uniform(numpy.log(60), numpy.log(160 if small else 600))))
    traits = [f"{nodes} nodes"]
    x = features(random, nodes, traits)
    edge_index = edges(random, nodes, traits)
    graph = {"x": x, "edge_index": edge_index, **masks(random, nodes)}
    classes = int(random.integers(2, 8)) if random.random() < 0.6 else 0
    signal = hidden_signal(random, x, edge_index)
    if classes:
        graph["y"] = class_labels(random, signal, classes, traits)
    else:
        graph["y"] = targets(random, signal, traits)
    outputs = classes or graph["y"].shape[1]
    parties = int(random.choice([2, 2, 3, 3, 5]))
    epochs = random.integers(20, 51) if small else random.integers(40, 201)
    training = {"epochs": int(epochs), "seed": int(random.integers(1, 1000))}
    training["loss"] = "cross-entropy" if classes else "mse"
    training["optimiser"], adam = optimiser(random, traits)
    if random.random() < 0.2:
        training["batch"] = int(max(8, graph["train_mask"].sum() // random.integers(2, 6)))
        traits.append(f"batches of {training['batch']}")
    network = layers(random, outputs, traits)
    later = numpy.random.default_rng([seed, number, 1])  # for what random jobs did not draw at first
    new = has_newer(number)
    if new and later.random() < 0.6:
        network = with_other_gathering(later, network, traits)
    if new:
        with_other_layers(numpy.random.default_rng([seed, number, 3]), network, traits)
    data = ownership(random, parties, x.shape[1])
    if all(layer["kind"] in ("dense", "relu", "dropout", "layer-norm") for layer in network) and random.random() < 0.5:
        data["edges"] = "none"
    if classes:
        data["classes"] = classes
    if new and data["edges"] not in ("none", "public") and later.random() < 0.6:
        data["edges"] = "any"
        traits.append("edges of anybody")
    if new and data["edges"] != "none" and later.random() < 0.5:
        graph["edge_index"], graph["edge_weight"] = with_weights(later, edge_index, any(layer["kind"] == "gin" for layer in network))
        data["edge_weights"] = True
        traits.append("weights of edges")
    if new and data["edges"] != "none" and later.random() < 0.4:
        graph, network = with_several_graphs(later, graph, network, bool(classes), traits)
    return Job(
        name=f"random-{seed}-{number}",
        parties=parties,
        graph=graph,
        data=data,
        layers=network,
        training=training,
        ring=ring(random, adam, traits),
        preprocessing=preprocessing(random, x, number, traits),
        reveal=reveal(random),
        traits=traits,
    )


def with_logit(job, seed, number):
    """Gives some of the newer jobs of two classes a model with one output, by either of its two names."""
    random = numpy.random.default_rng([seed, number, 5])
    weights = [layer for layer in job.layers if "outputs" in layer]
    if job.classes != 2 or job.links or weights[-1].get("residual") or random.random() < 0.2:
        return
    weights[-1]["outputs"] = 1
    if random.random() < 0.5:
        job.training["loss"] = "logistic"
    else:
        job.layers.append({"kind": "logit"})
    job.traits.append(f"logit ({job.training['loss']})")


def learns_links(job, seed, number):
    """Makes some of the newer jobs learn links, if they have edges that can be learned."""
    random = numpy.random.default_rng([seed, number, 4])
    source, target = job.graph["edge_index"]
    count = int((source < target).sum())
    possible = len(job.graph["x"]) * (len(job.graph["x"]) - 1) // 2
    if job.data["edges"] in ("none", "any") or "graph" in job.graph or not 60 <= count <= possible // 3 or random.random() < 0.5:
        return
    if any(layer["kind"] == "gin" for layer in job.layers):  # dot products of sums leave the default ranges
        return
    job.data = {key: value for key, value in job.data.items() if key not in ("labels", "masks", "classes")}
    job.links = {"validation": float(random.choice([0, 0.1])), "test": float(random.choice([0.2, 0.3])),
                 "drawn": int(random.integers(1, 3)), "seed": int(random.integers(1000))}
    job.graph = {key: job.graph[key] for key in ("x", "edge_index", "edge_weight") if key in job.graph}
    nodes = len(job.graph["x"])
    pairs = random.permutation(nodes)[: 2 * (nodes // 4)].reshape(2, -1)
    job.graph["pairs"] = pairs.astype(numpy.int64)
    weights = [layer for layer in job.layers if "outputs" in layer]
    if not weights[-1].get("residual") and len(weights) > 1:
        weights[-1]["outputs"] = int(random.choice([3, 8, 12]))
    job.layers.append({"kind": "dot"})
    job.training["loss"] = "cross-entropy"
    if "batch" in job.training:
        job.training["batch"] = int(max(40, count // random.integers(2, 5)))
    job.preprocessing.pop("targets", None)
    job.traits += [f"{count} links", f"{job.links['drawn']} drawn for each"]


def takes_snapshots(job, seed, number):
    """Makes the job's nodes the states of fewer nodes in 2 to 6 snapshots. An edge joins two of them if it joined two of their
    states. The masks of some jobs are of snapshots."""
    random = numpy.random.default_rng([seed, number, 6])
    if "graph" in job.graph or job.links:
        return
    nodes = len(job.graph["x"])
    job.snapshots = int(random.integers(2, 7))
    nodes //= job.snapshots
    job.graph = {key: values if key.startswith("edge") else values[: nodes * job.snapshots] for key, values in job.graph.items()}
    ends = job.graph["edge_index"] // job.snapshots
    kept = (ends < nodes).all(0) & (ends[0] != ends[1])
    job.graph["edge_index"], first = numpy.unique(ends[:, kept], axis=1, return_index=True)
    if "edge_weight" in job.graph:
        job.graph["edge_weight"] = numpy.maximum(job.graph["edge_weight"][kept][first] / job.snapshots, 1 / 128)
    if "val_mask" in job.graph and random.random() < 0.5:  # otherwise some nodes have no label (hide_labels)
        last = numpy.arange(nodes * job.snapshots) % job.snapshots == job.snapshots - 1
        job.graph |= {"train_mask": ~last, "val_mask": last, "test_mask": last}
    job.traits.append(f"{job.snapshots} snapshots of {nodes} nodes")


def keeps_edges(job, seed, number, always=False):
    """Lets the ranks with edges keep them as sparse matrices of their own, in some of the newer jobs, or always. An edge that
    several ranks hold must have a weight."""
    of_several = job.data["edges"] == "edges" or (job.data["edges"] == "any" and "edge_weights" in job.data)
    random = numpy.random.default_rng([seed, number, 11 if of_several else 10])
    if (job.data["edges"].startswith("rank") or of_several) and (random.random() < 0.6 or always):
        job.data["adjacency"] = "sparse"
        job.traits.append("edges kept by their ranks" if of_several else "edges kept by their rank")


def has_edges_of_several(job, seed, number):
    """Gives the edges of a job to several ranks, each those of its own nodes or, with weights, any."""
    random = numpy.random.default_rng([seed, number, 12])
    if job.data["edges"] == "none":
        return
    job.data["edges"] = "any" if "edge_weights" in job.data and not job.links and random.random() < 0.5 else "edges"
    if random.random() < 0.3 and job.graph["x"].shape[1] > job.parties:
        job.parties += 1
    job.traits.append(f"edges: {job.data['edges']}")


def has_no_dealer(job, seed, number, always=False):
    """Lets the parties make the correlations among themselves, in some of the newer jobs, or always."""
    if always or numpy.random.default_rng([seed, number, 14]).random() < 0.3:
        job.correlations = "pairwise"
        job.traits.append("no dealer")


def lacks_features(job, seed, number):
    """Takes some features away: the job gives them the means of their columns. Half of the jobs have a column that is known in
    the first rows alone, so that other owners of rows may lack it."""
    random = numpy.random.default_rng([seed, number, 7])
    if job.preprocessing.get("features", "standardise") != "standardise":
        return
    x = job.graph["x"].astype(float)
    missing = random.random(x.shape) < float(random.choice([0.02, 0.2, 0.5]))
    if random.random() < 0.5:
        missing[len(x) // 3:, random.integers(x.shape[1])] = True
    missing[: max(2, len(x) // 20)] = False
    x[missing] = numpy.nan
    job.graph["x"] = x
    job.preprocessing["missing"] = "mean"
    job.traits.append(f"{missing.mean():.0%} of the features missing")


def has_whole_features(job, seed, number):
    """Makes the features whole numbers: words that occur or not, or small counts. The job says that they are whole."""
    random = numpy.random.default_rng([seed, number, 8])
    x = job.graph["x"].astype(float)
    job.preprocessing.pop("cut", None)
    job.preprocessing.pop("missing", None)
    ranks = x.argsort(0).argsort(0) / max(1, len(x) - 1)
    most = int(random.choice([1, 1, 2, 3]))
    job.graph["x"] = numpy.floor(ranks * (most + 0.999)) - int(random.choice([0, 0, most // 2]))
    job.preprocessing["features"] = "whole"
    job.traits.append(f"whole features up to {most}")


def hide_labels(job):
    """Takes the labels of the nodes for validation away, and their mask. The rank with the labels knows all masks."""
    hidden = job.graph.pop("val_mask")
    job.graph["y"][hidden] = -1 if job.classes else numpy.nan
    job.data["masks"] = "rows" if job.data["labels"] == "rows" and job.data["masks"] != "public" else "public"
    job.traits.append(f"{hidden.sum()} unlabelled")


def features(random, nodes, traits):
    columns = int(numpy.exp(random.uniform(numpy.log(2), numpy.log(48))))
    kind = random.choice(["plain", "tiny", "large", "mixed", "heavy", "binary", "constant"])
    traits.append(f"{columns} {kind} features")
    x = random.normal(size=(nodes, columns))
    if kind == "tiny":
        x *= 1e-4
    elif kind == "large":
        x = 3e4 * x + 1e5
    elif kind == "mixed":
        x = x * 10 ** random.uniform(-4, 5, columns) + 10 ** random.uniform(-2, 4, columns)
    elif kind == "heavy":
        x = random.standard_t(2.2, size=x.shape) if random.random() < 0.5 else numpy.exp(1.2 * x)
    elif kind == "binary":
        x = (random.random(x.shape) < random.uniform(0.02, 0.5, columns)).astype(float)
    elif kind == "constant":
        x[:, random.random(columns) < 0.4] = random.choice([0.0, 1.0, 7.5])
    return x


def edges(random, nodes, traits):
    """Returns random edges, each in both directions."""
    kind = random.choice(["sparse", "dense", "ring", "hubs", "star", "lonely"])
    traits.append(f"{kind} graph")
    degree = {"sparse": 4, "dense": 16, "ring": 0, "hubs": 3, "star": 1, "lonely": 2}[kind]
    among = nodes // 2 if kind == "lonely" else nodes  # half of the nodes have no edge
    pairs = [random.integers(0, among, (2, degree * among // 2))]
    if kind == "ring":
        pairs.append(numpy.array([numpy.arange(nodes), numpy.roll(numpy.arange(nodes), 1)]))
    hubs = {"hubs": 3, "star": 1}.get(kind, 0)
    for hub in range(hubs):
        others = numpy.arange(nodes) if kind == "star" else random.permutation(nodes)[: nodes // 2]
        pairs.append(numpy.array([numpy.full(len(others), hub), others]))
    one_way = numpy.concatenate(pairs, axis=1)
    both = numpy.concatenate([one_way, one_way[::-1]], axis=1)
    both = both[:, both[0] != both[1]]
    return numpy.unique(both, axis=1).astype(numpy.int64)


def masks(random, nodes):
    order = random.permutation(nodes)
    train = int(nodes * random.uniform(0.3, 0.7))
    test = max(12, int((nodes - train) * random.uniform(0.5, 1)))
    made = {name: numpy.zeros(nodes, bool) for name in ("train_mask", "val_mask", "test_mask")}
    made["train_mask"][order[:train]] = True
    made["test_mask"][order[train : train + test]] = True
    made["val_mask"][order[train + test :]] = True
    return made


def hidden_signal(random, x, edge_index):
    """Returns four standardised numbers for each node, which depend on its features and its neighbours."""
    centred = (x - x.mean(0)) / numpy.maximum(x.std(0), 1e-12)
    z = numpy.tanh(centred @ random.normal(size=(x.shape[1], 4)) / numpy.sqrt(x.shape[1]))
    around = z.copy()
    numpy.add.at(around, edge_index[1], z[edge_index[0]])
    around /= 1 + numpy.bincount(edge_index[1], minlength=len(x))[:, None]
    signal = 0.5 * z + around + 0.1 * random.normal(size=z.shape)
    return (signal - signal.mean(0)) / signal.std(0)


def class_labels(random, signal, classes, traits):
    score = signal[:, 0] + 0.3 * signal[:, 1]
    shares = numpy.full(classes, 1 / classes)
    if random.random() < 0.35:
        shares = 0.25 ** numpy.arange(classes) + 0.02
        shares /= shares.sum()
        traits.append("imbalanced")
    traits.append(f"{classes} classes")
    limits = numpy.quantile(score, numpy.cumsum(shares)[:-1])
    return numpy.searchsorted(limits, score).astype(numpy.int64)


def targets(random, signal, traits):
    columns = int(random.choice([1, 1, 2, 3]))
    y = signal[:, :columns].copy()
    kind = random.choice(["plain", "large", "offset", "small", "heavy"])
    traits.append(f"{columns} {kind} targets")
    if kind == "large":
        y *= 1000
    elif kind == "offset":
        y = y + 5000
    elif kind == "small":
        y *= 0.01
    elif kind == "heavy":
        y = numpy.exp(y)
    return y


def optimiser(random, traits):
    if random.random() < 0.35:
        made = {"kind": "adam", "rate": rounded(numpy.exp(random.uniform(numpy.log(0.003), numpy.log(0.05))))}
    else:
        made = {"kind": "sgd", "rate": rounded(numpy.exp(random.uniform(numpy.log(0.01), 0)))}
        if random.random() < 0.5:
            made["momentum"] = float(random.choice([0.5, 0.9]))
    if random.random() < 0.2:
        made["weight_decay"] = 5e-4
    traits.append(" ".join(str(value) for value in made.values()))
    return made, made["kind"] == "adam"


def rounded(value):
    return float(f"{value:.2g}")


def layers(random, outputs, traits):
    count = int(random.choice([1, 2, 2, 3]))
    same = str(random.choice(["gcn", "sage", "dense", "mixed"], p=[0.4, 0.3, 0.1, 0.2]))
    made, kinds = [], []
    hidden = int(random.choice([4, 8, 16, 32]))
    for i in range(count):
        kind = str(random.choice(["gcn", "sage", "dense"])) if same == "mixed" else same
        kinds.append(kind)
        last = i == count - 1
        layer = {"kind": kind, "outputs": outputs if last else hidden}
        if 0 < i and not last and random.random() < 0.3:
            layer["residual"] = True
        made.append(layer)
        if last:
            continue
        made.append({"kind": "relu"})
        if random.random() < 0.15:
            made.append({"kind": "dropout", "rate": float(random.choice([0.2, 0.5]))})
            kinds.append("dropout")
    traits.append("-".join(kinds))
    return made


def with_weights(random, edge_index, added):
    """Returns each edge once, without loops, and a weight for each pair of nodes. If a layer adds weighted rows up, the
    weights at a node add up to 8 at most, as the default ranges have room for."""
    once = numpy.unique(edge_index[:, edge_index[0] != edge_index[1]], axis=1)
    low, high = once.min(0), once.max(0)
    _, pair = numpy.unique(low * (once.max(initial=0) + 1) + high, return_inverse=True)
    weights = numpy.exp(random.normal(size=pair.max(initial=-1) + 1)) if random.random() < 0.7 else None
    if weights is None:  # whole numbers, as counts of transfers
        weights = random.integers(1, 20, size=pair.max(initial=-1) + 1).astype(float)
    weights = numpy.clip(weights * random.choice([0.05, 1, 30]), 1 / 128, 600)[pair]
    if random.random() < 0.3:  # other weights in the other direction
        weights = numpy.clip(weights * numpy.exp(random.normal(size=len(pair)) * (low == once[0])), 1 / 128, 600)
    sums = numpy.bincount(once[1], weights, minlength=1)
    return once, numpy.clip(weights * min(1, (8 if added else 700) / sums.max()), 1 / 128, 600)


def with_other_gathering(random, network, traits):
    """Returns the network with sums over neighbours in place of some layers, or with a propagation before or after it."""
    hubs = any(trait in ("hubs graph", "star graph") for trait in traits)  # sums over them leave the default ranges
    if random.random() < 0.5 and not hubs:
        for layer in network:
            if layer["kind"] in ("gcn", "sage") and random.random() < 0.7:
                layer["kind"] = "gin"
                traits.append("gin")
        return network
    made = {"kind": "propagate", "steps": int(random.integers(1, 5))}
    if random.random() < 0.7:
        made["restart"] = float(random.choice([0.1, 0.25, 0.5]))
    first = random.random() < 0.4
    traits.append(f"propagation {'before' if first else 'after'} it")
    return [made, *network] if first else [*network, made]


def with_several_graphs(random, graph, network, classes, traits):
    """Returns the data divided into graphs, with a label and masks for each, and the network with a pool, and dense layers
    behind it."""
    nodes = len(graph["x"])
    begins = numpy.sort(random.permutation(numpy.arange(1, nodes))[: max(30, nodes // int(random.integers(2, 9))) - 1])
    number = numpy.searchsorted(begins, numpy.arange(nodes), side="right").astype(numpy.int64)
    of_nodes = graph["y"].astype(float).reshape(nodes, -1)
    sums = numpy.zeros((number[-1] + 1, of_nodes.shape[1]))
    numpy.add.at(sums, number, of_nodes)
    means = sums / numpy.bincount(number)[:, None]
    y = numpy.rint(means[:, 0]).astype(numpy.int64) if classes else means
    steps = [i for i, layer in enumerate(network) if layer["kind"] == "propagate"]
    at = int(random.integers(max(steps, default=-1) + 1, len(network) + 1))
    behind = [layer | {"kind": "dense"} if layer["kind"] in ("gcn", "sage", "gin") else layer for layer in network[at:]]
    dropped = {"epsilon", "jump"} if any("outputs" in layer for layer in network[:at]) else {"epsilon"}  # no jump over a pool
    behind = [{key: value for key, value in layer.items() if key not in dropped} for layer in behind]
    made = {"kind": "pool"}
    if random.random() < 0.4 and numpy.bincount(number).max() <= 8:  # larger sums leave the default ranges
        made["pooling"] = "sum"
    traits.append(f"{number[-1] + 1} graphs")
    source, target = graph["edge_index"]
    within = number[source] == number[target]
    kept = {key: graph[key][..., within] for key in ("edge_index", "edge_weight") if key in graph}
    return {**graph, **kept, "graph": number, "y": y, **masks(random, len(means))}, [*network[:at], made, *behind]

def with_other_layers(random, network, traits):
    """Adds an epsilon to sums over neighbours, a jump to the last layer with weights, and layer norms before ReLUs."""
    for layer in network:
        if layer["kind"] == "gin" and random.random() < 0.5:
            layer["epsilon"] = float(random.choice([-1, -0.5, 0.1, 1]))
            traits.append(f"epsilon {layer['epsilon']}")
    weights = [layer for layer in network if "outputs" in layer]
    if len(weights) > 1 and random.random() < 0.4:
        weights[-1]["jump"] = True
        traits.append("jump")
    if random.random() < 0.3 and max(layer["outputs"] for layer in weights) <= 8:  # a ring of 48 bits has room for these
        for at in [i for i, layer in enumerate(network) if layer["kind"] == "relu"][::-1]:
            network.insert(at, {"kind": "layer-norm"})
            traits.append("layer norm")


def ring(random, adam, traits):
    bits = 64 if adam else int(random.choice([64, 56, 48], p=[0.5, 0.2, 0.3]))
    traits.append(f"ring of {bits}")
    return {"bits": bits}


def preprocessing(random, x, number, traits):
    if number % 5 == 0 and any(trait.endswith(("heavy features", "mixed features")) for trait in traits):
        traits.append("features cut at 2")
        return {"cut": 2.0}
    binary = set(numpy.unique(x)) <= {0.0, 1.0}
    if binary and random.random() < 0.5:
        kind = str(random.choice(["none", "row-sum"]))
        traits.append(f"features: {kind}")
        return {"features": kind}
    return {}


def ownership(random, parties, columns):
    owner = lambda: f"rank {random.integers(parties)}"
    split = ["columns"] if columns >= parties else []
    by_rows = random.random() < 0.35
    return {
        "features": "rows" if by_rows else str(random.choice(split + [owner()])),
        "edges": str(random.choice(["public", "public", owner(), "edges"])),
        "labels": "rows" if by_rows else owner(),
        "masks": "public" if random.random() < 0.8 else "rank 0",
    }


def reveal(random):
    made = {"loss": str(random.choice(["everyone", "nobody"]))}
    if random.random() < 0.5:
        made |= {"model": "everyone", "predictions": "everyone"}
    return made
