from os import PathLike
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Literal, Sequence

import numpy as np

from tacit._graph import Graph
from tacit._job import Job
from tacit._model import Model

_Path = str | PathLike[str]
_Event = dict[str, Any]

def launch(
    job: Job | _Path,
    parts: Sequence[Graph | _Path] | None = None,
    hosts: _Path | Sequence[str] | None = None,
    *,
    output: _Path | None = None,
    resume: bool = False,
    afresh: bool = False,
    restarts: int = 0,
    threads: int | None = None,
    device: str | None = None,
    plain: bool = False,
    ssh: str | None = None,
    on_event: Callable[[_Event], object] | None = None,
    progress: bool | None = None,
) -> Run: ...
def train(
    job: Job | _Path,
    part: Graph | _Path | None = None,
    *,
    rank: int | None = None,
    key: _Path | None = None,
    master: str | None = None,
    output: _Path | None = None,
    deadline: float | None = None,
    threads: int | None = None,
    device: str | None = None,
    resume: bool = False,
    afresh: bool = False,
    on_event: Callable[[_Event], object] | None = None,
    progress: bool | None = None,
) -> Run: ...

class Run:
    job: Job
    folder: Path
    events: list[_Event]
    def __init__(
        self,
        job: Job,
        folder: _Path,
        process: Any = None,
        files: Any = None,
        earlier: Iterable[_Event] = (),
        on_event: Callable[[_Event], object] | None = None,
        progress: bool | None = None,
        again: str = '',
    ) -> None: ...
    @classmethod
    def open(cls, folder: _Path) -> Run: ...
    def __iter__(self) -> Iterator[_Event]: ...
    def __enter__(self) -> Run: ...
    def __exit__(self, kind: Any, error: Any, trace: Any) -> None: ...
    def wait(self) -> Run: ...
    @property
    def running(self) -> bool: ...
    def close(self) -> None: ...
    @property
    def history(self) -> Any: ...
    @property
    def summary(self) -> list[dict[str, Any]]: ...
    @property
    def metrics(self) -> dict[str, float]: ...
    @property
    def privacy(self) -> dict[str, float] | None: ...
    @property
    def report(self) -> Path: ...
    def plot(self) -> Any: ...
    def model(self) -> Model: ...
    def predict(
        self,
        data: Graph | Sequence[Graph] | None = None,
        *,
        to: int | Literal["everyone"] | None = None,
        who: Iterable[int | str] | None = None,
        probabilities: bool = False,
    ) -> Any: ...
