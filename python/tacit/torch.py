"""Data-parallel training with PyTorch between parties, in which nobody sees another's gradient.

    with tacit.net.from_env() as mesh:
        tacit.torch.synchronise(model, mesh)
        for x, y in batches:
            optimiser.zero_grad()
            loss(model(x), y).backward()    # leaves the mean of all parties' gradients in .grad
            optimiser.step()
"""

import numpy

from tacit.errors import ConfigError

try:
    import torch
except ImportError as error:
    raise ImportError(f"tacit.torch needs PyTorch (Debian: apt-get install python3-torch): {error}") from error

__all__ = ["Synchronised", "synchronise"]


def synchronise(model, mesh, bucket_mb=25.0, secure=True, fraction_bits=22, clip=None, noise=None):
    """From here on, each backward pass leaves the mean of all parties' gradients in the parameters' ``grad``.

    All parties call it at the same time, with models of one shape; all models get the parameters and buffers of rank 0. The
    gradients of a bucket leave while the backward pass computes the next bucket's gradients.

    ``secure``  gradients leave their party under masks that cancel in the sum. A coalition of parties also learns the sum
                of the other parties' gradients; with two parties, this is the other's gradient. The sum itself tells
                something of the data, unless there is noise
    ``clip``    the largest length (L2 norm) of this party's gradient of a backward pass, over all parameters together
    ``noise``   Gaussian noise in the sum of the parties' gradients: its deviation in each element is noise * clip

    **Privacy by noise.** The unit is a party: ``Synchronised.epsilon`` bounds what the trained model tells of whether a party
    took part, with all its batches. The gradient of a whole batch is clipped once, and no example by itself. With few
    parties this is a lot of noise: its length in a model of d elements is about noise * sqrt(d), measured in the largest
    contribution of a party. Each backward pass is a step of the account. The noise is from the operating system's secure
    generator, not from torch's, so ``torch.manual_seed`` does not repeat it. A coalition of c of n parties knows its own part
    of the noise: noise * sqrt((n - c) / n) is left. Not hidden: the parameters and buffers of rank 0 at the beginning, and
    losses or metrics that a program shares.

    ``tacit.net.Mesh.gradients`` describes the other arguments, and how the noise is drawn.
    """
    return Synchronised(model, mesh, bucket_mb, secure, fraction_bits, clip, noise)


class Synchronised:
    """The hooks of a model. ``synchronise`` makes them, ``close`` removes them."""

    def __init__(self, model, mesh, bucket_mb, secure, fraction_bits, clip=None, noise=None):
        named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
        if not named:
            raise ConfigError("synchronise: the model has no parameter with requires_grad; expected at least one")
        for name, tensor in model.state_dict().items():
            if tensor.device.type != "cpu":
                raise ConfigError(f"synchronise: {name} is on the device {tensor.device}; expected a model on the CPU: "
                                  f"model.cpu()")
            if tensor.dtype == torch.bfloat16:
                raise ConfigError(f"synchronise: {name} has the type {tensor.dtype}; expected one that numpy has: "
                                  f"model.float()")
        named.reverse()  # the backward pass finishes the last layer first
        self._parameters = [parameter for _, parameter in named]
        self._sums = mesh.gradients([tuple(parameter.shape) or (1,) for parameter in self._parameters],
                                    bucket_mb=bucket_mb, secure=secure, fraction_bits=fraction_bits,
                                    names=[name for name, _ in named], clip=clip, noise=noise)
        self._ready = set()  # in a step: the parameters that have a gradient here
        _take_over(model, mesh)
        self._hooks = [parameter.register_hook(self._hook(number)) for number, parameter in enumerate(self._parameters)]

    def epsilon(self, delta, steps=None):
        """How much the model tells of a party after ``steps`` backward passes, by adversary: ``tacit.net.Gradients.epsilon``."""
        return self._sums.epsilon(delta, steps)

    def close(self):
        """Removes the hooks: a backward pass leaves this party's own gradients again."""
        for hook in self._hooks:
            hook.remove()
        self._hooks = []
        self._sums.close()

    def _hook(self, number):
        def ready(gradient):
            if not self._ready:
                torch.autograd.Variable._execution_engine.queue_callback(self._finish)  # when the backward pass ends
            self._ready.add(number)
            self._sums.ready(number, gradient.detach().to(torch.float32).reshape(self._sums.shapes[number]).numpy())
            # autograd adds nothing of this party: grad keeps its value from before the pass, which is the same at all
            # ranks
            return gradient.new_zeros(()).expand_as(gradient)

        return ready

    def _finish(self):
        ready, self._ready = self._ready, set()
        for number in range(len(self._parameters)):
            if number not in ready:  # without a gradient here; others may have one
                self._sums.ready(number, numpy.zeros(self._sums.shapes[number], numpy.float32))
        self._sums.finish()
        with torch.no_grad():
            for number, parameter in enumerate(self._parameters):
                mean = torch.from_numpy(self._sums.mean(number)).reshape(parameter.shape).to(parameter.dtype)
                if parameter.grad is None:
                    parameter.grad = mean
                else:
                    parameter.grad.add_(mean)


def _take_over(model, mesh):
    """Parameters and buffers of rank 0, as bytes."""
    state = {name: tensor.detach().contiguous() for name, tensor in model.state_dict().items()}
    own = numpy.concatenate([_bytes_of(tensor) for tensor in state.values()])
    sent = mesh.broadcast(own)
    if sent.size != own.size:
        raise ConfigError(f"synchronise: rank 0's model has {sent.size} bytes, and this one {own.size}; expected one model")
    begin = 0
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            end = begin + state[name].numel() * state[name].element_size()
            tensor.copy_(torch.frombuffer(sent[begin:end].copy(), dtype=tensor.dtype).reshape(tensor.shape))
            begin = end


def _bytes_of(tensor):
    return numpy.frombuffer(tensor.reshape(-1).numpy().tobytes(), numpy.uint8)
