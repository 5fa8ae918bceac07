from os import PathLike
from pathlib import Path
from typing import Any, Sequence

import numpy as np

from tacit._job import Job

_Path = str | PathLike[str]
_Job = Job | _Path
_Array = Any  # numpy, PyTorch on the CPU, pandas, lists
_Kept = np.ndarray | None

class Graph:
    rank: int | None
    x: _Kept
    x_indptr: _Kept
    x_indices: _Kept
    x_data: _Kept
    x_shape: _Kept
    edge_index: _Kept
    edge_weight: _Kept
    y: _Kept
    train_mask: _Kept
    val_mask: _Kept
    test_mask: _Kept
    ids: _Kept
    graph: _Kept
    pairs: _Kept
    snapshots: _Kept
    own_rows: _Kept
    cleaning: _Kept
    feature_names: _Kept
    edge_part: _Kept
    def __init__(
        self,
        x: _Array = None,
        edge_index: _Array = None,
        y: _Array = None,
        *,
        edge_weight: _Array = None,
        train_mask: _Array = None,
        val_mask: _Array = None,
        test_mask: _Array = None,
        ids: _Array = None,
        num_nodes: int | None = None,
        graph: _Array = None,
        pairs: _Array = None,
        snapshots: int | None = None,
        own_rows: tuple[int, int] | None = None,
        rank: int | None = None,
        edge_part: _Array = None,
    ) -> None: ...
    @classmethod
    def from_pyg(cls, data: Any, **more: Any) -> Graph: ...
    @classmethod
    def from_pandas(
        cls,
        nodes: Any,
        edges: Any = None,
        *,
        ids: str | None = None,
        features: Sequence[str] | None = None,
        y: str | Sequence[str] | None = None,
        weight: str | None = None,
        directed: bool = True,
        **more: Any,
    ) -> Graph: ...
    @classmethod
    def from_networkx(
        cls, graph: Any, *, features: str | Sequence[str] | None = None, y: str | None = None, weight: str | None = None, **more: Any
    ) -> Graph: ...
    @property
    def num_nodes(self) -> int | None: ...
    @property
    def arrays(self) -> dict[str, np.ndarray]: ...
    def random_masks(self, train: float = 0.6, validation: float = 0.2, test: float = 0.2, seed: int = 1) -> Graph: ...
    def save(self, path: _Path) -> Path: ...
    def split(self, job: _Job, *, predict: bool = False) -> list[Graph]: ...
    def check(self, job: _Job, rank: int | None = None) -> Findings: ...

class Findings:
    wrong: list[str]
    notes: list[str]
    contents: dict[str, Any]
    def __init__(self, wrong: list[str], notes: list[str], contents: dict[str, Any]) -> None: ...
    @property
    def ok(self) -> bool: ...

def read(path: _Path, rank: int | None = None) -> Graph: ...
