"""A job: the owners of the data, the model, the training, and the audience of each revealed value."""

import os
import pathlib
import tempfile
import tomllib

from tacit import _program, _toml
from tacit.errors import ConfigError

__all__ = ["Job"]

# Settings that are paths. In a file they start at the file's folder, in Python at the current folder.
PATHS = ("roster", "output", "data.files", "privacy.ledger", "predict.files", "predict.nodes", "serve.socket", "serve.folder",
         "keys.identity", "keys.storage")


class Job:
    """A job from keyword tables, as a job file has them. A job never changes: ``replace`` makes another one.

        job = tacit.Job(name="sensors", parties=3, correlations="dealer",
                        data={"features": "columns", "edges": "rank 1", "labels": "rank 2", "masks": "public"},
                        model={"gcn": {"hidden": 16}}, training={"epochs": 200})

    The command checks the job at once: a wrong key or value is a ``tacit.ConfigError`` with the command's sentence.
    ``tacit settings``, or docs/job-file.md, lists all settings.
    """

    __slots__ = ("_tables", "_resolved")

    def __init__(self, **tables):
        self._take(_absolute(_toml.plain(tables, ""), pathlib.Path.cwd()))

    @classmethod
    def read(cls, path):
        """The job of a TOML file. Paths in the file start at the file's folder."""
        path = pathlib.Path(path)
        resolved = _checked(path)
        job = cls.__new__(cls)
        with open(path, "rb") as file:
            tables = tomllib.load(file)
        object.__setattr__(job, "_tables", _absolute(tables, path.resolve().parent))
        object.__setattr__(job, "_resolved", resolved)
        return job

    def replace(self, **tables):
        """A copy with other settings. The keys of a table are merged: ``replace(training={"epochs": 5})`` keeps the loss.

        ``model`` is replaced as a whole. ``None`` takes a key or a table out.
        """
        merged = dict(self._tables)
        for key, value in tables.items():
            old = merged.get(key)
            if value is None:
                merged.pop(key, None)
            elif isinstance(old, dict) and hasattr(value, "items") and key != "model":
                merged[key] = {**old, **value}
            else:
                merged[key] = value
        return Job(**merged)

    def _take(self, tables):
        object.__setattr__(self, "_tables", tables)
        with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
            file = pathlib.Path(folder) / "job.toml"
            file.write_text(self.text, encoding="utf-8")
            object.__setattr__(self, "_resolved", _checked(file, hidden=True))

    def __setattr__(self, name, value):
        raise AttributeError(f"a job never changes; expected a copy with the new value: job = job.replace({name}=...)")

    def __delattr__(self, name):
        raise AttributeError(f"a job never changes; expected a copy without it: job = job.replace({name}=None)")

    @property
    def name(self):
        """The job's name."""
        return self._resolved["name"]

    @property
    def parties(self):
        """The number of parties, the dealer not counted, or None if the roster states it."""
        return self._resolved.get("parties")

    @property
    def text(self):
        """The job as TOML."""
        return _toml.dumps(self._tables)

    @property
    def tables(self):
        """A copy of the given settings, without defaults."""
        return _toml.plain(self._tables, "")

    @property
    def settings(self):
        """A copy of all settings, with every default."""
        return _toml.plain(self._resolved, "")

    def save(self, path):
        """Writes the job as a TOML file, for the command."""
        pathlib.Path(path).write_text(self.text, encoding="utf-8")

    def __repr__(self):
        return "Job(" + ", ".join(f"{key}={value!r}" for key, value in self._tables.items()) + ")"

    def __eq__(self, other):
        return self._tables == other._tables if isinstance(other, Job) else NotImplemented

    def __hash__(self):
        return hash(self.text)

    def __reduce__(self):
        return _from_tables, (self._tables,)


def _from_tables(tables):
    return Job(**tables)


def _checked(file, hidden=False):
    """All settings of a job file with every default, by the command that reads it."""
    text = _program.call("settings", "--job", file, hidden=[file] if hidden else ())["job"]
    return tomllib.loads(text)


def _absolute(tables, folder):
    """Paths from ``folder`` on as absolute ones."""
    def whole(value):
        if isinstance(value, list):
            return [whole(one) for one in value]
        return os.path.normpath(folder / value) if isinstance(value, str) and value else value

    for name in PATHS:
        table, _, key = name.rpartition(".")
        inside = tables.get(table) if table else tables
        if isinstance(inside, dict) and key in inside:
            inside[key] = whole(inside[key])
    return tables


def expect_job(job):
    """``job`` itself, or the job of a path."""
    if isinstance(job, Job):
        return job
    if isinstance(job, (str, os.PathLike)):
        return Job.read(job)
    raise ConfigError(f"the job is of the type {type(job).__name__}; expected a tacit.Job, or the path of a job file")


class JobFile:
    """A temporary file with a job, for the time of a ``with`` statement."""

    def __init__(self, job, **tables):
        self._job = expect_job(job)
        if tables:
            self._job = self._job.replace(**tables)

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="tacit-")
        self.path = pathlib.Path(self._folder.name) / "job.toml"
        self._job.save(self.path)
        return self

    def __exit__(self, *_):
        self._folder.cleanup()
