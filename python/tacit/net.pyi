from os import PathLike
from types import TracebackType
from typing import Any, Iterable, Sequence, TypedDict

import numpy
from numpy.typing import ArrayLike, NDArray

class Traffic(TypedDict):
    rounds: int
    bytes_sent: int
    bytes_received: int
    messages_sent: int
    wire_bytes_sent: int
    wire_bytes_received: int

class Times(TypedDict):
    communicating: float
    hidden: float

def from_env(
    key: str | PathLike[str] | None = None,
    roster: str | PathLike[str] | None = None,
    *,
    deadline: float = 600.0,
    patience: float = 600.0,
) -> Mesh: ...
def in_memory(parties: int, *, patience: float = 600.0, record: bool = False) -> list[Mesh]: ...

class Mesh:
    rank: int
    parties: int
    def __enter__(self) -> Mesh: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def close(self) -> None: ...
    def traffic(self) -> Traffic: ...
    def view(self) -> list[tuple[int, str, NDArray[numpy.uint8]]]: ...
    def barrier(self) -> None: ...
    def all_reduce(self, array: ArrayLike) -> NDArray[Any]: ...
    def secure_sum(self, array: ArrayLike, bound: float = 1024.0) -> NDArray[Any]: ...
    def broadcast(self, array: ArrayLike | None = None, root: int = 0) -> NDArray[Any]: ...
    def gather(self, array: ArrayLike, root: int = 0) -> list[NDArray[Any]] | None: ...
    def gradients(
        self,
        shapes: Iterable[int | Sequence[int]],
        *,
        bucket_mb: float = 25.0,
        secure: bool = False,
        fraction_bits: int = 22,
        names: Iterable[str] = (),
    ) -> Gradients: ...

class Gradients:
    shapes: list[tuple[int, ...]]
    def ready(self, parameter: int, gradient: ArrayLike) -> None: ...
    def finish(self) -> None: ...
    def mean(self, parameter: int) -> NDArray[numpy.float32]: ...
    def times(self) -> Times: ...
    def close(self) -> None: ...
