from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from tacit._graph import Graph

def load_model(path: str | PathLike[str]) -> Model: ...

class Model:
    path: Path
    def __init__(self, path: str | PathLike[str]) -> None: ...
    def __call__(
        self,
        x: Graph | Any,
        edge_index: Any = None,
        *,
        edge_weight: Any = None,
        graph: Any = None,
        pairs: Any = None,
        training_x: Any = None,
    ) -> np.ndarray: ...
    @property
    def layers(self) -> list[dict[str, Any]]: ...
    @property
    def class_names(self) -> list[str] | None: ...
    def names(self, predictions: np.ndarray) -> np.ndarray: ...
    def torch(self, training_x: Any = None) -> Any: ...
