"""A revealed model as a function of numpy, and as a module of PyTorch.

The package uses the arithmetic of examples/export/load_numpy.py and load_pyg.py, which the build places in tacit/_export.
"""

import importlib.util
import json
import pathlib
import sys

import numpy

from tacit._convert import array_of, edges_of
from tacit._graph import Graph
from tacit.errors import ConfigError

__all__ = ["Model", "load_model"]

_READ_EDGES = ("gcn", "sage", "gin", "propagate")
_FOLDER = pathlib.Path(__file__).resolve().parent / "_export"


def load_model(path):
    """The model of a file (model.npz, or .safetensors of ``tacit export``), of a rank's folder, or of a run's folder."""
    path = pathlib.Path(path)
    return Model(_file_of(path) if path.is_dir() else path)


class Model:
    """A revealed model. ``model(graph)`` or ``model(x, edge_index)`` returns predictions in the form of predictions on shares: the
    targets of each node, or the number of its class.

    docs/model-file.md describes the layers.
    """

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self._about, self._arrays = _read(self.path)

    def __call__(self, x, edge_index=None, *, edge_weight=None, graph=None, pairs=None, training_x=None):
        """``training_x``: the features of the training, for a model without their scale."""
        if isinstance(x, Graph):
            whole, x = x, x.x
            if x is None:
                raise ConfigError("the graph has no x; expected features of each node as a dense array")
            edge_index = whole.edge_index if edge_index is None else edge_index
            edge_weight = whole.edge_weight if edge_weight is None else edge_weight
            edge_weight = edge_weight if self._about.get("edge_weights") else None
            graph, pairs = (whole.graph if graph is None else graph), (whole.pairs if pairs is None else pairs)
        x = array_of(x, "x", (2, 3))
        self._expect_width(x)
        if edge_index is None and any(layer["kind"] in _READ_EDGES for layer in self._about["layers"]):
            raise ConfigError("the model reads edges, and there is no edge_index; expected one: model(x, edge_index), for nodes "
                              "without edges numpy.zeros((2, 0), int)")
        if edge_index is not None:
            edge_index, _ = edges_of(edge_index, "edge_index", x.shape[-2])
        training_x = None if training_x is None else array_of(training_x, "training_x", (2, 3))
        try:
            made = _module("load_numpy").predict(self._about, self._arrays, x, edge_index, training_x, edge_weight, graph, pairs)
        except SystemExit as error:  # the example is a program, too
            raise ConfigError(str(error)) from None
        return made[..., 0] if self._about["output"] != "classes" and made.shape[-1] == 1 else made

    @property
    def layers(self):
        """A description of each layer."""
        return json.loads(json.dumps(self._about["layers"]))

    @property
    def class_names(self):
        """The names of classes 0, 1, ..., or None."""
        return self._about.get("class_names")

    def names(self, predictions):
        """The names of predicted classes."""
        if self.class_names is None:
            raise ConfigError("the model has no names of classes; expected a job with data.class_names")
        return numpy.array(self.class_names)[predictions]

    def torch(self, training_x=None):
        """The same model as a ``torch.nn.Module``, with layers of PyTorch Geometric where that is installed.

        ``module(data.x, data.edge_index)`` returns targets, or logits of classes, and can be trained further.
        """
        return _module("load_pyg").Model(str(self.path), training_x)

    def __repr__(self):
        kinds = ", ".join(layer["kind"] for layer in self._about["layers"])
        return f"<tacit.Model: {self._about['output']} by {kinds}>"

    def _expect_width(self, x):
        inputs = next((layer["inputs"] for layer in self._about["layers"] if "inputs" in layer), None)
        if inputs is not None and x.shape[-1] != inputs:
            raise ConfigError(f"x has {x.shape[-1]} columns; expected {inputs}, as in the training")


def _file_of(folder):
    found = [folder / "model.npz", *sorted(folder.glob("rank*/model.npz"))]
    for path in found:
        if path.exists():
            return path
    raise ConfigError(f"{folder} has no model.npz; expected the folder of a rank, or of a run, and a job that reveals the model: "
                      f"reveal={{\"model\": \"everyone\"}}")


def _read(path):
    if path.suffix not in (".npz", ".safetensors"):
        raise ConfigError(f"{path}: expected a model file that ends in .npz or .safetensors; tacit export makes both")
    try:
        about, arrays = _module("load_numpy").read(str(path))
        version, names = about["format"], [name for layer in about["layers"] for name in layer.get("arrays", {}).values()]
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(f"{path}: this is no model of tacit, or it is damaged ({error}); expected the file model.npz of a "
                          f"rank") from None
    if version != 1:
        raise ConfigError(f"{path}: the model has format {version}; expected 1: a later version of tacit wrote it")
    missing = [name for name in names if name not in arrays]
    if missing or not all(numpy.isfinite(array).all() for array in arrays.values()):
        raise ConfigError(f"{path}: the model is damaged: {missing[0] + ' is missing' if missing else 'a number is not finite'}; "
                          f"expected the file model.npz of a rank")
    return about, arrays


def _module(name):
    """load_numpy or load_pyg, which imports load_numpy by this name."""
    full = f"tacit._export.{name}"
    if full not in sys.modules:
        spec = importlib.util.spec_from_file_location(full, _FOLDER / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        if name == "load_numpy":
            spec.loader.exec_module(module)
        else:
            before = sys.modules.get("load_numpy")
            sys.modules["load_numpy"] = _module("load_numpy")
            try:
                spec.loader.exec_module(module)
            finally:
                sys.modules.pop("load_numpy")
                if before is not None:
                    sys.modules["load_numpy"] = before
        sys.modules[full] = module
    return sys.modules[full]
