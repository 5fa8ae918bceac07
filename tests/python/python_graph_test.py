"""Graphs from arrays, frames and graphs of other packages; their files; bad arrays. Optional packages are skipped."""

import stat
import types

import numpy
import pytest
import small_data
import tacit
from shares import OnACard


def test_an_array_is_not_copied_where_a_file_may_have_its_type():
    arrays = small_data.arrays()
    graph = tacit.Graph(**arrays)
    for key, array in arrays.items():
        assert numpy.shares_memory(getattr(graph, key), array), key
    assert tacit.Graph(x=arrays["x"].astype(numpy.float16)).x.dtype == numpy.float32
    narrow = tacit.Graph(edge_index=small_data.ring().astype(numpy.uint16), num_nodes=small_data.NODES)
    assert narrow.edge_index.dtype == numpy.int64


@pytest.mark.parametrize("classes", [False, True])
def test_a_file_has_every_array_and_is_its_owners_alone(tmp_path, classes):
    graph = tacit.Graph(**small_data.arrays(classes), ids=[f"place {n}" for n in range(small_data.NODES)])
    path = graph.save(tmp_path / "new/whole.npz")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["whole.npz"]  # and no unfinished file
    again = tacit.read(path)
    assert again.arrays.keys() == graph.arrays.keys()
    for key, array in graph.arrays.items():
        assert again.arrays[key].dtype == array.dtype and (again.arrays[key] == array).all(), key
    shown = small_data.command("data", "show", path)
    assert shown["nodes"] == small_data.NODES and shown["has_ids"] and shown["has_classes"] == classes
    assert shown["edges"] == 2 * small_data.NODES


def test_a_folder_of_csv_files_is_read_by_the_reader_of_the_training(tmp_path):
    (tmp_path / "nodes.csv").write_text("id,a,b,y,train_mask,test_mask\nu,1,2,5,1,0\nv,3,4,6,0,1\n")
    (tmp_path / "edges.csv").write_text("from,to\nu,v\nv,u\n")
    graph = tacit.read(tmp_path)
    assert graph.x.tolist() == [[1, 2], [3, 4]] and graph.edge_index.tolist() == [[0, 1], [1, 0]]
    assert graph.ids.tolist() == ["u", "v"] and graph.y.reshape(-1).tolist() == [5, 6]
    # Parts: no party has all arrays.
    for nodes, has in (("id,a\nu,1\nv,\n", {"x"}), ("id,class\nu,0\nv,\n", {"y"}), ("id,train_mask\nu,0\nv,1\n", {"train_mask"})):
        (tmp_path / "nodes.csv").write_text(nodes)
        part = tacit.read(tmp_path, rank=1)
        others = {"ids", "num_nodes", "edge_index", "val_mask", "test_mask", "feature_names"}
        assert has <= part.arrays.keys() <= others | has and part.rank == 1
        assert part.edge_index.tolist() == [[0, 1], [1, 0]]
    (tmp_path / "edges.csv").unlink()
    assert tacit.read(tmp_path).edge_index is None


@pytest.mark.parametrize("parties,rows", [(2, False), (3, False), (2, True), (3, True)])
def test_parts_are_those_of_the_command(tmp_path, parties, rows):
    job, graph = small_data.job(parties, rows), tacit.Graph(**small_data.arrays())
    parts = graph.split(job)
    assert [part.rank for part in parts] == list(range(parties))
    job.save(tmp_path / "job.toml")
    small_data.command("data", "split", graph.save(tmp_path / "whole.npz"), "--job", tmp_path / "job.toml", "--out", tmp_path)
    for part in parts:
        of_command = tacit.read(tmp_path / f"rank{part.rank}.npz").arrays
        assert part.arrays.keys() == of_command.keys()
        assert all((part.arrays[key] == array).all() for key, array in of_command.items())
        assert part.check(job).ok
    assert numpy.concatenate([part.x for part in parts], axis=0 if rows else 1).shape == graph.x.shape


def test_a_split_does_not_mind_the_names_in_the_job():
    job = small_data.job(2, data={"files": ["whole.npz", "b.npz"]})
    assert [part.rank for part in tacit.Graph(**small_data.arrays()).split(job)] == [0, 1]


def test_a_check_has_all_findings_at_once():
    job, parts = small_data.job(2), tacit.Graph(**small_data.arrays()).split(small_data.job(2))
    wrong = parts[0]._with(x=numpy.where(numpy.arange(small_data.NODES)[:, None] == 3, numpy.nan, parts[0].x),
                           y=parts[1].y)
    found = wrong.check(job)
    assert not found and not found.ok
    assert any("x: row 3, column 0 is not a finite number" in one for one in found.wrong), found
    assert any("y" in one and "rank 1" in one for one in found.wrong), found
    assert "/tmp" not in repr(found)
    assert parts[1].check(job, rank=0).wrong and parts[1].check(job).ok


def test_masks_are_drawn_once_for_each_node_and_from_the_seed():
    graph = tacit.Graph(x=numpy.zeros((50, 2)))
    masks = [graph.random_masks(seed=seed) for seed in (1, 1, 2)]
    for one in masks:
        assert [int(one.arrays[key].sum()) for key in ("train_mask", "val_mask", "test_mask")] == [30, 10, 10]
        assert (one.train_mask.astype(int) + one.val_mask + one.test_mask == 1).all()
    assert (masks[0].train_mask == masks[1].train_mask).all() and (masks[0].train_mask != masks[2].train_mask).any()
    with pytest.raises(tacit.ConfigError, match="add up to at most 1"):
        graph.random_masks(0.8, 0.2, 0.2)


def test_masks_are_drawn_of_nodes_that_have_a_label():
    assert len(tacit.Graph(x=numpy.zeros((0, 2)), y=numpy.zeros(0)).random_masks().train_mask) == 0
    for labels in (numpy.arange(60) % 3 - 1, numpy.where(numpy.arange(60) % 3 == 0, numpy.nan, 1.5),
                   numpy.array(["", "a", "b"] * 20), numpy.where(numpy.arange(120).reshape(60, 2) % 6 == 1, numpy.nan, 1.5)):
        graph = tacit.Graph(x=numpy.zeros((60, 2)), y=labels).random_masks(0.5, 0.25, 0.25)
        drawn = graph.train_mask.astype(int) + graph.val_mask + graph.test_mask
        assert (drawn == (numpy.arange(60) % 3 != 0)).all(), labels
        assert [int(one.sum()) for one in (graph.train_mask, graph.val_mask, graph.test_mask)] == [20, 10, 10]


def test_a_graph_of_pytorch_geometric_is_read_by_its_attributes():
    arrays = small_data.arrays(classes=True)
    data = types.SimpleNamespace(**arrays, edge_attr=None, num_nodes=small_data.NODES)
    graph = tacit.Graph.from_pyg(data)
    assert all(getattr(graph, key) is array for key, array in arrays.items())
    torch = pytest.importorskip("torch")
    tensors = types.SimpleNamespace(**{key: torch.from_numpy(array) for key, array in arrays.items()})
    graph = tacit.Graph.from_pyg(tensors, ids=numpy.arange(small_data.NODES))
    assert all(numpy.shares_memory(getattr(graph, key), array) for key, array in arrays.items())


def test_a_frame_and_its_edges_are_aligned_by_id(tmp_path):
    pandas = pytest.importorskip("pandas")
    nodes = pandas.DataFrame({"who": ["c", "a", "b"], "u": [1.0, 2, 3], "v": [4, 5, 6], "kind": [1, 0, 1],
                              "train_mask": [True, False, True]})
    edges = pandas.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "w": [0.5, 2]})
    graph = tacit.Graph.from_pandas(nodes, edges, ids="who", y="kind", weight="w", directed=False)
    assert graph.ids.tolist() == ["c", "a", "b"] and graph.x.tolist() == [[1, 4], [2, 5], [3, 6]]
    assert graph.edge_index.tolist() == [[1, 2, 2, 0], [2, 0, 1, 2]] and graph.edge_weight.tolist() == [0.5, 2, 0.5, 2]
    assert graph.y.tolist() == [1, 0, 1] and graph.y.dtype.kind == "i" and graph.train_mask.tolist() == [True, False, True]
    assert small_data.command("data", "show", graph.save(tmp_path / "frame.npz"))["edges"] == 4
    mixed = tacit.Graph.from_pandas(pandas.DataFrame({"u": [1.5, 2], "is_new": [True, False]}))  # as get_dummies makes them
    assert mixed.x.tolist() == [[1.5, 1], [2, 0]]
    indexed = nodes.set_index("who")
    assert tacit.Graph.from_pandas(indexed, edges, y="kind").ids.tolist() == ["c", "a", "b"]
    assert tacit.Graph.from_pandas(nodes.drop(columns="who")).ids is None
    with pytest.raises(TypeError, match="from_pandas has no keyword 'id'; expected one of ids, features, y, weight"):
        tacit.Graph.from_pandas(nodes, edges, id="who")


def test_a_frame_of_one_type_is_not_copied_and_missing_values_become_nan():
    pandas = pytest.importorskip("pandas")
    array = numpy.random.default_rng(1).normal(size=(10, 3))
    assert numpy.shares_memory(tacit.Graph.from_pandas(pandas.DataFrame(array, columns=list("abc"))).x, array)
    nullable = pandas.DataFrame({"a": pandas.array([1, None, 3], dtype="Int64"), "b": [1.0, 2, 3]})
    graph = tacit.Graph.from_pandas(nullable, y="a")
    assert graph.y.tolist() == [1, -1, 3] and numpy.isnan(tacit.Graph.from_pandas(nullable).x[1, 0])
    coded = pandas.get_dummies(pandas.DataFrame({"a": [1.5, 2], "b": ["x", "y"]}))
    assert tacit.Graph.from_pandas(coded).x.tolist() == [[1.5, 1, 0], [2, 0, 1]]


@pytest.mark.parametrize("change,sentence", [
    ({"features": ["u", "city"]}, "x: the columns city have no numbers"),
    ({"features": ["u", "x"]}, "the frame of nodes has no column x; expected one of who, u, city"),
    ({"ids": "city"}, "ids: rows 0 and 2 of the frame have the same id"),
    ({"edges": {"from": ["a"], "to": ["z"]}}, "1 of 1 edges begin or end at a node that the frame of nodes does not have"),
    ({"edges": {"left": ["a"], "right": ["b"]}}, "expected from and to, source and target, or src and dst"),
])
def test_a_bad_frame_is_named(change, sentence):
    pandas = pytest.importorskip("pandas")
    nodes = pandas.DataFrame({"who": ["a", "b", "c"], "u": [1.0, 2, 3], "city": ["x", "y", "x"]})
    given = {"ids": "who", "features": ["u"], **change}
    if "edges" in given:
        given["edges"] = pandas.DataFrame(given["edges"])
    with pytest.raises(tacit.ConfigError) as refused:
        tacit.Graph.from_pandas(nodes, **given)
    assert sentence in str(refused.value)


def test_sparse_features_and_an_adjacency_matrix_are_those_of_scipy(tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    features = numpy.random.default_rng(1).binomial(1, 0.2, (6, 4)).astype(float)
    matrix = sparse.csr_matrix(features)
    graph = tacit.Graph(x=matrix)
    assert numpy.shares_memory(graph.x_data, matrix.data) and graph.num_nodes == 6
    assert small_data.command("data", "show", graph.save(tmp_path / "sparse.npz"))["features"] == 4
    twice = sparse.coo_matrix(([1.0, 1.0], ([0, 0], [2, 2])), (3, 3))
    weighted = tacit.Graph(edge_index=twice, num_nodes=3)
    assert weighted.edge_index.tolist() == [[0], [2]] and weighted.edge_weight.tolist() == [2]
    plain = tacit.Graph(edge_index=sparse.csr_matrix(numpy.eye(3)[::-1]), num_nodes=3)
    assert plain.edge_index.tolist() == [[0, 1, 2], [2, 1, 0]] and plain.edge_weight is None


def test_a_graph_of_networkx_has_both_directions_of_an_edge():
    networkx = pytest.importorskip("networkx")
    made = networkx.Graph()
    for name, size in (("a", 1.5), ("b", 2.5), ("c", 3.5)):
        made.add_node(name, size=size, kind=int(size) % 2)
    made.add_edges_from([("a", "b"), ("c", "b"), ("c", "c")])
    graph = tacit.Graph.from_networkx(made, features=["size"], y="kind")
    assert graph.x.tolist() == [[1.5], [2.5], [3.5]] and graph.y.tolist() == [1, 0, 1] and graph.ids.tolist() == ["a", "b", "c"]
    assert sorted(zip(*graph.edge_index.tolist())) == [(0, 1), (1, 0), (1, 2), (2, 1), (2, 2)]
    with pytest.raises(tacit.ConfigError, match="node 0 of the graph has no attribute 'colour'"):
        tacit.Graph.from_networkx(made, features=["colour"])


X = numpy.zeros((4, 2))


@pytest.mark.parametrize("given,sentence", [
    ({"x": numpy.array([["a", 1]], object)}, "x: the elements have the type object; expected numbers"),
    ({"x": [1, 2, 3]}, "x has 1 dimensions; expected 2 or 3: a column of one feature is x[:, None]"),
    ({"x": [[1, 2], [3]]}, "x"),
    ({"x": X, "ids": ["a", "b", "c", "a"]}, "ids: rows 0 and 3 have the same id (1 rows repeat one)"),
    ({"x": X, "ids": [1, 2, 3]}, "x has 4 rows; expected 3, one for each node"),
    ({"x": X, "edge_index": [[0, 1, 2], [1, 4, 0]]}, "1 of 3 edges begin or end at a node that is not there (the first one is "
                                                     "edge 1); expected numbers of nodes from 0 to 3"),
    ({"x": X, "edge_index": [[0, 1], [1, 2], [2, 3]]}, "expected 2 x E, a row of sources and a row of targets: pass "
                                                       "edge_index.T"),
    ({"x": X, "edge_index": [[0.5], [1]]}, "edge_index: some elements are no whole numbers"),
    ({"x": X, "edge_index": [[0], [1]], "edge_weight": [1.0, 2]}, "edge_weight has 2 elements; expected 1, one for each edge"),
    ({"x": X, "edge_index": [[0], [1]], "edge_part": [0, 1]}, "edge_part has 2 elements; expected 1, one for each edge"),
    ({"x": X, "train_mask": [True] * 3}, "train_mask has 3 rows; expected 4, one for each node"),
    ({"x": X, "test_mask": [0, 1, 2, 3]}, "test_mask: some elements are neither 0 nor 1; expected true or false for each node"),
    ({"x": numpy.zeros((90, 2)), "train_mask": numpy.zeros((90, 10), bool)}, "choose a split, for example train_mask[:, 0]"),
    ({"x": X, "y": [1.0, 2.0]}, "y has 2 rows; expected 4, one for each node"),
    ({"x": X, "y": ["a", "b", 3, None]}, "y: the elements are"),
    ({"x": numpy.ma.masked_equal(X + [0, 1], 1)}, "x: 4 of 8 elements are masked"),
    ({"x": numpy.zeros((2, 4, 1))}, "expected rows and columns, or also snapshots=..."),
    ({"x": numpy.zeros((2, 4, 1)), "snapshots": 3}, "x has the shape (2, 4, 1); expected 3 snapshots as its first axis"),
])
def test_bad_arrays_are_refused_with_place_and_remedy(given, sentence):
    given = {key: numpy.array(one, object) if key == "y" and None in one else one for key, one in given.items()}
    with pytest.raises(tacit.ConfigError) as refused:
        tacit.Graph(**given)
    assert sentence in str(refused.value)


def test_a_tensor_on_a_card_is_refused_as_every_array():
    for array in ("x", "edge_index", "y", "edge_weight", "train_mask", "ids"):
        given = {"x": X, "edge_index": [[0], [1]], array: OnACard()}
        with pytest.raises(tacit.ConfigError, match=f"{array}: the tensor is on the device cuda:0; expected one on the CPU"):
            tacit.Graph(**given)


def test_a_tensor_on_another_device_or_sparse_is_refused():
    torch = pytest.importorskip("torch")
    sentence = r"x: the tensor is on the device meta; expected one on the CPU: pass tensor.cpu\(\)"
    with pytest.raises(tacit.ConfigError, match=sentence):
        tacit.Graph(x=torch.zeros((3, 2), device="meta"))
    with pytest.raises(tacit.ConfigError, match="layout torch.sparse_coo; expected a dense one"):
        tacit.Graph(x=torch.eye(3).to_sparse())


def test_a_damaged_or_missing_file_is_named(tmp_path):
    (tmp_path / "half.npz").write_bytes(b"PK\3\4 half")
    for name, sentence in (("half.npz", "half.npz: cannot be read"), ("none.npz", "No such file")):
        with pytest.raises(tacit.ConfigError, match=sentence):
            tacit.read(tmp_path / name)
    with pytest.raises(tacit.ConfigError, match=r"expected a name that ends in .npz"):
        tacit.Graph(x=X).save(tmp_path / "graph.csv")


def test_the_columns_of_a_frame_have_the_order_that_features_names():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [10.0, 20.0], "c": [100.0, 200.0]})
    assert tacit.Graph.from_pandas(frame, features=["c", "a", "b"]).x.tolist() == [[100, 1, 10], [200, 2, 20]]
    assert tacit.Graph.from_pandas(frame[["a", "b"]], features=["b", "b"]).x.tolist() == [[10, 10], [20, 20]]
    assert tacit.Graph.from_pandas(frame).x.tolist() == [[1, 10, 100], [2, 20, 200]]


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_label_of_objects_is_unknown(missing):
    def objects(*elements):
        return numpy.array(elements, object)

    assert tacit.Graph(y=objects("a", missing, "b")).y.tolist() == ["a", "", "b"]
    assert tacit.Graph(y=objects(3, missing, True)).y.tolist() == [3, -1, 1]
    numpy.testing.assert_array_equal(tacit.Graph(y=objects(0.5, missing, 2)).y, [0.5, numpy.nan, 2])
    with pytest.raises(tacit.ConfigError, match="ids: 1 of 2 elements are missing; expected one for each node"):
        tacit.Graph(ids=objects("a", missing))
    with pytest.raises(tacit.ConfigError, match="y: the elements are objects of the types int, str; expected text alone"):
        tacit.Graph(y=objects("a", missing, 1))


def test_labels_that_pandas_misses_are_unknown():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, 2.0, 3.0], "y": pandas.array(["u", None, "v"], dtype="string"),
                              "train_mask": numpy.array([True, False, True], object)})
    graph = tacit.Graph.from_pandas(frame, y="y")
    assert graph.y.tolist() == ["u", "", "v"] and graph.train_mask.tolist() == [True, False, True]


def test_odd_arguments_are_refused_in_a_sentence(tmp_path):
    (tmp_path / "text.npz").write_text("no archive")
    graph = tacit.Graph(x=numpy.ones((4, 2)))
    for call, sentence in [
            (lambda: tacit.Graph(num_nodes=6.5), "num_nodes: some elements are no whole numbers"),
            (lambda: tacit.Graph(num_nodes=float("nan")), "num_nodes: some elements are no whole numbers"),
            (lambda: tacit.Graph(num_nodes=[6, 7]), r"num_nodes is \[6, 7\]; expected one whole number"),
            (lambda: tacit.Graph(num_nodes=0), "num_nodes is 0; expected one whole number from 1 on"),
            (lambda: tacit.Graph(edge_index=[[0, numpy.inf], [1, 2]]), "edge_index: some elements are no whole numbers"),
            (lambda: graph.random_masks(train=float("nan")), "random_masks: the parts are nan, 0.2 and 0.2"),
            (lambda: graph.random_masks(train="a"), "random_masks: the parts are a, 0.2 and 0.2"),
            (lambda: graph.random_masks(seed=-1), "random_masks: seed is -1; expected a whole number"),
            (lambda: tacit.Graph.from_pyg([graph]), "from_pyg: list has none of the attributes x, edge_index and y"),
            (lambda: tacit.read(tmp_path / "text.npz"), "text.npz: cannot be read: it is no .npz file, or a damaged one")]:
        with pytest.raises(tacit.ConfigError, match=sentence):
            call()
