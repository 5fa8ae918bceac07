"""Tacit: graph networks trained on data that several organisations hold and none of them may show.

``tacit.mpc``   shares of numpy arrays, in a simulation of all parties
``tacit.net``   sums over the parties for any trainer
``tacit.torch`` the gradients of a module of PyTorch (where PyTorch is installed)
"""

import importlib

from tacit.errors import ConfigError, Error, NetError, ProtocolError

__all__ = ["ConfigError", "Error", "NetError", "ProtocolError", "mpc", "net", "__version__"]

_MODULES = ("mpc", "net", "torch")  # imported when they are first used: they import numpy, or PyTorch


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module("tacit." + name)
    if name == "__version__":
        return importlib.import_module("tacit._core").version
    raise AttributeError(f"module 'tacit' has no attribute '{name}'")


def __dir__():
    return sorted(__all__)
