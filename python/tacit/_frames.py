"""Graphs from frames of pandas and from networkx."""

import numpy

from tacit._convert import array_of
from tacit.errors import ConfigError

_ENDS = (("from", "to"), ("source", "target"), ("src", "dst"))
_MASKS = ("train_mask", "val_mask", "test_mask")


def _expect_columns(frame, names, what):
    missing = [str(name) for name in names if name not in frame.columns]
    if missing:
        raise ConfigError(f"{what} has no column {', '.join(missing)}; expected one of {', '.join(map(str, frame.columns[:20]))}")


def graph_arrays(nodes, edges, ids, features, y, weight, directed):
    import pandas

    targets = [] if y is None else list(y) if isinstance(y, (list, tuple)) else [y]
    _expect_columns(nodes, targets + ([] if ids is None else [ids]) + list(features or []), "the frame of nodes")
    masks = [name for name in _MASKS if name in nodes.columns]
    used = {*targets, *masks, *([] if ids is None else [ids])}
    columns = list(features) if features is not None else [name for name in nodes.columns if name not in used]
    numbered = ids is None and isinstance(nodes.index, pandas.RangeIndex) and nodes.index.equals(pandas.RangeIndex(len(nodes)))
    names = pandas.Index(nodes[ids]) if ids is not None else nodes.index
    arrays = {"num_nodes": len(nodes)}
    if columns:
        arrays["x"] = nodes if columns == list(nodes.columns) else nodes[columns]
    if targets:
        arrays["y"] = nodes[targets] if isinstance(y, (list, tuple)) else nodes[y]
    arrays.update((name, nodes[name]) for name in masks)
    if not numbered:
        arrays["ids"] = names.to_numpy()
        if not names.is_unique:
            repeated = names.duplicated(keep=False)
            rows = numpy.flatnonzero(repeated & (names == names[int(numpy.argmax(repeated))]))
            raise ConfigError(f"ids: rows {rows[0]} and {rows[1]} of the frame have the same id ({int(names.duplicated().sum())} "
                              f"rows repeat one); expected a different id for each node: drop the repeated rows")
    if edges is not None:
        arrays.update(_edge_arrays(names, edges, weight, directed))
    return arrays


def _edge_arrays(names, edges, weight, directed):
    ends = next((pair for pair in _ENDS if set(pair) <= set(edges.columns)), None)
    if ends is None:
        raise ConfigError(f"the frame of edges has the columns {', '.join(map(str, edges.columns[:20]))}; expected from and to, "
                          f"source and target, or src and dst")
    index = numpy.stack([names.get_indexer(edges[end]) for end in ends]).astype(numpy.int64, copy=False)
    lost = numpy.flatnonzero((index < 0).any(axis=0))
    if len(lost):
        raise ConfigError(f"the frame of edges: {len(lost)} of {len(edges)} edges begin or end at a node that the frame of "
                          f"nodes does not have (the first one is line {lost[0]}); expected ids of nodes")
    if weight is not None:
        _expect_columns(edges, [weight], "the frame of edges")
    weights = None if weight is None else array_of(edges[weight], "edge_weight")
    if not directed:
        apart = index[0] != index[1]
        index = numpy.hstack([index, index[::-1, apart]])
        weights = None if weights is None else numpy.concatenate([weights, weights[apart]])
    return {"edge_index": index} if weights is None else {"edge_index": index, "edge_weight": weights}


def networkx_arrays(graph, features, y, weight):
    nodes = list(graph.nodes)
    number = {node: row for row, node in enumerate(nodes)}

    def attribute(name):
        values = []
        for row, node in enumerate(nodes):
            if name not in graph.nodes[node]:
                raise ConfigError(f"node {row} of the graph has no attribute '{name}'; expected it at every node")
            values.append(graph.nodes[node][name])
        return numpy.asarray(values)

    arrays = {"num_nodes": len(nodes)}
    if features:
        names = [features] if isinstance(features, str) else list(features)
        columns = [array_of(attribute(name), f"the attribute '{name}'", (1, 2)) for name in names]
        arrays["x"] = numpy.column_stack(columns)
    if y is not None:
        arrays["y"] = attribute(y)
    if nodes != list(range(len(nodes))):
        arrays["ids"] = numpy.array([str(node) for node in nodes])
    ends = [(number[a], number[b], data) for a, b, data in graph.edges(data=True)]
    index = numpy.array([(a, b) for a, b, _ in ends], numpy.int64).reshape(-1, 2).T
    if weight is not None and not all(weight in data for *_, data in ends):
        raise ConfigError(f"an edge of the graph has no attribute '{weight}'; expected it at every edge")
    weights = None if weight is None else numpy.array([data[weight] for *_, data in ends], float)
    if not graph.is_directed():
        apart = index[0] != index[1]
        index = numpy.hstack([index, index[::-1, apart]])
        weights = None if weights is None else numpy.concatenate([weights, weights[apart]])
    arrays["edge_index"] = index
    if weights is not None:
        arrays["edge_weight"] = weights
    return arrays
