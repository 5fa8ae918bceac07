"""Tacit: graph networks trained on data that several organisations hold and none of them may show.

``tacit.Graph``, ``tacit.read``   graphs and parts of graphs, from arrays, frames and files
``tacit.Job``, ``tacit.plan``     a job: data, model, training and reveals; the costs of a job before it runs
``tacit.launch``, ``tacit.train`` all ranks of a job, or a single rank; both give a ``tacit.Run``
``tacit.load_model``              a revealed model as a function
``tacit.mpc``   shares of numpy arrays, in a simulation of all parties
``tacit.net``   sums over the parties for any trainer
``tacit.torch`` the gradients of a module of PyTorch (where PyTorch is installed)
"""

import importlib

from tacit.errors import ConfigError, Error, NetError, ProtocolError

__all__ = ["ConfigError", "Error", "Findings", "Graph", "Job", "Model", "NetError", "Plan", "ProtocolError", "Run", "launch",
           "load_model", "mpc", "net", "plan", "read", "train", "__version__"]

# These modules are imported at their first use, since they import numpy, or PyTorch.
_MODULES = ("mpc", "net", "torch")
_NAMES = {"Findings": "_graph", "Graph": "_graph", "Job": "_job", "Model": "_model", "Plan": "_plan", "Run": "_run",
          "launch": "_run", "load_model": "_model", "plan": "_plan", "read": "_graph", "train": "_run"}


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module("tacit." + name)
    if name in _NAMES:
        return getattr(importlib.import_module("tacit." + _NAMES[name]), name)
    if name == "__version__":
        return importlib.import_module("tacit._core").version
    raise AttributeError(f"module 'tacit' has no attribute '{name}'")


def __dir__():
    return sorted(__all__)
