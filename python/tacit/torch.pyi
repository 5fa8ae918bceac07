import torch

from tacit.net import Mesh

def synchronise(
    model: torch.nn.Module,
    mesh: Mesh,
    bucket_mb: float = 25.0,
    secure: bool = True,
    fraction_bits: int = 22,
) -> Synchronised: ...

class Synchronised:
    def __init__(
        self, model: torch.nn.Module, mesh: Mesh, bucket_mb: float, secure: bool, fraction_bits: int
    ) -> None: ...
    def close(self) -> None: ...
