"""A run: all ranks of a job here or over ssh, their events, results and predictions."""

import csv
import fcntl
import html
import json
import math
import os
import pathlib
import re
import tempfile
import time

import numpy

from tacit import _program
from tacit._events import EventFiles, Progress, history_of
from tacit._graph import Graph, make_folder, save_parts
from tacit._job import Job, expect_job
from tacit.errors import ConfigError

__all__ = ["Run", "launch", "train"]

_SENTENCE = re.compile(r"^(?:rank (\d+) \| )?tacit: (.*)$")
_RELAYED = re.compile(r"rank \d+ \(")  # begins the sentence of a rank that heard of another rank's failure
_OUR_FOLDER = "launch"  # in the run's folder: the job, the parts, the log


def launch(job, parts=None, hosts=None, *, output=None, resume=False, afresh=False, restarts=0, threads=None,
           device=None, plain=False, ssh=None, on_event=None, progress=None):
    """Starts all ranks, the dealer too if the job has one, here or over ssh, and returns a ``Run`` at once.

    ``parts``     the parts of all parties in the order of ranks: graphs or files; without it the files of the job
    ``hosts``     a file, or a list, with "user@host[:port] [folder]" for each rank, the dealer last; ``ssh``: the ssh command
    ``output``    the run's folder; by default the job's ``output``, or a new folder in ``runs``
    ``resume``    goes on from a checkpoint, or refuses; ``afresh``: begins anew, and moves the folder's contents aside
    ``restarts``  how often all ranks start again after a rank or a link was lost
    ``threads``   the threads of each rank; ``device``: for products of large matrices, as for ``tacit launch``
    ``plain``     also trains on plain data, for the report
    ``on_event``  a function that ``wait`` and an iteration call with each event; its exception ends the run. It may be slow: the
                  ranks are other processes, and do not wait for it
    ``progress``  True or False: a line with the epoch and the loss; by default in a terminal and in a notebook

    A run works on a copy of the job and the parts. Keys of a run on one machine lie in its folder, so it protects no data.
    """
    job = expect_job(job)
    if resume and afresh:
        raise ConfigError("launch: resume and afresh contradict each other; expected at most one")
    folder = _folder_of(job, output)
    lock = _lock(folder)
    try:
        if not resume and not afresh:
            _expect_unfinished(folder)
        job = _snapshot(job, parts, folder)
        options = ["--restarts", restarts, *(["--resume"] if resume else []), *(["--afresh"] if afresh else []),
                   *(["--plain"] if plain else []), *_machine_options(threads, device),
                   *_host_options(hosts, ssh, folder)]
        ranks = range((job.parties or 0) + 1) if job.parties else None
        files = EventFiles(folder, ranks)
        earlier = files.skip_what_is_there()[:0 if afresh else None]
        process = _Process(["launch", _own(folder) / "job.toml", "--output", folder, *options], folder, "launch", lock)
    finally:
        os.close(lock)  # the command has its copy
    again = "all ranks of the run have ended; " + _way_on(job, f"tacit.launch(job, parts, output={str(folder)!r}, {{}})")
    return Run(job, folder, process, files, earlier, on_event, progress, again)


def train(job, part=None, *, rank=None, key=None, master=None, output=None, deadline=None, threads=None, device=None,
          resume=False, afresh=False, on_event=None, progress=None):
    """One party's training, with the other ranks on other machines; returns the finished ``Run``.

    Rank, number of ranks and address of rank 0 come from the environment (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT) as for
    ``tacit train``, unless ``rank`` and ``master`` ("HOST:PORT") give them. ``key``: the file of this rank's key. ``part``:
    this party's graph or file. The rank is a child process: it computes beside the interpreter, hears Ctrl-C at once, and
    its failure is an exception here.
    """
    job = expect_job(job)
    folder = _folder_of(job, output)
    make_folder(folder)
    own = _own(folder) / f"rank{'' if rank is None else rank}-{os.getpid()}"
    make_folder(_own(folder), 0o700)
    make_folder(own, 0o700)
    if part is not None:
        path = part.save(own / "part.npz") if isinstance(part, Graph) else part
        job = job.replace(data={"files": os.path.abspath(path)})
    job.save(own / "job.toml")
    options = [*([] if rank is None else ["--rank", rank]), *([] if key is None else ["--key", key]),
               *([] if master is None else ["--master", master]), *([] if deadline is None else ["--deadline", deadline]),
               *_machine_options(threads, device), *(["--resume"] if resume else []), *(["--afresh"] if afresh else [])]
    seat = str(rank if rank is not None else os.environ.get("RANK", ""))
    files = EventFiles(folder, [int(seat)] if seat.isdecimal() else None)  # the command refuses another RANK
    earlier = files.skip_what_is_there()[:0 if afresh else None]
    process = _Process(["train", own / "job.toml", "--output", folder, *options], folder, own.name)
    again = ("this rank has ended, and with it the others; " +
             _way_on(job, f"tacit.train(job, part, output={str(folder)!r}, {{}}) at every rank"))
    return Run(job, folder, process, files, earlier, on_event, progress, again).wait()


class _Process:
    """A command with its output in files of the run's folder."""

    def __init__(self, arguments, folder, name, lock=None):
        own = _own(folder)
        make_folder(own, 0o700)
        self.log, self.answer = own / f"{name}.log", own / f"{name}.json"
        with open(self.answer, "wb") as out, open(self.log, "wb") as err:
            self.child = _program.start([*arguments, "--json"], out, err, pass_fds=() if lock is None else (lock,))

    def ended(self):
        return self.child.poll() is not None

    def end(self):
        _program.end(self.child)

    def error(self):
        """The exception for the exit code, with the sentence of the rank at fault. After a success: None."""
        code = self.child.returncode
        if code == 0:
            return None
        out, err = (path.read_text("utf-8", "replace") for path in (self.answer, self.log))
        found = [match.groups() for match in map(_SENTENCE.match, err.splitlines()) if match]
        ranks = [(rank, text) for rank, text in found if rank is not None]
        causes = [one for one in ranks if not _RELAYED.match(one[1])] or ranks
        try:
            _program.answer_of(code, out, err)
        except Exception as told:
            error = told
        if causes:
            rank = causes[0][0]  # with all of its lines: the first is the sentence, further ones are its details
            error.args = (f"rank {rank}: " + "\n".join(text for other, text in causes if other == rank),)
            error.culprit = int(rank)
            error.detail = "\n".join(f"rank {rank}: {text}" for rank, text in ranks)
        elif found:
            error.args = ("\n".join(text for _, text in found),)
        return error


class Run:
    """A run of a job. ``launch`` makes it; ``Run.open`` reads a folder of an earlier one.

    An iteration gives the events of all ranks as dictionaries while they happen, and ends with the run. ``wait`` waits
    for the end. A failed run raises its exception there. Use it in a ``with`` statement to end its processes in any case.
    """

    def __init__(self, job, folder, process=None, files=None, earlier=(), on_event=None, progress=None, again=""):
        self.job, self.folder = job, pathlib.Path(folder)
        self.events = []
        self._process, self._files, self._earlier = process, files, list(earlier)
        self._on_event, self._again, self._said = on_event, again, 0
        self._progress = Progress(progress)
        self._error = None
        self._over, self._closed = process is None, False
        if process is not None:
            _program.at_exit(process.child, again)

    @classmethod
    def open(cls, folder):
        """The run of a folder that ``launch`` made, for its results and for predictions."""
        folder = pathlib.Path(folder).absolute()
        file = _own(folder) / "job.toml"
        if not file.exists():
            raise ConfigError(f"{folder} is no folder of a run: {file} is missing; expected a folder that tacit.launch made")
        files = EventFiles(folder, None)
        return cls(Job.read(file), folder, earlier=files.skip_what_is_there())

    # Live.

    def __iter__(self):
        done, pause, over = 0, 0.0, False
        while not over:
            over, pause = self._over_after(pause), 0.1
            while done < len(self.events):
                done += 1
                yield self.events[done - 1]
        self._raise()

    def wait(self):
        """Waits until all processes have ended; returns the run, or raises its exception."""
        pause = 0.0
        while not self._over_after(pause):
            pause = 0.1
        self._raise()
        return self

    @property
    def running(self):
        """Whether processes run."""
        return not self._poll()

    def close(self):
        """Ends all processes of the run. A later ``launch`` with ``resume=True`` goes on from a checkpoint."""
        if not self._poll():
            self._end()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close()

    def _poll(self):
        """Takes the new events. True if the run is over."""
        if self._over:
            return True
        ended = self._process.ended()
        self.events += self._files.new()
        try:
            while self._said < len(self.events):
                event = self.events[self._said]
                self._said += 1
                self._progress.take(event)
                if self._on_event is not None:
                    self._on_event(event)
        except BaseException:
            self._end()
            raise
        if ended:
            _program.forget(self._process.child)
            self._over, self._error = True, self._process.error()
            self._progress.end()
        return ended

    def _over_after(self, pause):
        """Waits, and takes the new events. True if the run is over. Ctrl-C, whenever it comes, ends all processes."""
        try:
            time.sleep(pause)
            return self._poll()
        except KeyboardInterrupt:
            self._end()
            raise KeyboardInterrupt(self._again) from None

    def _end(self):
        self._process.end()
        self._over, self._closed, self._on_event = True, True, None
        self._progress.end()
        self.events += self._files.new()

    def _raise(self):
        if self._error is not None:
            raise self._error

    # Results.

    @property
    def history(self):
        """Loss, metrics, rate, seconds, rounds and bytes of each epoch: a frame of pandas, or a list without pandas."""
        rows = history_of([*self._earlier, *self.events])
        try:
            import pandas
        except ImportError:
            return rows
        return pandas.DataFrame(rows).set_index("epoch") if rows else pandas.DataFrame()

    @property
    def summary(self):
        """The summary of each rank, as in its folder."""
        return [json.loads(path.read_text()) for path in _by_rank(self.folder, "summary.json")]

    @property
    def metrics(self):
        """The last value of each metric that was revealed to a rank of this run, by its name."""
        return {reading["what"]: reading["value"] for rank in reversed(self.summary) for reading in rank.get("readings", [])}

    @property
    def privacy(self):
        """Epsilon by adversary, infinite if nothing holds; None if the job has no [privacy]."""
        account = next((rank["privacy"] for rank in self.summary if "privacy" in rank), None)
        if account is None:
            return None
        return {one["who"]: math.inf if one["epsilon"] is None else one["epsilon"] for one in account["adversaries"]}

    @property
    def report(self):
        """The page about the run. Tacit makes it when the run ends."""
        path = self.folder / "report.html"
        if not path.exists():
            _program.call("report", self.folder, "--output", path)
        return path

    def plot(self):
        """A figure of matplotlib with the loss, the metrics, and the bytes of each epoch."""
        from tacit._events import figure_of
        return figure_of(history_of([*self._earlier, *self.events]), self.job.name)

    def model(self):
        """The model as a function, if the job reveals it."""
        from tacit._model import load_model
        return load_model(self.folder)

    def predict(self, data=None, *, to=None, who=None, probabilities=False):
        """Predictions by the model of the checkpoints, which stays on shares.

        ``data``  the parts of other data in the order of ranks, or a whole graph, which is split here; by default the
                  training's own nodes
        ``to``    the rank that sees the predictions, or "everyone"; by default as the job says
        ``who``   the nodes to predict, by id, or by number if they have no ids; by default all. Predictions come in the order of ``who``

        Returns the targets of each node, or the number of its class; with ``probabilities`` also the probability of each
        class. With T snapshots the arrays have the shape (T, nodes) or (T, nodes, k).
        """
        self.wait()
        to = self.job.settings["reveal"]["predictions"] if to is None else to
        if to == "nobody":
            raise ConfigError("predict: the job reveals predictions to nobody; expected to=RANK, or to=\"everyone\"")
        sets = ["--set", f"reveal.predictions={json.dumps(to)}"]
        if probabilities:
            sets += ["--set", f"reveal.probabilities={json.dumps(to)}"]
        lock = _lock(self.folder)
        try:
            with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
                options = _data_options(data, self.job, pathlib.Path(folder))
                if who is not None:
                    who = _expect_nodes(who)
                    names = pathlib.Path(folder) / "who.txt"
                    names.write_text("".join(f"{one}\n" for one in who), encoding="utf-8")
                    options += ["--who", names]
                _finish(_Process(["launch", _own(self.folder) / "job.toml", "--predict", "--output", self.folder, *sets,
                                  *options], self.folder, "predict", lock))
        finally:
            os.close(lock)
        path = self.folder / f"rank{0 if to == 'everyone' else to}" / "predictions.npz"
        with numpy.load(path) as file:
            order = _order_of(who, file, path.with_suffix(".csv"))
            if not probabilities:
                return file["predictions"][order]
            return file["predictions"][order], file["probabilities"][order]

    def __repr__(self):
        last = max((row["epoch"] for row in history_of([*self._earlier, *self.events])), default=0)
        state = ("running" if not self._poll() else "closed" if self._closed else "failed" if self._error is not None else
                 "ended")
        return f"<tacit.Run {self.job.name}: {state}, {last} epochs, in {self.folder}>"

    def _repr_html_(self):
        if not self._poll() or not (self.folder / "report.html").exists():
            return f"<pre>{html.escape(repr(self))}</pre>"
        page = html.escape(self.report.read_text("utf-8"), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'


def _finish(process):
    try:
        while not process.ended():
            time.sleep(0.01)
    except BaseException:
        process.end()
        raise
    _program.forget(process.child)
    error = process.error()
    if error is not None:
        raise error


def _own(folder):
    return pathlib.Path(folder) / _OUR_FOLDER


def _by_rank(folder, name):
    return sorted(folder.glob(f"rank*/{name}"), key=lambda path: int(re.sub(r"\D", "", path.parent.name) or 0))


def _folder_of(job, output):
    output = output if output is not None else job.tables.get("output")
    if output:
        return pathlib.Path(output).absolute()
    name, number = re.sub(r"[^\w.-]+", "-", job.name).strip(".-") or "run", 1
    while True:
        folder = pathlib.Path("runs", name if number == 1 else f"{name}-{number}").absolute()
        try:
            make_folder(folder.parent)
            folder.mkdir(0o755)
            return folder
        except FileExistsError:
            number += 1


def _lock(folder):
    """A lock that the command holds, too, until it ends. Refuses a folder in which a run is under way."""
    own = _own(folder)
    try:
        make_folder(own, 0o700)
        own.chmod(0o700)
        lock = os.open(own / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ConfigError(f"{own}: cannot be written: {error.strerror}; expected a folder for the run's results") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise ConfigError(f"{folder}: another run writes in this folder; expected a folder of one run: wait for its end, or "
                          f"name another output") from None
    return lock


def _expect_unfinished(folder):
    for path in _by_rank(folder, "summary.json"):
        try:
            result = json.loads(path.read_text()).get("result")
        except (OSError, ValueError):
            continue
        if result == "finished":
            raise ConfigError(f"{path.parent} holds the results of a run that has finished; expected a folder without: name "
                              f"another output, or say afresh=True, which moves this one aside; resume=True trains on if "
                              f"the job has more epochs")


def _snapshot(job, parts, folder):
    own = _own(folder)
    if parts is not None:
        job = job.replace(data={"files": save_parts(parts, job, own / "parts")})
    job.save(own / "job.toml")
    return job


def _way_on(job, call):
    if (job.settings.get("checkpoints") or {}).get("every"):
        return "to go on: " + call.format("resume=True")
    return "the job keeps no checkpoints; to begin anew: " + call.format("afresh=True")


def _machine_options(threads, device):
    return [*([] if threads is None else ["--threads", threads]), *([] if device is None else ["--device", device])]


def _host_options(hosts, ssh, folder):
    if hosts is None:
        if ssh is not None:
            raise ConfigError("launch: ssh is given without hosts; expected the hosts of all ranks, too")
        return []
    if not isinstance(hosts, (str, os.PathLike)):
        file = _own(folder) / "hosts"
        file.write_text("".join(f"{line}\n" for line in hosts), encoding="utf-8")
        hosts = file
    return ["--hosts", hosts, *([] if ssh is None else ["--ssh", ssh])]


def _expect_nodes(who):
    who = [who] if isinstance(who, str) or not hasattr(who, "__iter__") else list(who)
    if not who:
        raise ConfigError("predict: who names no node; expected numbers or ids of nodes, or no who for all nodes")
    names = [str(one).strip() for one in who]
    for name in names:  # a list of nodes in a file has a line for each, and comments
        if not name or "\n" in name or re.search(r"(^|\s)#", name):
            raise ConfigError(f"predict: the id {name!r} in who cannot stand in a list of nodes, one on a line, with comments after #; "
                              f"predict all nodes, or give it another id in the data")
    return names


def _order_of(who, file, table):
    """The rows of the predictions in the order of ``who``. With T snapshots: T rows of them, one for each snapshot."""
    if "snapshots" not in file.files:
        return slice(None) if who is None else _rows_of(who, file, table)
    rows = numpy.arange(len(file["snapshots"])) if who is None else _rows_of(who, file, table)
    return rows.reshape(-1, len(numpy.unique(file["snapshots"]))).T  # the file has all snapshots of a node, then the next node


def _rows_of(who, file, table):
    """The rows of the predictions in the order of ``who``. The files have them by the nodes' numbers, each once."""
    key = next(key for key in ("pairs", "nodes", "graphs") if key in file.files)
    rows = {}
    for row, number in enumerate(file[key]):  # a node of several snapshots has a row for each
        rows.setdefault(str(number), []).append(row)
    with open(table, newline="", encoding="utf-8") as lines:
        ids = {}
        for row, line in enumerate(csv.DictReader(lines)):
            if line.get("id"):
                ids.setdefault(line["id"], []).append(row)
    names = {**rows, **ids}  # a name that is an id and a number is the id
    found = [names.get(one) or rows[str(int(one))] for one in who]
    return numpy.concatenate(found)


def _data_options(data, job, folder):
    if data is None:
        return []
    if isinstance(data, Graph):
        data = data.split(job, predict=True)
    data = list(data)
    if job.parties is not None and len(data) != job.parties and all(isinstance(part, Graph) for part in data):
        raise ConfigError(f"predict: there are {len(data)} parts; expected {job.parties}, one for each party of the job, or a "
                          f"whole graph")
    for number, part in enumerate(data):
        if not isinstance(part, Graph):
            raise ConfigError(f"predict: part {number} is of the type {type(part).__name__}; expected a tacit.Graph")
        part.save(folder / f"rank{number if part.rank is None else part.rank}.npz")
    return ["--data", folder / "rank{rank}.npz"]
