from os import PathLike
from typing import Any, Sequence

from tacit._graph import Graph
from tacit._job import Job

def plan(
    job: Job | str | PathLike[str],
    parts: Sequence[Graph | str | PathLike[str]] | None = None,
    *,
    graph: Graph | None = None,
    rtt: float | None = None,
    bandwidth: float | None = None,
    predict: bool = False,
) -> Plan: ...

class Plan:
    json: dict[str, Any]
    def __init__(self, answer: dict[str, Any]) -> None: ...
    @property
    def exact(self) -> bool: ...
    @property
    def phases(self) -> list[dict[str, Any]]: ...
    @property
    def rounds(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def seconds(self) -> dict[str, float]: ...
    @property
    def leakage(self) -> float | None: ...
    @property
    def memory(self) -> dict[str, int]: ...
    @property
    def reveals(self) -> list[dict[str, Any]]: ...
    @property
    def frame(self) -> Any: ...
