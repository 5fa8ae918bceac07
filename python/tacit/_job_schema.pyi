"""The settings of a job, for editors and type checkers. tools/python-schema makes this file from `tacit settings`."""

from os import PathLike
from typing import Literal, Self, Sequence, TypedDict

_Path = str | PathLike[str]

class DataLinks(TypedDict, total=False):
    """[data.links]"""

    split: Literal["seed", "files"]
    """how links are kept for validation and test: seed: by chance, validation and test say how many; files: as the files say, in edge_part of an .npz file or in a column part of edges.csv. "seed" or "files"; default: "seed" """
    validation: float
    """the part of the links that is kept for validation; the edges of these links pass no messages. A number at least 0 and below 1; default: 0.1; only with data.links.split = "seed" """
    test: float
    """the part of the links that is kept for the test. A number at least 0 and below 1; default: 0.2; only with data.links.split = "seed" """
    drawn: int
    """pairs of nodes without a link that are drawn for each link. A whole number, 1 ... 100; default: 1."""
    seed: int
    """decides which links are kept, and which pairs are drawn. A whole number, 0 ... 1099511627776; default: 1."""

class ModelLayers(TypedDict, total=False):
    """[model.layers]"""

    kind: Literal["gcn", "sage", "gin", "dense", "relu", "dropout", "pool", "layer-norm", "dot", "logit", "propagate"]
    """the operation of the layer. "gcn", "sage", "gin", "dense", "relu", "dropout", "pool", "layer-norm", "dot", "logit" or "propagate"; required."""
    steps: int
    """how often a propagation gathers over the edges. A whole number, 1 ... 64; required; only with model.layers[].kind = "propagate" """
    restart: float
    """the part of the layer's input in the result of every step. A number at least 0 and below 1; default: 0; only with model.layers[].kind = "propagate" """
    pooling: Literal["mean", "sum"]
    """whether a pool takes the mean over the nodes of each graph, or adds them up. "mean" or "sum"; default: "mean"; only with model.layers[].kind = "pool" """
    rate: float
    """the part of the elements that a dropout sets to zero. A number at least 0 and below 1; required; only with model.layers[].kind = "dropout" """
    outputs: int
    """columns of the layer's output. A whole number, 1 ... 1048576; required; only with model.layers[].kind = "dense" or "gcn" or "gin" or "sage" """
    bias: bool
    """whether the layer adds a trained row to its output. True or false; default: true; only with model.layers[].kind = "dense" or "gcn" or "gin" or "sage" """
    residual: bool
    """whether the layer adds its input, of the same width, to its output. True or false; default: false; only with model.layers[].kind = "dense" or "gcn" or "gin" or "sage" """
    jump: bool
    """whether the layer reads the outputs of all layers with weights before it, side by side (jumping knowledge). True or false; default: false; only with model.layers[].kind = "dense" or "gcn" or "gin" or "sage" """
    epsilon: float
    """the node itself counts 1 + epsilon times in a sum over its neighbours. A number at least -1 and at most 16; default: 0; only with model.layers[].kind = "gin" """

class ModelPerturbed(TypedDict, total=False):
    """[model.perturbed]"""

    hidden: int
    """columns of the network without edges, which is trained first. A whole number, 1 ... 1048576; default: 64."""
    head: int
    """columns of the network that reads its answers and the sums over neighbours. A whole number, 1 ... 1048576; default: 32."""
    encoder_epochs: int
    """epochs of the network without edges. A whole number, 1 ... 1000000; default: 100."""

class ModelGcn(TypedDict, total=False):
    """[model.gcn]"""

    hidden: int
    """columns between the two graph convolutions. A whole number, 1 ... 1048576; required."""
    outputs: int
    """columns of the prediction; by default the classes, or 1; if links are learned, hidden. A whole number, 1 ... 1048576; default: 1."""
    dropout: float
    """the rate of a dropout before the second graph convolution; 0: none. A number at least 0 and below 1; default: 0."""

class TrainingOptimiser(TypedDict, total=False):
    """[training.optimiser]"""

    kind: Literal["sgd", "adam"]
    """how a step follows from the gradient. "sgd" or "adam"; default: "sgd" """
    rate: float
    """the learning rate; by default 0.1 for sgd and 0.01 for adam. A number above 0 and at most 16; default: 0.1."""
    weight_decay: float
    """the gradient gains this factor times the weight. A number at least 0 and below 1; default: 0."""
    beta1: float
    """the part of the mean gradient m that a step keeps. A number at least 0 and at most 0.9999; default: 0.9; only with training.optimiser.kind = "adam" """
    beta2: float
    """the part of the mean squared gradient v that a step keeps. A number at least 0 and at most 0.9999; default: 0.999; only with training.optimiser.kind = "adam" """
    epsilon: float
    """a step divides by the root of v + epsilon^2, in the scale of the gradients on shares. A number at least 0.0625 and below 64; default: 0.0625; only with training.optimiser.kind = "adam" """
    momentum: float
    """the part of the last step's velocity that the next step keeps. A number at least 0 and at most 0.9999; default: 0; only with training.optimiser.kind = "sgd" """

class TrainingSchedule(TypedDict, total=False):
    """[training.schedule]"""

    kind: Literal["constant", "step", "cosine"]
    """how the learning rate changes over the epochs. "constant", "step" or "cosine"; default: "constant" """
    warm_up: int
    """epochs at the beginning in which the rate grows from 0. A whole number, 0 ... 1000000000; default: 0."""
    least: float
    """the rate of the last epoch. A number at least 0 and at most 16; default: 0; only with training.schedule.kind = "cosine" """
    factor: float
    """the rate is multiplied by this factor after every step. A number above 0 and at most 1; default: 0.5; only with training.schedule.kind = "step" """
    every: int
    """epochs in a step. A whole number, 1 ... 1000000000; default: 50; only with training.schedule.kind = "step" """

_TrainingStopping = TypedDict("_TrainingStopping", {"class": str | int}, total=False)

class TrainingStopping(_TrainingStopping, total=False):
    """[training.stopping]"""

    metric: Literal["loss", "rmse", "mae", "accuracy", "precision", "recall", "f1", "roc_auc", "average_precision", "log_loss", "r2", "explained_variance"]
    """the number that rank 0 judges: the training loss, or a metric revealed to rank 0; loss with a part is the metric loss. "loss", "rmse", "mae", "accuracy", "precision", "recall", "f1", "roc_auc", "average_precision", "log_loss", "r2" or "explained_variance"; required."""
    part: Literal["train", "validation", "test"]
    """the nodes of the metric: by default validation, and for loss none. "train", "validation" or "test" """
    bins: int
    """nodes are ranked by bins of equal width in the class's log-odds, from -8 to 8; needed for more than 4096 nodes, which are too many to compare every two. A whole number, 2 ... 1024; only with training.stopping.metric = "average_precision" or "roc_auc" """
    average: Literal["micro", "macro"]
    """over classes: micro adds up their counts, macro is the mean of their numbers. "micro" or "macro"; only with training.stopping.metric = "f1" or "precision" or "recall" """
    patience: int
    """training stops after so many numbers in a row that are not better. A whole number, 1 ... 1000000000; default: 10."""
    least_improvement: float
    """a number is better if it beats the best one by more than this. A number at least 0 and at most 1048576; default: 0."""
    keep_best: bool
    """whether the training ends with the model of the best number, if that is not the last one. True or false; default: true."""

_TrainingPlateau = TypedDict("_TrainingPlateau", {"class": str | int}, total=False)

class TrainingPlateau(_TrainingPlateau, total=False):
    """[training.plateau]"""

    metric: Literal["loss", "rmse", "mae", "accuracy", "precision", "recall", "f1", "roc_auc", "average_precision", "log_loss", "r2", "explained_variance"]
    """the number that rank 0 judges: the training loss, or a metric revealed to rank 0; loss with a part is the metric loss. "loss", "rmse", "mae", "accuracy", "precision", "recall", "f1", "roc_auc", "average_precision", "log_loss", "r2" or "explained_variance"; required."""
    part: Literal["train", "validation", "test"]
    """the nodes of the metric: by default validation, and for loss none. "train", "validation" or "test" """
    bins: int
    """nodes are ranked by bins of equal width in the class's log-odds, from -8 to 8; needed for more than 4096 nodes, which are too many to compare every two. A whole number, 2 ... 1024; only with training.plateau.metric = "average_precision" or "roc_auc" """
    average: Literal["micro", "macro"]
    """over classes: micro adds up their counts, macro is the mean of their numbers. "micro" or "macro"; only with training.plateau.metric = "f1" or "precision" or "recall" """
    patience: int
    """the rate is lowered after so many numbers in a row that are not better. A whole number, 1 ... 1000000000; default: 10."""
    least_improvement: float
    """a number is better if it beats the best one by more than this. A number at least 0 and at most 1048576; default: 0."""
    factor: float
    """the rate is multiplied by this factor. A number at least 0.0009765625 and below 1; default: 0.5."""
    least: float
    """the rate is not lowered below this one. A number at least 0 and at most 16; default: 0."""

_RevealMetric = TypedDict("_RevealMetric", {"class": str | int}, total=False)

class RevealMetric(_RevealMetric, total=False):
    """[reveal.metric]"""

    what: Literal["rmse", "mae", "accuracy", "precision", "recall", "f1", "confusion", "roc_auc", "average_precision", "log_loss", "loss", "r2", "explained_variance"]
    """the metric. "rmse", "mae", "accuracy", "precision", "recall", "f1", "confusion", "roc_auc", "average_precision", "log_loss", "loss", "r2" or "explained_variance"; required."""
    part: Literal["train", "validation", "test"]
    """the nodes of the metric. "train", "validation" or "test"; default: "test" """
    to: Literal["everyone"] | int
    """who learns the metric. "everyone" or the number of a party's rank; default: "everyone" """
    every: int
    """epochs between two evaluations of this metric; 0: as training.evaluate_every. The last epoch has all. A whole number, 0 ... 1000000000; default: 0."""
    bins: int
    """nodes are ranked by bins of equal width in the class's log-odds, from -8 to 8; needed for more than 4096 nodes, which are too many to compare every two. A whole number, 2 ... 1024; only with reveal.metric[].what = "average_precision" or "roc_auc" """
    average: Literal["micro", "macro"]
    """over classes: micro adds up their counts, macro is the mean of their numbers. "micro" or "macro"; only with reveal.metric[].what = "f1" or "precision" or "recall" """

class Data(TypedDict, total=False):
    """[data]"""

    features: str
    """who holds the features: public, rank R, columns, rows, or the number of each rank: columns 3,5. Text that says who holds the features, as "rank 0" or "public"; required."""
    edges: str
    """who holds the edges: none, public, rank R, edges: each rank the edges that leave its nodes, or any: each rank any edges, and an edge that several hold counts once. Text that says who holds the edges, as "rank 0" or "public"; required."""
    edge_weights: bool
    """whether edges have weights: edge_weight in a file, or a column weight of edges.csv; weights of an edge that several ranks hold add up. True or false; default: false."""
    adjacency: Literal["dense", "sparse"]
    """how the ranks hold private edges: dense: as a matrix of nodes x nodes on shares, masked once, for graphs of up to some thousands of nodes; sparse: each rank alone knows its own edges as a sparse matrix, and each product sends rows for each edge and node, for large graphs. "dense" or "sparse"; default: "dense" """
    snapshots: int
    """states of the graph, as the hours of a day: each node has features, labels and masks in each, and the edges are the same in all. A whole number, 1 ... 1048576."""
    labels: str
    """who holds the classes or targets: public, rank R, columns or rows. Text that says who holds the labels, as "rank 0" or "public"; required."""
    masks: str
    """who holds the train, validation and test masks: public, rank R or rows. Text that says who holds the masks, as "rank 0" or "public"; required."""
    class_names: Sequence[str]
    """the names of classes 0, 1, ...: files of data may have them as labels, and results and reports show them. A list with a name for each class, of 1 ... 100 bytes."""
    classes: int
    """classes of the labels, by default as many as class_names; 0: the labels are targets. A whole number, 0 ... 1048576; default: 0."""
    join: Literal["none", "intersection"]
    """the nodes that take part: all, or the nodes that `tacit data align` found at all parties. "none" or "intersection"; default: "none" """
    files: Sequence[_Path] | _Path
    """the file with a party's part of the data. A file's path, in which {rank} stands for a rank's number, or a list of paths, one for each rank."""
    links: DataLinks

class Preprocessing(TypedDict, total=False):
    """[preprocessing]"""

    features: Literal["standardise", "row-sum", "none", "whole"]
    """how features are scaled: each column to mean 0 and deviation 1, each row to a sum of 1, or not at all; whole: not at all, and all are whole numbers, which take fewer bits on shares. "standardise", "row-sum", "none" or "whole"; default: "standardise" """
    missing: Literal["refuse", "mean"]
    """the treatment of a missing feature, which is NaN in a file, or an empty field of nodes.csv: refuse it, or take the mean of the column's known features, over all owners. "refuse" or "mean"; default: "refuse" """
    cut: float
    """a standardised feature further from 0 than so many deviations is moved to this distance. A number at least 0.5 and at most 1000."""
    targets: Literal["standardise", "none"]
    """whether each column of targets is scaled to mean 0 and deviation 1; a job of classes has no such setting. "standardise" or "none"; default: "standardise" """

class Model(TypedDict, total=False):
    """[model]"""

    layers: Sequence[ModelLayers]
    perturbed: ModelPerturbed
    gcn: ModelGcn

class Training(TypedDict, total=False):
    """[training]"""

    mode: Literal["shares", "aggregate"]
    """how the parties compute: on shares; or each on its own records, so that every step reveals a sum of clipped gradients and noise. "shares" or "aggregate"; default: "shares" """
    epochs: int
    """passes over the labelled nodes. A whole number, 1 ... 1000000000; default: 100."""
    seed: int
    """the source of initial weights, dropout and the order of batches. A whole number, 0 ... 1099511627776; default: 1."""
    loss: Literal["mse", "cross-entropy", "logistic"]
    """the loss that training minimises; by default cross-entropy for classes and mse for targets; logistic is for two classes of a model with one output. "mse", "cross-entropy" or "logistic"; default: "mse" """
    class_weights: Literal["balanced"] | Sequence[float]
    """how much each class counts in the loss: a list with a weight for each, or balanced, which gives all classes the same part of the loss by counts that nobody learns. "balanced", or a list with a number from 1/1024 to 64 for each class."""
    label_smoothing: float
    """the part of each label that is divided evenly among all classes. A number at least 0 and below 1."""
    batch: int
    """labelled nodes in a step; 0: all. A whole number, 0 ... 1099511627776; default: 0."""
    evaluate_every: int
    """epochs between two evaluations of the metrics; 0: after the last epoch alone. A whole number, 0 ... 1000000000; default: 0."""
    clip: float
    """each element of the gradient of a batch is cut at this size; it bounds the influence of no node and gives no differential privacy. A number at least 1e-06 and at most 1048576."""
    optimiser: TrainingOptimiser | Literal["sgd", "adam"]
    schedule: TrainingSchedule | Literal["constant", "step", "cosine"]
    stopping: TrainingStopping
    plateau: TrainingPlateau

class Privacy(TypedDict, total=False):
    """[privacy]"""

    unit: Literal["record", "edge", "node"]
    """the unit that epsilon protects: one record, which is a row of the data; or one edge, which is a pair of nodes with the edges in both directions (model.perturbed). A node, in a model without edges, is a record. "record", "edge" or "node"; default: "node" """
    epsilon: float
    """the privacy loss that the whole training may cause, against the worst adversary that the plan lists. A number at least 0.001 and at most 1000."""
    noise: float
    """standard deviation of the noise in each step, in units of clip; left out: the least noise with which epsilon holds. A number at least 0.05 and at most 1000000."""
    delta: float
    """the probability with which the bound by epsilon may fail; less than 1 / rows. A number at least 1e-30 and at most 0.1; default: 1e-06."""
    clip: float
    """the largest length of one record's gradient; longer ones are shortened to it. A number at least 0.0009765625 and at most 256; default: 1; only with privacy.unit = "node" or "record" """
    colluding: int
    """the number of parties that may pool their knowledge; left out: all but one. A whole number, 0 ... 1023."""
    noise_from: Literal["both", "parties", "dealt"]
    """the source of the noise: the dealer and every party; the parties alone, which is more noise; or the dealer alone, which protects nothing from a dealer that sees the revealed values. "both", "parties" or "dealt"; default: "both" """
    sampling: Literal["owners", "parties"]
    """the ranks that know which records a step takes: the owner of each record alone; or all parties, for which a training then tells far more of a record. "owners" or "parties"; default: "owners"; only with privacy.unit = "node" or "record" """
    ledger: Sequence[_Path] | _Path
    """the file with the account of privacy spent on a party's data; by default no account is kept. A file's path, in which {rank} stands for a rank's number, or a list of paths, one for each rank."""

class Ring(TypedDict, total=False):
    """[ring]"""

    bits: Literal[64, 56, 48]
    """bits of the ring in which a value enters the computation. 64, 56 or 48; default: 64."""
    fraction_bits: int
    """bits behind the binary point; at most 20, 18 and 16 in rings of 64, 56 and 48 bits. A whole number, 8 ... 20; default: 13."""

class Ranges(TypedDict, total=False):
    """[ranges]"""

    features: float
    """the largest absolute value of a feature after preprocessing. A number at least 1 and at most 1048576; default: 4095."""
    weights: float
    """the largest absolute value of a weight. A number at least 1 and at most 1048576; default: 63."""
    activations: float
    """the largest absolute value of a layer's output. A number at least 1 and at most 1048576; default: 1023."""
    gradients: float
    """the largest absolute value of a gradient by activations, times the scale of the loss. A number at least 1 and at most 1048576; default: 1023."""
    weight_gradients: float
    """the largest absolute value of a gradient by weights, times the scale of the loss; a range wider than the default makes this scale smaller with Adam, whose epsilon is then larger beside the gradients. A number at least 1 and at most 1048576; default: 16383."""

class Reveal(TypedDict, total=False):
    """[reveal]"""

    loss: Literal["everyone", "nobody"] | int
    """who learns the training loss of every epoch. "everyone", "nobody" or the number of a party's rank; default: "everyone" """
    model: Literal["everyone", "nobody"] | int
    """who learns the trained parameters. "everyone", "nobody" or the number of a party's rank; default: "nobody" """
    scaling: Literal["folded", "as-trained"]
    """how the revealed model has the means and deviations of standardised columns: folded into its first and last layer, or not at all; as trained also with preprocessing.cut, a residual in such a layer, or a ring of fewer than 64 bits. "folded" or "as-trained"; default: "folded" """
    predictions: Literal["everyone", "nobody"] | int
    """who learns the predictions: targets, or the likeliest class of each node. "everyone", "nobody" or the number of a party's rank; default: "nobody" """
    probabilities: Literal["everyone", "nobody"] | int
    """who learns the probability of each class at each node. "everyone", "nobody" or the number of a party's rank; default: "nobody" """
    top: int
    """how many classes a prediction names, the likeliest first. A whole number, 1 ... 100; default: 1."""
    metric: Sequence[RevealMetric]

class Checkpoints(TypedDict, total=False):
    """[checkpoints]"""

    every: int
    """epochs between two checkpoints; 0: none is kept. A whole number, 0 ... 1000000000; default: 0."""
    keep: int
    """checkpoints that stay on the disk. A whole number, 2 ... 1000; default: 2."""

class Audit(TypedDict, total=False):
    """[audit]"""

    every: Literal["off"] | int
    """epochs between two audits of the range watch. A whole number, 1 ... 1000000000, or "off"; default: 1."""

class Predict(TypedDict, total=False):
    """[predict]"""

    files: Sequence[_Path] | _Path
    """the file with a party's part of the data to predict; by default the training's part. A file's path, in which {rank} stands for a rank's number, or a list of paths, one for each rank."""
    nodes: _Path
    """a file with the nodes to predict, one on each line; by default all. A file's path as text of 1 ... 4096 bytes without control characters."""
    rows: Sequence[int]
    """how many nodes of the data to predict each rank has, if owners of rows bring folders of CSV files; by default as many as in the training. A list of whole numbers, one for each rank."""

class Serve(TypedDict, total=False):
    """[serve]"""

    socket: Sequence[_Path] | _Path
    """the Unix domain socket for requests; by default ask.sock in the rank's folder. A file's path, in which {rank} stands for a rank's number, or a list of paths, one for each rank."""
    http: str
    """an address of this machine's loopback for requests, which any local user reaches; by default none. HOST:PORT on this machine, as 127.0.0.1:8080 as text of 1 ... 4096 bytes without control characters."""
    folder: Sequence[_Path] | _Path
    """a folder for requests as files NAME.json; by default none. A file's path, in which {rank} stands for a rank's number, or a list of paths, one for each rank."""
    requests_per_minute: int
    """requests of each rank in a minute that this rank takes part in. A whole number, 1 ... 1000000; default: 600."""
    nodes_per_request: int
    """nodes of a request that this rank takes part in, at most. A whole number, 1 ... 1000000; default: 1000."""

class Keys(TypedDict, total=False):
    """[keys]"""

    identity: Sequence[_Path] | _Path
    """the private key by which the other ranks know this one. A file's path, in which {rank} stands for a rank's number, or a list of paths, one for each rank."""
    storage: Sequence[_Path] | _Path
    """the key that seals checkpoints; by default a new one in the output folder. A file's path, in which {rank} stands for a rank's number, or a list of paths, one for each rank."""

class JobTables:
    def __init__(
        self,
        *,
        name: str,
        parties: int = ...,
        correlations: Literal["dealer", "pairwise", "pairwise-softspoken", "none"] = ...,
        roster: _Path = ...,
        master: str = ...,
        output: _Path = ...,
        openings: Literal["by-size", "direct", "two-phase", "measured"] = ...,
        data: Data = ...,
        preprocessing: Preprocessing = ...,
        model: Model = ...,
        training: Training = ...,
        privacy: Privacy = ...,
        ring: Ring = ...,
        ranges: Ranges = ...,
        reveal: Reveal = ...,
        checkpoints: Checkpoints = ...,
        audit: Audit = ...,
        predict: Predict = ...,
        serve: Serve = ...,
        keys: Keys = ...,
    ) -> None:
        """A job from its tables.

        name: the name of the job, in messages and reports. The job's name as text of 1 ... 100 bytes without control characters; required.
        parties: the number of parties, which hold data and shares; by default the number in the roster. A whole number, 1 ... 1023.
        correlations: the source of correlated randomness: a dealer, which is one further rank and must not work together with any party; pairwise: the parties make it among themselves, with more traffic; pairwise-softspoken: the same without the assumption of learning parity with noise, and with far more bytes; none: for the mode "aggregate". "dealer", "pairwise", "pairwise-softspoken" or "none"; default: "dealer"
        roster: the file that names the key of each rank. A file's path as text of 1 ... 4096 bytes without control characters.
        master: the address at which rank 0 listens. HOST:PORT of rank 0 as text of 1 ... 4096 bytes without control characters.
        output: the folder of results; each rank has a folder in it. A folder's path as text of 1 ... 4096 bytes without control characters.
        openings: how a masked value is opened to all parties. "by-size", "direct", "two-phase" or "measured"; default: "by-size"
        """
    def replace(
        self,
        *,
        name: str | None = ...,
        parties: int | None = ...,
        correlations: Literal["dealer", "pairwise", "pairwise-softspoken", "none"] | None = ...,
        roster: _Path | None = ...,
        master: str | None = ...,
        output: _Path | None = ...,
        openings: Literal["by-size", "direct", "two-phase", "measured"] | None = ...,
        data: Data | None = ...,
        preprocessing: Preprocessing | None = ...,
        model: Model | None = ...,
        training: Training | None = ...,
        privacy: Privacy | None = ...,
        ring: Ring | None = ...,
        ranges: Ranges | None = ...,
        reveal: Reveal | None = ...,
        checkpoints: Checkpoints | None = ...,
        audit: Audit | None = ...,
        predict: Predict | None = ...,
        serve: Serve | None = ...,
        keys: Keys | None = ...,
    ) -> Self: ...
