"""Graphs and parts of graphs in memory, and their files (gnn/data/README.md has the format)."""

import numbers
import os
import pathlib
import tempfile
import zipfile
import zlib

import numpy

from tacit import _program
from tacit._arrays import whole_number
from tacit._convert import array_of, csr_of, edges_of, mask_of, text_or_numbers
from tacit._job import JobFile, expect_job
from tacit.errors import ConfigError

__all__ = ["Findings", "Graph", "read"]

KEYS = ("x", "x_indptr", "x_indices", "x_data", "x_shape", "edge_index", "edge_weight", "y", "train_mask", "val_mask",
        "test_mask", "num_nodes", "ids", "graph", "pairs", "snapshots", "own_rows", "cleaning",
        "feature_names", "edge_part")
MASKS = ("train_mask", "val_mask", "test_mask")
OWN = ("x", "edge_index", "y", "edge_weight", *MASKS, "ids", "num_nodes", "graph", "pairs", "snapshots", "own_rows", "rank",
       "edge_part")


def make_folder(folder, mode=0o755):
    """Makes the folder and its missing parents, writable for this user alone under any umask."""
    if not folder.is_dir():
        make_folder(folder.parent)
        try:
            folder.mkdir(mode)
        except FileExistsError:
            if not folder.is_dir():
                raise


class Graph:
    """A graph, or the part of a graph that a party holds: arrays with the names of PyTorch Geometric.

    ``x``           features, a row for each node; NaN if missing. Also a sparse matrix of scipy
    ``edge_index``  2 x E: a row of sources and a row of targets; an undirected edge is there in both directions. Also an
                    adjacency matrix of scipy
    ``y``           whole numbers or text: classes. Other numbers: targets
    ``train_mask``, ``val_mask``, ``test_mask``  the nodes to train on, to validate with and to test
    ``ids``         a name for each node, by which parties compare and align their rows
    ``num_nodes``   needed if there are edges alone
    ``graph``, ``pairs``, ``snapshots``, ``own_rows``, ``edge_part``  as gnn/data/README.md describes them
    ``rank``        the party that owns this part

    Arrays of numpy, tensors of PyTorch on the CPU, frames of pandas. An array is not copied if a file may have its type.
    """

    def __init__(self, x=None, edge_index=None, y=None, *, edge_weight=None, train_mask=None, val_mask=None, test_mask=None,
                 ids=None, num_nodes=None, graph=None, pairs=None, snapshots=None, own_rows=None, rank=None,
                 edge_part=None):
        self.rank = rank
        self._arrays = arrays = {}
        if hasattr(x, "tocsr"):
            matrix = csr_of(x, "x")
            arrays.update(x_indptr=matrix.indptr, x_indices=matrix.indices, x_data=array_of(matrix.data, "x"),
                          x_shape=numpy.array(matrix.shape, numpy.int64))
        elif x is not None:
            arrays["x"] = array_of(x, "x", (2, 3))
        for key, one in (("num_nodes", num_nodes), ("snapshots", snapshots)):
            if one is not None:
                arrays[key] = _count(one, key)
        for key, one in (("graph", graph), ("own_rows", own_rows)):
            if one is not None:
                arrays[key] = array_of(one, key, (1,), whole=True)
        if ids is not None:
            arrays["ids"] = text_or_numbers(ids, "ids")
            _expect_different(arrays["ids"])
        if y is not None:
            arrays["y"] = text_or_numbers(y, "y", dimensions=(1, 2, 3))
            if arrays["y"].ndim == 2 and arrays["y"].shape[1] == 1 and arrays["y"].dtype.kind not in "f":
                arrays["y"] = arrays["y"].reshape(-1)  # classes as a column
        for key, one in zip(MASKS, (train_mask, val_mask, test_mask)):
            if one is not None:
                arrays[key] = mask_of(one, key)
        self._expect_lengths()
        for key, one in (("edge_index", edge_index), ("pairs", pairs)):
            if one is None:
                continue
            arrays[key], weights = edges_of(one, key, self.num_nodes)
            if weights is not None and edge_weight is None and key == "edge_index":
                edge_weight = weights
        edges = 0 if edge_index is None else arrays["edge_index"].shape[1]
        if edge_weight is not None:
            arrays["edge_weight"] = array_of(edge_weight, "edge_weight", (1, 2))
        if edge_part is not None:
            arrays["edge_part"] = array_of(edge_part, "edge_part", (1,), whole=True)
        for key in ("edge_weight", "edge_part"):
            if key in arrays and len(arrays[key]) != edges:
                raise ConfigError(f"{key} has {len(arrays[key])} elements; expected {edges}, one for each edge")

    @classmethod
    def from_pyg(cls, data, **more):
        """The graph of a ``torch_geometric.data.Data``, or of any object with its attributes. ``more``: other arrays."""
        _expect_arrays(more, "from_pyg", ())
        arrays = {}
        for key, names in (("x", ("x",)), ("edge_index", ("edge_index",)), ("y", ("y",)), ("edge_weight", ("edge_weight",)),
                           ("graph", ("batch",)), *((mask, (mask,)) for mask in MASKS)):
            for name in names:
                if getattr(data, name, None) is not None:
                    arrays[key] = getattr(data, name)
        if not arrays and not more and getattr(data, "num_nodes", None) is None:
            raise ConfigError(f"from_pyg: {type(data).__name__} has none of the attributes x, edge_index and y; expected a Data "
                              f"of PyTorch Geometric, or a batch of several: Batch.from_data_list(list)")
        if "x" not in arrays and getattr(data, "num_nodes", None) is not None:
            arrays["num_nodes"] = data.num_nodes
        return cls(**{**arrays, **more})

    @classmethod
    def from_pandas(cls, nodes, edges=None, *, ids=None, features=None, y=None, weight=None, directed=True, **more):
        """The graph of a frame with a line for each node, and of a frame with a line for each edge.

        ``ids``       the column with the nodes' names; without it the index of the frame, if it is not 0, 1, ...
        ``features``  the columns of x; without it all columns that are not used otherwise
        ``y``         the column of classes or targets, or a list of columns of targets
        ``weight``    the column of the edges' weights
        ``directed``  False: the frame has each edge in one direction, and the graph has it in both

        ``edges`` has columns from and to, source and target, or src and dst, with the names of nodes. Columns train_mask,
        val_mask and test_mask of ``nodes`` are the masks.
        """
        _expect_arrays(more, "from_pandas", ("ids", "features", "y", "weight", "directed"))
        from tacit._frames import graph_arrays
        return cls(**{**graph_arrays(nodes, edges, ids, features, y, weight, directed), **more})

    @classmethod
    def from_networkx(cls, graph, *, features=None, y=None, weight=None, **more):
        """The graph of networkx. ``features``: names of attributes of nodes; ``y``: the attribute of the class or target."""
        _expect_arrays(more, "from_networkx", ("features", "y", "weight"))
        from tacit._frames import networkx_arrays
        return cls(**{**networkx_arrays(graph, features, y, weight), **more})

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in KEYS:
            return self._arrays.get(name)
        raise AttributeError(f"a graph has no '{name}'; expected one of {', '.join(KEYS)}")

    @property
    def num_nodes(self):
        """The number of nodes; None if it follows from no array."""
        arrays = self._arrays
        if "num_nodes" in arrays:
            return int(arrays["num_nodes"].item())
        if "ids" in arrays:
            return len(arrays["ids"])
        if "graph" in arrays:
            return len(arrays["graph"])
        if "own_rows" in arrays:
            return None
        if "x" in arrays:
            return arrays["x"].shape[-2]
        if "x_shape" in arrays:
            return int(arrays["x_shape"][0])
        over_time = "snapshots" in arrays
        for key in ("y", *MASKS):
            if key in arrays and (not over_time or arrays[key].ndim > 1):
                return arrays[key].shape[1 if over_time else 0]
        return None

    @property
    def arrays(self):
        """The arrays by the names of the file."""
        return dict(self._arrays)

    def random_masks(self, train=0.6, validation=0.2, test=0.2, seed=1):
        """The same graph with drawn masks: these parts of the nodes, or of the graphs if there are several. A node without a
        label (class -1, target NaN) is in no mask."""
        parts = (train, validation, test)
        if not all(isinstance(one, numbers.Real) and one >= 0 for one in parts) or sum(parts) > 1 + 1e-9:  # also NaN
            raise ConfigError(f"random_masks: the parts are {train}, {validation} and {test}; expected numbers from 0 on that "
                              f"add up to at most 1")
        seed = whole_number(seed, "random_masks: seed", 0, 2**63 - 1)
        count = self._graphs() or self.num_nodes
        if count is None:
            raise ConfigError("random_masks: the number of nodes is unknown; expected x, y, ids or num_nodes")
        order = numpy.random.default_rng(seed).permutation(count)
        order = order[self._labelled(count)[order]]
        masks, begin = {}, 0
        for key, part in zip(MASKS, parts):
            end = min(len(order), begin + round(part * len(order)))
            masks[key] = numpy.zeros(count, bool)
            masks[key][order[begin:end]] = True
            begin = end
        return self._with(**masks)

    def save(self, path):
        """Writes an .npz file that its owner alone may read. The file is there as a whole or not at all."""
        path = pathlib.Path(path)
        if path.suffix != ".npz":
            raise ConfigError(f"{path}: expected a name that ends in .npz")
        make_folder(path.parent)
        handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
        try:
            with os.fdopen(handle, "wb") as file:
                numpy.savez(file, **self._arrays)
            os.replace(unfinished, path)
        except BaseException:
            os.unlink(unfinished)
            raise
        return path

    def split(self, job, *, predict=False):
        """The part of each party, by the owners that the job names. ``predict``: parts to predict, without labels and masks."""
        with JobFile(job) as file, tempfile.TemporaryDirectory(prefix="tacit-") as folder:
            parts = pathlib.Path(folder) / "parts"  # a part may have the name of the whole graph's file
            parts.mkdir()
            whole = self.save(pathlib.Path(folder) / "whole.npz")
            answer = _program.call("data", "split", whole, "--job", file.path, "--out", parts,
                                   *(["--predict"] if predict else []), hidden=[whole, file.path, f"{folder}/"])
            return [_read_npz(pathlib.Path(part["file"]), part["rank"]) for part in answer["parts"]]

    def check(self, job, rank=None):
        """All findings about this part of the job's data at once, by the reader of the training."""
        rank = self.rank if rank is None else rank
        if rank is None:
            raise ConfigError("check: the part has no rank; expected part.check(job, rank=0)")
        with JobFile(job) as file:
            found = self._findings(file.path, rank)
            x = self._arrays.get("x")
            if found.contents or x is None or numpy.isfinite(x).all():
                return found
            # The reader refuses NaN before it looks at the rest.
            rest = self._with(x=numpy.where(numpy.isfinite(x), x, 0))._findings(file.path, rank)
            return Findings(found.wrong + rest.wrong, rest.notes, rest.contents)

    def __repr__(self):
        arrays, told = self._arrays, []
        if self.num_nodes is not None:
            told.append(f"{self.num_nodes} nodes")
        if "x" in arrays or "x_shape" in arrays:
            told.append(f"{arrays['x'].shape[-1] if 'x' in arrays else int(arrays['x_shape'][1])} features")
        if "edge_index" in arrays:
            told.append(f"{arrays['edge_index'].shape[1]} edges")
        if "y" in arrays:
            told.append("targets" if arrays["y"].dtype.kind == "f" else "classes")
        told += [f"{int(arrays[key].sum())} {what}" for key, what in
                 zip(MASKS, ("to train on", "to validate", "to test")) if key in arrays]
        whose = "" if self.rank is None else f" of rank {self.rank}"
        return f"<tacit.Graph{whose}: {', '.join(told) or 'no arrays'}>"

    def _findings(self, job, rank):
        with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
            path = self.save(pathlib.Path(folder) / "part.npz")
            answer = _program.call("data", "check", job, path, "--rank", rank, hidden=[path, job], accept=(0, 2))
            if "error" in answer:  # a file that the reader refuses
                answer = {"wrong": [answer["error"]], "notes": [], "contents": {}}
            shorter = [[_program.without_places(text, [path, job]) for text in answer[key]] for key in ("wrong", "notes")]
            return Findings(*shorter, answer["contents"])

    def _with(self, **arrays):
        other = Graph.__new__(Graph)
        other.rank, other._arrays = self.rank, {**self._arrays, **arrays}
        return other

    def _labelled(self, count):
        """Tells for each of `count` nodes or graphs whether it has a label. All have one if there are no labels, or a label for each state."""
        y = self._arrays.get("y")
        if y is None or "snapshots" in self._arrays or len(y) != count:
            return numpy.ones(count, bool)
        kind = y.dtype.kind
        known = ~numpy.isnan(y) if kind == "f" else y != "" if kind == "U" else y >= 0
        return known.all(axis=tuple(range(1, known.ndim)))

    def _graphs(self):
        numbers = self._arrays.get("graph")
        return int(numbers.max()) + 1 if numbers is not None and len(numbers) else None

    def _expect_lengths(self):
        """Labels, masks and ids have a row for each node. With several graphs, labels and masks have a row for each graph."""
        arrays, nodes, graphs = self._arrays, self.num_nodes, self._graphs()
        own = int(arrays["own_rows"][1]) if "own_rows" in arrays and len(arrays["own_rows"]) == 2 else None
        if "snapshots" in arrays:
            self._expect_snapshots(int(arrays["snapshots"].item()), nodes, own)
            return
        for key in ("x", "y", *MASKS, "ids"):
            if key not in arrays or nodes is None:
                continue
            if key == "x" and arrays[key].ndim == 3:
                raise ConfigError("x has three axes; expected rows and columns, or also snapshots=..., the number of states")
            allowed = {nodes} | ({own} if own is not None and key != "ids" else set())
            if graphs is not None and key in ("y", *MASKS):
                allowed |= {graphs}
            if len(arrays[key]) not in allowed and not (graphs is not None and own is not None):
                each = f"one for each of {graphs} graphs" if graphs is not None and key != "x" else "one for each node"
                expected = graphs if graphs is not None and key in ("y", *MASKS) else nodes
                raise ConfigError(f"{key} has {len(arrays[key])} rows; expected {expected}, {each}")

    def _expect_snapshots(self, count, nodes, own):
        for key in ("x", "y", *MASKS):
            if key not in self._arrays:
                continue
            shape = self._arrays[key].shape
            by_time = key in MASKS and len(shape) == 1
            if shape[0] != count or (not by_time and nodes is not None and (len(shape) < 2 or shape[1] not in (nodes, own))):
                raise ConfigError(f"{key} has the shape {shape}; expected {count} snapshots as its first axis, and then "
                                  f"{nodes} nodes")


class Findings:
    """The mistakes in a part (``wrong``), notes for its owner (``notes``), and its sizes (``contents``)."""

    def __init__(self, wrong, notes, contents):
        self.wrong, self.notes, self.contents = wrong, notes, contents

    @property
    def ok(self):
        """True if the part has no mistake."""
        return not self.wrong

    def __bool__(self):
        return self.ok

    def __repr__(self):
        lines = [f"wrong: {one}" for one in self.wrong] + [f"note: {one}" for one in self.notes]
        return "\n".join(lines + ["the part fits the job" if self.ok else f"{len(self.wrong)} to mend"])


def _expect_arrays(more, function, keywords):
    for name in more:
        if name not in OWN:
            every = dict.fromkeys([*keywords, *OWN])
            raise TypeError(f"{function} has no keyword '{name}'; expected one of {', '.join(every)}")


def _count(value, what):
    """A number of nodes or snapshots, which a file has as an array of one element."""
    array = array_of(value, what, (0, 1), whole=True).reshape(-1)
    if len(array) != 1 or not 1 <= array[0] < 2**31:
        raise ConfigError(f"{what} is {array[0] if len(array) == 1 else array.tolist()}; expected one whole number from 1 on")
    return array.astype(numpy.int64)


def _expect_different(ids):
    order = numpy.argsort(ids, kind="stable")
    same = numpy.flatnonzero(ids[order][1:] == ids[order][:-1])
    if len(same):
        first, second = sorted(order[[same[0], same[0] + 1]])
        raise ConfigError(f"ids: rows {first} and {second} have the same id ({len(same)} rows repeat one); expected a "
                          f"different id for each node: drop the repeated rows")


def _read_npz(path, rank=None):
    if path.is_file() and not zipfile.is_zipfile(path):
        raise ConfigError(f"{path}: cannot be read: it is no .npz file, or a damaged one; expected one, or a folder with "
                          f"nodes.csv and edges.csv")
    try:
        with numpy.load(path, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ConfigError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    graph = Graph.__new__(Graph)
    graph.rank, graph._arrays = rank, {key: one for key, one in arrays.items() if key in KEYS}
    return graph


def read(path, rank=None):
    """The graph or part of an .npz file, or of a folder with nodes.csv and edges.csv. ``rank``: the party that owns the part."""
    path = pathlib.Path(path)
    if not path.is_dir():
        return _read_npz(path, rank)
    with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
        whole = pathlib.Path(folder) / "whole.npz"
        _program.call("data", "show", path, "--npz", whole, "--columns", 0)
        return _read_npz(whole, rank)


def save_parts(parts, job, folder):
    """Files of all parts, for ``data.files``: a list of paths. ``parts``: graphs or paths in the order of ranks."""
    parties = expect_job(job).parties
    if isinstance(parts, Graph):
        raise ConfigError("parts is one graph; expected a list with the part of each party: graph.split(job)")
    parts = list(parts)
    if parties is not None and len(parts) != parties:
        raise ConfigError(f"there are {len(parts)} parts; expected {parties}, one for each party of the job")
    files = []
    for rank, part in enumerate(parts):
        if isinstance(part, (str, os.PathLike)):
            files.append(os.path.abspath(part))
            continue
        if not isinstance(part, Graph):
            raise ConfigError(f"part {rank} is of the type {type(part).__name__}; expected a tacit.Graph or the path of a file")
        if part.rank not in (None, rank):
            raise ConfigError(f"part {rank} is rank {part.rank}'s; expected the parts in the order of ranks")
        files.append(str(part.save(pathlib.Path(folder) / f"rank{rank}.npz").absolute()))
    return files
