"""Tacit: graph networks trained on data that several organisations hold and none of them may show.
"""

import importlib

from tacit.errors import ConfigError, Error, NetError, ProtocolError

__all__ = ["ConfigError", "Error", "NetError", "ProtocolError", "__version__"]


def __getattr__(name):
    if name == "__version__":
        return importlib.import_module("tacit._core").version
    raise AttributeError(f"module 'tacit' has no attribute '{name}'")


def __dir__():
    return sorted(__all__)
