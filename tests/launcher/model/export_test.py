#!/usr/bin/env python3
"""export_test.py TACIT SOURCE: predicts outside of Tacit with models that `tacit launch` revealed.

Each job reveals its model and its predictions to rank 0. `tacit export` writes the model in every format. The loaders of
examples/export and an evaluator of ONNX must predict the same from these files and the raw data: the same class for 99.9 % of
the nodes, and targets within 2^-8 of themselves or of a deviation of the predictions. Damaged files must end with a sentence
and exit code 2. Exit code 77: there is no numpy. Without the modules onnx or torch, their parts are left out, with a line.
"""
import contextlib
import io
import itertools
import json
import os
import runpy
import stat
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("export_test: skipped: numpy is not installed (python3-numpy)")
    sys.exit(77)

TACIT, SOURCE = (os.path.abspath(word) for word in sys.argv[1:])
LOADERS = os.path.join(SOURCE, "examples", "export")
sys.path[:0] = [LOADERS]
import load_numpy  # noqa: E402

try:
    import onnx_evaluator
except ImportError:
    onnx_evaluator = None
    print("export_test: onnx is not installed (python3-onnx): ONNX files are written and not read")
try:
    import torch  # noqa: F401
except ImportError:
    torch = None
    print("export_test: torch is not installed: load_pyg.py does not run")

NODES, FEATURES = 240, 6
FORMATS = ("npz", "safetensors", "onnx")


def expect(what, holds):
    if not holds:
        sys.exit(f"export_test: {CASE}: {what}")


def graph(classes, targets, weighted):
    """Groups of nodes with edges inside a group, some loops and repeated edges, and a node without edges."""
    random = np.random.default_rng(5)
    group = np.arange(NODES) % max(classes, 2)
    x = random.normal(size=(NODES, FEATURES)) * 0.4
    x[np.arange(NODES), group] += 2
    source = random.integers(0, NODES - 1, size=3 * NODES)
    target = (source + len(np.unique(group)) * random.integers(0, 5, size=source.size)) % (NODES - 1)
    edges = np.stack([np.r_[source, target, source[:9]], np.r_[target, source, target[:9]]])
    y = group if classes else np.stack([6 + k + (k + 1) * np.tanh(x[:, k] - x[:, 3]) for k in range(targets)], 1)
    part = random.permutation(NODES)
    if weighted:
        edges = np.unique(edges[:, edges[0] != edges[1]], axis=1)
    more = {"edge_weight": 0.25 + (edges[0] + 2 * edges[1]) % 9} if weighted else {}
    return more | {"x": x, "edge_index": edges, "y": y, "train_mask": part < 150, "val_mask": (part >= 150) & (part < 180),
            "test_mask": part >= 180}


def of_graphs(data):
    """Divides the nodes into graphs of three, with a label and masks for each."""
    graphs = NODES // 3
    within = data["edge_index"][0] // 3 == data["edge_index"][1] // 3
    ring = np.arange(NODES)
    edges = np.hstack([data["edge_index"][:, within], [ring, ring // 3 * 3 + (ring + 1) % 3]])
    y = data["y"].reshape(graphs, 3, -1)
    part = np.random.default_rng(6).permutation(graphs)
    return data | {"edge_index": edges, "graph": np.arange(NODES) // 3, "y": y.mean(1) if data["y"].ndim > 1 else y[:, 0, 0],
                   "train_mask": part < 50, "val_mask": (part >= 50) & (part < 60), "test_mask": part >= 60}


def of_pairs(data):
    """Takes the labels and masks away: the edges are learned. Half of the pairs to predict are edges."""
    random = np.random.default_rng(8)
    drawn = np.sort(np.stack([random.permutation(NODES)[:60], random.permutation(NODES)[:60]]), 0)
    pairs = np.hstack([data["edge_index"][:, ::7], drawn])
    pairs = pairs[:, pairs[0] != pairs[1]]
    return {key: value for key, value in data.items() if key in ("x", "edge_index")} | {"pairs": pairs}


def toml(value):
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else repr(value)


def run(words, folder, code=0):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=280)
    expect(f"{' '.join(words)} ended with {done.returncode}\n{done.stdout}\n{done.stderr}", done.returncode == code)
    return done


def names_of(classes):
    """Returns names for a job with more than 3 classes. Files of other jobs have numbers alone."""
    return [f"kind {number}" for number in range(classes)] if classes > 3 else []


def launch(folder, data, parties, classes, owners, preparation, layers, scaling):
    """Trains and returns the predictions on shares."""
    with open(os.path.join(folder, "job.toml"), "w") as job:
        print(f'name = "export"\nparties = {parties}\ncorrelations = "dealer"\n[data]', file=job)
        names = names_of(classes)
        if "pairs" in data:  # all links are trained on, and so all edges pass messages
            print("links = { validation = 0, test = 0 }", file=job)
        else:
            print('masks = "public"\n' + (f"class_names = {json.dumps(names)}" if names else f"classes = {classes}"), file=job)
        print('files = "rank{rank}.npz"', file=job)
        for key, owner in owners.items():
            print(f"{key} = {toml(owner)}", file=job)
        print("[preprocessing]", file=job)
        for key, value in preparation.items():
            print(f"{key} = {toml(value)}", file=job)
        for layer in layers:
            print("[[model.layers]]", file=job)
            for key, value in layer.items():
                print(f"{key} = {toml(value)}", file=job)
        plain = preparation.get("targets") == "none"  # gradients of targets in their own unit are large
        optimiser = '{ kind = "sgd", rate = 0.05 }' if plain else '{ kind = "adam", rate = 0.02 }'
        no_metric = "metric = []" if "pairs" in data else ""
        if not plain and {"kind": "pool", "pooling": "sum"} in layers:  # gradients of sums are larger than Adam takes by default
            print("[ranges]\nweight_gradients = 262144", file=job)
        print(f"[training]\nepochs = 60\noptimiser = {optimiser}", file=job)
        print(f'[reveal]\nmodel = 0\npredictions = 0\nloss = "nobody"\nscaling = "{scaling}"\n{no_metric}', file=job)
    named = {"y": np.array(names)[data["y"]]} if names else {}
    np.savez(os.path.join(folder, "whole.npz"), **(data | named))
    run([TACIT, "data", "split", "whole.npz", "--job", "job.toml", "--out", "."], folder)
    run([TACIT, "launch", "-n", str(parties), "job.toml", "--output", "out"], folder)
    told = np.load(os.path.join(folder, "out", "rank0", "predictions.npz"))
    expect(f"predictions.npz has other names of classes: {told.files}", list(told.get("class_names", [])) == names)
    return told["predictions"]


def far(data):
    """True if float32 has no room for a column's deviations, since its mean is so far from zero."""
    return (np.abs(data["x"].mean(0)) > 1e5 * data["x"].std(0)).any()


def scale_of_targets(data, owners):
    """The mean and the deviation of the targets by which the job standardises."""
    told = data["y"] if owners["labels"] == "rows" else data["y"][data["train_mask"]]
    return told.mean(0), told.std(0)


def in_own_unit(about, made, target_scale):
    """Predictions of a loader; the job's scale of targets takes the place of one that the file does not have."""
    left_to_user = about["targets"]["scaling"] == "standardise" and "mean" not in about["targets"]
    return made * target_scale[1] + target_scale[0] if left_to_user else made


def check_predictions(who, made, told, classes):
    made = np.asarray(made).reshape(told.shape)
    if classes:
        same = (made == told).mean()
        expect(f"{who}: {same:.4f} of the classes are equal", same >= 0.999)
        return
    scale = np.maximum(np.abs(told), told.std(0))
    off = (np.abs(made - told) / scale).max()
    expect(f"{who}: a prediction differs by {off:.5f} of itself", off <= 2**-8)
    print(f"{CASE}: {who}: predictions differ by {off:.5f} at most")


def load(program, words, folder, code=0):
    """Runs a loader, the first time as a program, later in this process: a start of load_pyg.py takes seconds, for torch. Returns
    its last output."""
    path = os.path.join(LOADERS, program)
    if program not in STARTED:
        STARTED.add(program)
        return run([sys.executable, path] + words, folder, code).stderr
    said, before = io.StringIO(), sys.argv
    sys.argv = [path] + words
    try:
        with contextlib.chdir(folder), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            runpy.run_path(path, run_name="__main__")
        ended = None
    except SystemExit as end:
        ended = end.code
    finally:
        sys.argv = before
    told = f"{said.getvalue()}{ended or ''}"
    expect(f"{program} {' '.join(words)} ended with {told}", (ended is None) == (code == 0))
    return told


def by_loader(program, model, folder, scaled_by_user):
    more = ["whole.npz"] if scaled_by_user else []
    load(program, [model, "whole.npz", "loaded.npz"] + more, folder)
    made = np.load(os.path.join(folder, "loaded.npz"))
    names = load_numpy.read(os.path.join(folder, model))[0].get("class_names", [])
    expect(f"{program} has other names of classes", list(made.get("class_names", [])) == names)
    return made["predictions"]


def by_onnx(path, about, data, scaled_by_user):
    x = data["x"]
    if scaled_by_user:
        x = (x - x.mean(0)) / x.std(0)
    inputs = {"x": x.astype(np.float32)}
    index, weights = load_numpy.edges(data["edge_index"], NODES, data.get("edge_weight"))
    needed = {layer["normalisation"] for layer in about["layers"] if "normalisation" in layer}
    if needed:
        inputs["edge_index"] = index
    if any(layer["kind"] == "pool" for layer in about["layers"]):
        inputs["graph"] = data["graph"]
    if about["layers"][-1]["kind"] == "dot":
        inputs["pairs"] = data["pairs"]
    for name in needed:
        inputs["edge_weight" if len(needed) == 1 else f"edge_weight_{name}"] = weights[name]
    model = onnx_evaluator.checked(path)
    expect("the ONNX file has the description", json.loads(model.metadata_props[0].value) == about)
    outputs = onnx_evaluator.evaluate(model, inputs)
    if about["output"] == "classes":
        expect("class is the largest output", (outputs["class"] == outputs["output"].argmax(1)).all())
        return outputs["class"]
    return outputs["output"]


def check_exports(who, folder, start, data, told, classes, target_scale):
    """Exports `start` in every format, and compares the predictions of the files."""
    about = json.loads(run([TACIT, "export", start, "--json"], folder).stdout)["model"]
    expect(f"the model has other names of classes: {about}", about.get("class_names", []) == names_of(classes))
    if names_of(classes):
        expect("names_of", list(load_numpy.names_of(about, np.array([2, 0]))) == ["kind 2", "kind 0"])
    scaled_by_user = about["features"]["scaling"] == "standardise" and "mean" not in about["features"]
    arrays = {}
    for name in FORMATS:
        file = f"{who}_export.{name}"
        said = run([TACIT, "export", start, "--format", name, "--out", file], folder).stdout
        expect(f"export says {said}", f"written: {file}" in said)
        path = os.path.join(folder, file)
        expect(f"others may read {file}", stat.S_IMODE(os.stat(path).st_mode) == 0o600)
        if name == FORMATS[0]:
            expect("export replaces a file", "is there already" in run([TACIT, "export", start, "--out", file], folder, 2).stderr)
        if name == "onnx":
            if onnx_evaluator and not far(data):  # an ONNX graph takes features in float32
                made = in_own_unit(about, by_onnx(path, about, data, scaled_by_user), target_scale)
                check_predictions(f"{file} by an evaluator", made, told, classes)
            continue
        read, arrays[name] = load_numpy.read(path)
        expect(f"{file} has another description: {read}", read == about)
        # load_pyg reads both formats by load_numpy
        for program in ("load_numpy.py",) + (("load_pyg.py",) if torch and name == "npz" else ()):
            made = by_loader(program, file, folder, scaled_by_user)
            check_predictions(f"{file} by {program}", in_own_unit(about, made, target_scale), told, classes)
    for name, array in arrays["npz"].items():
        other = arrays["safetensors"][name]
        expect(f"{name} differs between the formats", array.dtype == other.dtype and (array == other).all())
    expect("the formats have other arrays", arrays["npz"].keys() == arrays["safetensors"].keys())


def write(path, about, arrays):
    text = about if isinstance(about, bytes) else json.dumps(about).encode()
    np.savez(path, tacit=np.frombuffer(text, np.uint8), **arrays)


def check_with_known_scale(folder, data, told, target_scale):
    """The same model in a file that holds the means and deviations."""
    about, arrays = load_numpy.read(os.path.join(folder, "out", "rank0", "model.npz"))
    for part, (mean, deviation) in (("features", (data["x"].mean(0), data["x"].std(0))), ("targets", target_scale)):
        about[part] |= {"mean": f"{part}.mean", "deviation": f"{part}.deviation"}
        arrays |= {f"{part}.mean": mean, f"{part}.deviation": deviation}
    write(os.path.join(folder, "known.npz"), about, arrays)
    check_exports("scaled", folder, "known.npz", data, told, 0, None)


def check_damaged(folder):
    """Every damage ends with one sentence and exit code 2, and no file is written."""
    good = os.path.join(folder, "out", "rank0", "model.npz")
    about, arrays = load_numpy.read(good)
    name = about["layers"][0]["arrays"]["weight"]

    def changed(path, value):
        copy = json.loads(json.dumps(about))
        at = copy
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
        return copy

    damages = [
        ("not JSON", b"{", arrays, "no JSON object"),
        ("deep JSON", b"[" * 100_000, arrays, "no JSON object"),
        ("a long text", b" " * (5 << 20), arrays, "expected at most 4194304"),
        ("another format", changed(["format"], 2), arrays, "format 2 of a model"),
        ("an unknown layer", changed(["layers", 0, "kind"], "attention"), arrays, "gcn, sage, gin, dense, relu, propagate, layer-norm, pool, dot, logit"),
        ("many layers", changed(["layers"], about["layers"] * 20), arrays, "expected 1 to 32"),
        ("an epsilon of another layer", changed(["layers", 0, "epsilon"], 0.5), arrays, "belongs to layers of kind gin"),
        ("a jump without layers before it", changed(["layers", 0, "jump"], True), arrays, "comes after a layer with weights"),
        ("a jump of another type", changed(["layers", 2, "jump"], "yes"), arrays, "expected true or false"),
        ("a norm without an epsilon", changed(["layers", 1], {"kind": "layer-norm"}), arrays, "has no \"epsilon\""),
        ("a norm of the features", changed(["layers"], [{"kind": "layer-norm", "epsilon": 0.1}] + about["layers"]), arrays,
         "comes after a layer with weights"),
        ("no layers", changed(["layers"], []), arrays, "expected 1 to 32"),
        ("other widths", changed(["layers", 0, "outputs"], 7), arrays, "after a layer of 7 outputs"),
        ("huge widths", changed(["layers", 0, "inputs"], 1 << 40), arrays, "expected a whole number"),
        ("an array named twice", changed(["layers", 0, "arrays", "bias"], name), arrays, ""),
        ("a shift that nothing explains", changed(["layers", 0, "arrays", "shift"], "shift"), arrays, "nothing is folded"),
        ("an infinite cut", changed(["features", "cut"], 1e300), arrays, "at most"),
        ("a missing array", about, {key: array for key, array in arrays.items() if key != name}, "no such array"),
        ("a further array", about, arrays | {"more": np.zeros(3)}, "does not name this array"),
        ("another shape", about, arrays | {name: arrays[name][:, :-1]}, "needs float32"),
        ("another type", about, arrays | {name: arrays[name].astype(np.float16)}, "dtype"),
        ("no number", about, arrays | {name: arrays[name] * np.nan}, "not finite"),
        ("a larger array", about, arrays | {name: np.zeros((1 << 20, 1), np.float32)}, "expected at most"),
    ]
    for what, text, its_arrays, sentence in damages:
        write(os.path.join(folder, "damaged.npz"), text, its_arrays)
        expect_refusal(folder, what, sentence)
    with open(good, "rb") as file:
        raw = file.read()
    without = {key: array for key, array in arrays.items()}
    np.savez(os.path.join(folder, "damaged.npz"), **without)
    expect_refusal(folder, "a file of another program", "no array \"tacit\"")
    random = np.random.default_rng(2)
    cuts = [raw[:size] for size in random.integers(0, len(raw), 20)]
    flips = [raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1:] for at in random.integers(0, len(raw), 20)]
    for damaged in itertools.chain(cuts, flips):
        with open(os.path.join(folder, "damaged.npz"), "wb") as file:
            file.write(damaged)
        words = [TACIT, "export", "damaged.npz", "--format", "onnx", "--force"]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=280)
        expect(f"a damaged file ended with {done.returncode}: {done.stderr}", done.returncode in (0, 2))
        expect("a file that is cut short is accepted", done.returncode == 2 or len(damaged) == len(raw))
    expect_unknown = run([TACIT, "export", "out", "--format", "pickle"], folder, 2).stderr
    expect(expect_unknown, "expected npz, safetensors or onnx" in expect_unknown)


def expect_refusal(folder, what, sentence):
    said = run([TACIT, "export", "damaged.npz", "--format", "onnx", "--out", "never.onnx"], folder, 2).stderr
    expect(f"{what}: {said}", sentence in said and said.count("\n") == 1 and "damaged.npz" in said)
    expect(f"{what}: a file was written", not os.path.exists(os.path.join(folder, "never.onnx")))


def check(case, parties, layers, classes=0, targets=1, owners=None, preparation=None, offsets=(0, 0), weighted=False):
    global CASE
    CASE = case
    owners = {"features": "columns", "edges": "public", "labels": "rank 0"} | (owners or {})
    if weighted:
        owners["edge_weights"] = True
    data = graph(classes, targets, weighted)
    data["x"][:, 1] += offsets[0]
    if {"kind": "pool"} in layers or {"kind": "pool", "pooling": "sum"} in layers:
        data = of_graphs(data)
    if {"kind": "dot"} in layers:
        data = of_pairs(data)
        del owners["labels"]
    else:
        data["y"] = data["y"] + offsets[1]
    scale = None if classes else scale_of_targets(data, owners)
    preparation = {"features": "none"} | ({} if classes else {"targets": "none"}) | (preparation or {})
    standardises = preparation["features"] == "standardise"
    with tempfile.TemporaryDirectory() as folder:
        told = launch(folder, data, parties, classes, owners, preparation, layers, "folded")
        check_exports("model", folder, "out", data, told, classes, scale)
        about, _ = load_numpy.read(os.path.join(folder, "out", "rank0", "model.npz"))
        bare = {"propagate", "pool"} & {layers[0]["kind"], *([] if classes else [layers[-1]["kind"]])}
        folds = standardises and "cut" not in preparation and not layers[0].get("residual") and not bare
        expect("the scaling is folded if that is possible", (about["features"]["scaling"] == "folded") == folds)
    if not standardises or classes:
        return
    with tempfile.TemporaryDirectory() as folder:
        told = launch(folder, data, parties, classes, owners, preparation, layers, "as-trained")
        check_exports("as_trained", folder, "out", data, told, classes, scale)
        check_with_known_scale(folder, data, told, scale)
        if case == "damaged files":
            check_damaged(folder)


def check_missing():
    """Loaders fill missing features with the means of the training's data; a model with folded scaling does not tell these."""
    global CASE
    CASE = "missing features"
    layers, owners = [layer("gcn", 8), RELU, layer("dense", 3)], {"features": "rows", "edges": "public", "labels": "rows"}
    data = graph(3, 0, False)
    data["x"][np.random.default_rng(7).random(data["x"].shape) < 0.2] = np.nan
    preparation = {"features": "standardise", "missing": "mean"}
    with tempfile.TemporaryDirectory() as folder:
        told = launch(folder, data, 2, 3, owners, preparation | {"cut": 3.5}, layers, "as-trained")
        check_predictions("load_numpy.py", by_loader("load_numpy.py", "out/rank0/model.npz", folder, True), told, 3)
    with tempfile.TemporaryDirectory() as folder:
        launch(folder, data, 2, 3, owners, preparation, layers, "folded")
        said = load("load_numpy.py", ["out/rank0/model.npz", "whole.npz", "x.npz"], folder, 1)
        expect(f"a folded model took missing features: {said}", "does not tell the training's means" in said)


CASE = ""
STARTED = set()  # loaders
RELU = {"kind": "relu"}


def layer(kind, outputs, **more):
    return {"kind": kind, "outputs": outputs} | more


check("classes, gcn, public graph", 2, [layer("gcn", 8), RELU, layer("gcn", 4)], classes=4)
check("classes, sage, private graph", 3, [layer("sage", 8), RELU, {"kind": "dropout", "rate": 0.2}, layer("sage", 3)],
      classes=3, owners={"edges": "rank 1"}, preparation={"features": "row-sum"})
check("classes, gcn and sage and dense, residual", 2,
      [layer("gcn", 6, residual=True), RELU, layer("sage", 6, bias=False), RELU, layer("dense", 5)], classes=5,
      owners={"features": "rows", "labels": "rows"}, preparation={"features": "standardise"})
check("two targets, gcn, private graph", 2, [layer("gcn", 8), RELU, layer("gcn", 2)], targets=2, owners={"edges": "rank 0"},
      preparation={"features": "standardise", "targets": "standardise"})
check("a target, sage, public graph", 5, [layer("sage", 8), RELU, layer("sage", 1)],
      preparation={"features": "standardise", "targets": "standardise"})
check("a target, gin, private graph", 2, [layer("gin", 8, epsilon=0.25), RELU, layer("dense", 1)], owners={"edges": "rank 0"},
      preparation={"features": "standardise", "targets": "standardise"})
check("classes, gcn and gin, then propagation", 3, [layer("gcn", 8), RELU, layer("gin", 4, epsilon=-1),
                                                   {"kind": "propagate", "steps": 5, "restart": 0.1}], classes=4,
      preparation={"features": "row-sum"})
check("a target, propagation and sage", 2, [{"kind": "propagate", "steps": 2}, layer("sage", 6), RELU, layer("dense", 1)],
      preparation={"features": "standardise", "targets": "standardise"})
check("classes, jump over gcn, sage and gin", 2,
      [layer("gcn", 8), RELU, layer("sage", 4), RELU, {"kind": "dropout", "rate": 0.1}, layer("gin", 5), RELU,
       layer("dense", 3, jump=True)], classes=3, preparation={"features": "standardise"})
check("a target, layer norm and a jump that gathers, private graph", 3,
      [layer("gcn", 8), {"kind": "layer-norm"}, RELU, layer("sage", 6), {"kind": "layer-norm"}, RELU, layer("gcn", 1, jump=True)],
      owners={"edges": "rank 1"}, preparation={"features": "standardise", "targets": "standardise"})
check("a feature and a target far from zero", 2, [layer("dense", 8), RELU, layer("gcn", 1)], offsets=(3e6, 1e4),
      preparation={"features": "standardise", "targets": "standardise"})
check("a target, gcn and sage, weights of edges", 2, [layer("gcn", 8), RELU, layer("sage", 1)], weighted=True,
      preparation={"features": "standardise", "targets": "standardise"})
check("classes, gcn, weights of a private graph", 2, [layer("gcn", 8), RELU, layer("gcn", 3)], classes=3, weighted=True,
      owners={"edges": "any"})
check("classes of graphs, sage and a pool", 2, [layer("sage", 8), RELU, {"kind": "pool"}, layer("dense", 3)], classes=3,
      preparation={"features": "standardise"})
check("targets of graphs, gcn and a sum, private graph", 3,
      [layer("gcn", 8), RELU, {"kind": "pool", "pooling": "sum"}, layer("dense", 2)], targets=2, owners={"edges": "rank 1"},
      preparation={"features": "standardise", "targets": "standardise"})
check("a target of graphs, a pool first", 2, [{"kind": "pool"}, layer("dense", 6), RELU, layer("dense", 1)],
      preparation={"features": "standardise", "targets": "standardise"})
check("links, gcn, public graph", 2, [layer("gcn", 8), RELU, layer("gcn", 6), {"kind": "dot"}], classes=2,
      preparation={"features": "standardise"})
check("links, sage and dense, private graph", 3, [layer("sage", 8), RELU, layer("dense", 5), {"kind": "dot"}], classes=2,
      owners={"edges": "rank 1"}, preparation={"features": "row-sum"})
check("two classes, gcn and a logit", 2, [layer("gcn", 8), RELU, layer("gcn", 1), {"kind": "logit"}], classes=2,
      preparation={"features": "standardise"})
check("two classes of graphs, dense and a logit", 3, [layer("sage", 4), RELU, {"kind": "pool"}, layer("dense", 1), {"kind": "logit"}],
      classes=2, owners={"edges": "rank 1"})
check("damaged files", 1, [layer("dense", 8), RELU, layer("dense", 1)], owners={"edges": "none"},
      preparation={"features": "standardise", "cut": 1.5, "targets": "standardise"})
check("a target, dense, row-sum", 2, [layer("dense", 1)], owners={"edges": "none"}, preparation={"features": "row-sum"})
check_missing()
