"""Job: a job with its whole graph; writes both to files."""

import dataclasses
import json

import numpy

from . import links


@dataclasses.dataclass
class Job:
    name: str
    parties: int
    graph: dict  # the arrays of an .npz file: x, edge_index, y, train_mask, val_mask, test_mask; edge_weight and graph, if there
    data: dict  # the owner of each part
    layers: list
    training: dict
    ring: dict = dataclasses.field(default_factory=dict)
    preprocessing: dict = dataclasses.field(default_factory=dict)
    reveal: dict = dataclasses.field(default_factory=dict)
    correlations: str = "dealer"
    snapshots: int = 1  # with more, the rows of `graph` are node after node, each in all snapshots, and edges are of nodes
    links: dict = dataclasses.field(default_factory=dict)  # the table data.links of a job that learns links
    ranges: dict = dataclasses.field(default_factory=dict)
    metrics: list = dataclasses.field(default_factory=list)  # besides the usual one; tables of the job (judging.py)
    traits: list = dataclasses.field(default_factory=list)  # words for the table

    @property
    def classes(self):
        return 2 if self.links else self.data.get("classes", 0)

    @property
    def metric(self):
        return "accuracy" if self.classes else "rmse"

    def count(self, part):
        if self.links:
            return int(sum(part == one for one in links.parts(self.graph["edge_index"], self.links)[1]) * (1 + self.links["drawn"]))
        return int(self.graph[{"train": "train_mask", "test": "test_mask"}[part]].sum())

    def write(self, folder):
        numpy.savez_compressed(folder / "whole.npz", **self.arrays())
        (folder / "job.toml").write_text(self.toml())

    def arrays(self):
        """Returns the arrays of the file: with snapshots, their axis is the first one."""
        if self.snapshots == 1:
            return self.graph
        made = {"snapshots": self.snapshots}
        for key, values in self.graph.items():
            if key in ("edge_index", "edge_weight"):
                made[key] = values
                continue
            by_node = values.reshape(-1, self.snapshots, *values.shape[1:])
            made[key] = by_node.swapaxes(0, 1)
            if key.endswith("mask") and (by_node == by_node[0]).all():
                made[key] = by_node[0]  # of snapshots
        return made

    def toml(self):
        text = [f'name = "{self.name}"', f"parties = {self.parties}", f'correlations = "{self.correlations}"']
        preprocessing = {"features": "standardise", "targets": "none" if self.classes else "standardise"}
        tables = {
            "data": {**self.data, **({"snapshots": self.snapshots} if self.snapshots > 1 else {}), "files": "rank{rank}.npz"},
            "preprocessing": {**preprocessing, **self.preprocessing},
            "training": self.training,
            "ring": self.ring,
            "reveal": self.reveal,
        }
        if self.links:
            tables["data.links"] = self.links
        if self.ranges:
            tables["ranges"] = self.ranges
        for name, table in tables.items():
            text += ["", f"[{name}]"] + [f"{key} = {toml_value(value)}" for key, value in table.items()]
        for layer in self.layers:
            text += ["", "[[model.layers]]"] + [f"{key} = {toml_value(value)}" for key, value in layer.items()]
        for part in ("train", "test"):
            text += ["", "[[reveal.metric]]", f'what = "{self.metric}"', f'part = "{part}"']
        for metric in self.metrics:
            text += ["", "[[reveal.metric]]"] + [f"{key} = {toml_value(value)}" for key, value in metric.items()]
        return "\n".join(text) + "\n"


def toml_value(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_value(one)}" for key, one in value.items()) + " }"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value)
