import torch

from tacit.net import Mesh

def synchronise(
    model: torch.nn.Module,
    mesh: Mesh,
    bucket_mb: float = 25.0,
    secure: bool = True,
    fraction_bits: int = 22,
    clip: float | None = None,
    noise: float | None = None,
) -> Synchronised: ...

class Synchronised:
    def __init__(
        self,
        model: torch.nn.Module,
        mesh: Mesh,
        bucket_mb: float,
        secure: bool,
        fraction_bits: int,
        clip: float | None = None,
        noise: float | None = None,
    ) -> None: ...
    def epsilon(self, delta: float, steps: int | None = None) -> dict[str, float]: ...
    def close(self) -> None: ...
