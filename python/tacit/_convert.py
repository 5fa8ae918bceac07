"""Arrays of users in the types that a graph's file may have. An array that has such a type already is not copied."""

import numbers

import numpy

from tacit.errors import ConfigError

_AS_THEY_ARE = ("bool", "uint8", "int32", "int64", "float32", "float64")


def _expect_on_cpu(value, what):
    device = getattr(value, "device", None)
    if hasattr(device, "type") and device.type != "cpu":
        raise ConfigError(f"{what}: the tensor is on the device {device}; expected one on the CPU: pass tensor.cpu()")
    layout = str(getattr(value, "layout", ""))
    if layout.startswith("torch.") and layout != "torch.strided":
        raise ConfigError(f"{what}: the tensor has the layout {layout}; expected a dense one: pass tensor.to_dense()")


def _object_columns(frame):
    return [str(name) for name, kind in frame.dtypes.items() if getattr(kind, "kind", "O") not in "biuf"]


def _raw(value, what):
    """An array of numpy, still of any type."""
    if hasattr(value, "detach") and hasattr(value, "device"):
        _expect_on_cpu(value, what)
        try:
            return value.detach().numpy()
        except TypeError:  # a type that numpy does not have
            raise ConfigError(f"{what}: the tensor has the type {value.dtype}; expected one that numpy has: pass "
                              f"tensor.float()") from None
    if hasattr(value, "dtypes") and hasattr(value, "columns"):  # a frame
        columns = _object_columns(value)
        if columns:
            raise ConfigError(f"{what}: the columns {', '.join(columns[:5])}{' ...' if len(columns) > 5 else ''} have no "
                              f"numbers; expected numbers alone: leave them out, or code them, for example with "
                              f"pandas.get_dummies(frame)")
        nullable = any(not isinstance(kind, numpy.dtype) for kind in value.dtypes)
        if nullable:
            return value.to_numpy(dtype=float, na_value=numpy.nan)
        array = value.to_numpy()
        return value.to_numpy(dtype=float) if array.dtype.kind == "O" else array  # columns of truth values beside numbers
    if isinstance(value, numpy.ma.MaskedArray) and numpy.ma.is_masked(value):
        raise ConfigError(f"{what}: {numpy.ma.count_masked(value)} of {value.size} elements are masked; expected an array "
                          f"without a mask: fill them, for example with array.filled(numpy.nan)")
    kind = getattr(value, "dtype", None)
    if kind is not None and not isinstance(kind, numpy.dtype) and hasattr(value, "to_numpy"):  # a nullable column of pandas
        missing = -1 if getattr(kind, "kind", "O") in "iu" else numpy.nan if getattr(kind, "kind", "O") == "f" else None
        return value.to_numpy(dtype=kind.numpy_dtype, na_value=missing) if missing is not None else value.to_numpy()
    try:
        return numpy.asarray(value)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{what}: {type(value).__name__} is not an array ({error}); expected rows of equal length") from None


def array_of(value, what, dimensions=None, whole=False):
    """Numbers in a type that a file may have."""
    array = _raw(value, what)
    if array.dtype.kind not in "biuf":
        raise ConfigError(f"{what}: the elements have the type {array.dtype}; expected numbers: convert them, for example "
                          f"with array.astype(float)")
    if dimensions is not None and array.ndim not in dimensions:
        expected = " or ".join(map(str, dimensions))
        more = ": a column of one feature is x[:, None]" if what == "x" and array.ndim == 1 else ""
        raise ConfigError(f"{what} has {array.ndim} dimensions; expected {expected}{more}")
    if whole and array.dtype.kind == "f":
        if array.size and not (numpy.isfinite(array) & (array == numpy.floor(array))).all():
            raise ConfigError(f"{what}: some elements are no whole numbers; expected the numbers of nodes, from 0 on")
        array = array.astype(numpy.int64)
    if array.dtype.name in _AS_THEY_ARE:
        return array
    if array.dtype.kind == "u" and array.size and int(array.max()) >= 2**63:
        raise ConfigError(f"{what}: some elements are 2^63 or more; expected at most 64 bits with a sign")
    return array.astype({"f": numpy.float32 if array.dtype.itemsize <= 4 else numpy.float64}.get(array.dtype.kind, numpy.int64))


def text_or_numbers(value, what, dimensions=(1,)):
    """Text, as names of classes and nodes, or numbers."""
    array = _raw(value, what)
    if array.dtype.kind == "O":
        array = _of_objects(array, what)
    if array.dtype.kind == "U":
        if array.ndim != 1:
            raise ConfigError(f"{what} has {array.ndim} dimensions; expected 1: one text for each node")
        return array
    return array_of(array, what, dimensions, whole=what == "ids")


def _of_objects(array, what):
    """Text, or numbers, of an array of objects. A missing label is an empty text, or -1."""
    elements = array.reshape(-1)
    missing = numpy.array([_is_missing(one) for one in elements], bool)
    known = elements[~missing]
    if what != "y" and missing.any():
        raise ConfigError(f"{what}: {int(missing.sum())} of {elements.size} elements are missing; expected one for each node")
    if known.size and all(isinstance(one, str) for one in known):
        return numpy.where(missing, "", elements).astype(str).reshape(array.shape)
    if known.size and all(isinstance(one, numbers.Integral) for one in known):
        return numpy.where(missing, -1, elements).astype(numpy.int64).reshape(array.shape)
    if known.size and all(isinstance(one, numbers.Real) for one in known):
        return numpy.where(missing, numpy.nan, elements).astype(numpy.float64).reshape(array.shape)
    kinds = sorted({type(one).__name__ for one in known})
    raise ConfigError(f"{what}: the elements are objects of the types {', '.join(kinds[:5]) or 'None'}; expected text alone, or "
                      f"numbers alone: convert them, for example with array.astype(str)")


def _is_missing(one):
    return one is None or type(one).__name__ in ("NAType", "NaTType") or isinstance(one, float) and one != one


def mask_of(value, what):
    array = _raw(value, what)
    array = array_of(_of_objects(array, what) if array.dtype.kind == "O" else array, what)
    if array.ndim == 2 and array.shape[1] <= 64 < array.shape[0]:
        raise ConfigError(f"{what} has {array.shape[1]} columns; expected one mask: choose a split, for example "
                          f"{what}[:, 0]")
    if array.ndim not in (1, 2):
        raise ConfigError(f"{what} has {array.ndim} dimensions; expected 1: true or false for each node")
    if array.dtype.kind != "b":
        if array.size and not numpy.isin(array, (0, 1)).all():
            raise ConfigError(f"{what}: some elements are neither 0 nor 1; expected true or false for each node, and no list "
                              f"of numbers of nodes")
        array = array.astype(bool)
    return array


def csr_of(matrix, what):
    """A sparse matrix of scipy in the form of a file: by rows, each column of a row once."""
    matrix = matrix.tocsr()
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix


def edges_of(value, what, nodes):
    """2 x E whole numbers, and the weights of an adjacency matrix that has others than 1."""
    weights = None
    if hasattr(value, "tocoo"):
        matrix = csr_of(value, what).tocoo()
        if matrix.shape[0] != matrix.shape[1]:
            raise ConfigError(f"{what}: the adjacency matrix has the shape {matrix.shape}; expected as many rows as columns")
        value = numpy.stack([matrix.row, matrix.col]).astype(numpy.int64)
        weights = None if (matrix.data == 1).all() else matrix.data
    array = array_of(value, what, (2,), whole=True)
    if array.dtype.name not in ("int32", "int64"):
        array = array.astype(numpy.int64)
    if array.shape[0] != 2:
        more = f": pass {what}.T" if array.shape[1] == 2 else ""
        raise ConfigError(f"{what} has the shape {array.shape}; expected 2 x E, a row of sources and a row of targets{more}")
    if array.size and nodes is not None:
        wrong = (array < 0) | (array >= nodes)
        if wrong.any():
            columns = numpy.flatnonzero(wrong.any(axis=0))
            raise ConfigError(f"{what}: {len(columns)} of {array.shape[1]} edges begin or end at a node that is not there (the "
                              f"first one is edge {columns[0]}); expected numbers of nodes from 0 to {nodes - 1}")
    return array, weights
