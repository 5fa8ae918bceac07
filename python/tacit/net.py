"""Sums over the parties for any trainer, over TLS with keys pinned to ranks. No dealer is needed.

    mesh = tacit.net.from_env()             # RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT, as torchrun sets them
    with mesh:
        total = mesh.secure_sum(gradient, bound=8)     # only the sum is opened

All parties make the same calls in the same order. Each call first compares the calls of all ranks, in one round of 128 bytes
to each, so that a rank with another shape or another call is named at every rank.
"""

import math
import os
import struct
import weakref

import numpy

from tacit import _arrays, _core
from tacit.errors import ConfigError, ProtocolError

__all__ = ["Gradients", "Mesh", "from_env", "in_memory"]

_CALLS = ("all_reduce", "secure_sum", "broadcast", "gather", "barrier", "gradients")
_TYPES = ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8")
_NO_ARRAY = len(_TYPES)
_MOST_DIMENSIONS = 8
_MOST_BYTES = 2**36  # of an array that a peer announces
_WORD_BITS = 62  # of a sum: a sign and a spare bit stay free
_MOST_SHIFT = 1200  # beyond every exponent of a float


def from_env(key=None, roster=None, *, deadline=600.0, patience=600.0):
    """Joins the mesh of the rank that RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT name.

    From then on this process writes no core file, and no other process of its user may read its memory; a debugger cannot attach.

    ``key``       the file of this rank's key (``tacit keys new``); by default $TACIT_KEY
    ``roster``    the file with the public keys of all ranks (``tacit keys roster``); by default $TACIT_ROSTER
    ``deadline``  seconds until all ranks must be there. After Ctrl-C, up to three seconds go to telling the others
    ``patience``  seconds for which a rank may be alive and send nothing
    """
    files = []
    for what, given, variable in (("key", key, "TACIT_KEY"), ("roster", roster, "TACIT_ROSTER")):
        path = given if given is not None else os.environ.get(variable)
        if not path:
            raise ConfigError(f"from_env: no {what} is named; expected a file: from_env({what}=...), or {variable} in the "
                              f"environment (tacit keys --help)")
        files.append(os.fspath(path))
    return Mesh(_core.join(*files, _arrays.positive_number(deadline, "from_env: deadline", 1e6),
                           _arrays.positive_number(patience, "from_env: patience", 1e6)))


def in_memory(parties, *, patience=600.0, record=False):
    """A mesh for each of so many threads of this process, to try a program without keys. ``record``: for ``Mesh.view``."""
    parties = _arrays.whole_number(parties, "in_memory: parties", 1, 64)
    patience = _arrays.positive_number(patience, "in_memory: patience", 1e6)
    return [Mesh(core) for core in _core.in_memory(parties, patience, bool(record))]


def _end(core):
    if core.is_here():
        core.abort("the rank's program ended without closing the mesh", False)


class Mesh:
    """This party's end of the mesh. Use it in a ``with`` statement: an exception there ends the run at every rank."""

    def __init__(self, core):
        self._core = core
        self._gradients = weakref.WeakSet()
        self.rank = core.rank
        self.parties = core.parties
        weakref.finalize(self, _end, core)

    def __repr__(self):
        return f"<tacit.net.Mesh: rank {self.rank} of {self.parties}>"

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.close()
        elif self._core.is_here():
            # Other ranks read it: the kind of the exception, and its text only if they have found the same.
            known = getattr(error, "of_all_ranks", False)
            self._core.abort(str(error) if known else f"its program raised {kind.__name__}", known)

    def close(self):
        """Says goodbye: every message of every rank has arrived."""
        for gradients in list(self._gradients):
            gradients.close()
        self._core.close()

    def traffic(self):
        """Rounds, and bytes and messages in both directions, since the mesh was opened."""
        return self._core.traffic()

    def view(self):
        """Every message that this rank has received: (sender, step, bytes). Only ``in_memory(..., record=True)`` keeps it."""
        return [(sender, step, numpy.frombuffer(data, numpy.uint8)) for sender, step, data in self._core.view()]

    # Every call of every rank has a header of 16 numbers: the call, its root, the array's type and shape, and three parameters.

    def _compared(self, call, root=0, array=None, parameter=0, alike=True, second=0, third=0):
        """Exchanges headers and returns the headers of all ranks. ``alike``: all arrays must have one type and shape."""
        if array is not None and array.ndim > _MOST_DIMENSIONS:
            raise ConfigError(f"{call}: the array has {array.ndim} dimensions; expected at most {_MOST_DIMENSIONS}")
        type_number = _NO_ARRAY if array is None else _TYPES.index(array.dtype.str)
        shape = () if array is None else array.shape
        own = [_CALLS.index(call), root, type_number, len(shape), *shape, *[0] * (_MOST_DIMENSIONS - len(shape)), parameter,
               second, third, 0]
        headers = self._core.exchange(own)
        for rank, header in enumerate(headers):
            called, its_root = header[0], header[1]
            if not 0 <= called < len(_CALLS) or not 0 <= its_root < self.parties:
                raise ProtocolError(f"{call}: rank {rank} sent a malformed header; check that all ranks run the same version")
            if called != headers[0][0]:
                raise _difference(f"{call}: rank {rank} called {_CALLS[called]}, and rank 0 {_CALLS[headers[0][0]]}; expected "
                                  f"the same calls in the same order at every rank")
            if its_root != headers[0][1]:
                raise _difference(f"{call}: rank {rank} has root={its_root}, and rank 0 root={headers[0][1]}; expected the "
                                  f"same root at every rank")
            if alike and header[2:12] != headers[0][2:12]:
                raise _difference(f"{call}: rank {rank} has {_described(header, rank)}, and rank 0 "
                                  f"{_described(headers[0], 0)}; "
                                  f"expected arrays of one type and shape at every rank")
        return headers

    def barrier(self):
        """Returns after every party has called it."""
        self._compared("barrier")

    def all_reduce(self, array):
        """The sum of all parties' arrays, at every party, with equal bits. For secrets, take ``secure_sum``.

        Floats are added as whole numbers of a unit below 2**-50 of the largest element, so the order of the parties does
        not matter. Integers are added exactly, as int64.
        """
        return self._sum("all_reduce", _plain(array, "all_reduce"))

    def secure_sum(self, array, bound=1024.0):
        """The sum of all parties' arrays, at every party. Nothing else is opened: an array leaves its party under masks.

        ``bound`` is public and equal at every rank: no element is larger. The sum is exact to 2**-50 of the bound. A
        coalition of parties also learns the sum of the other parties' arrays; with two parties, this is the other's array.
        """
        array = _plain(array, "secure_sum")
        bound = _arrays.positive_number(bound, "secure_sum: bound", 2.0**40)
        _arrays.within(array, bound, "secure_sum", "clip it, or declare a larger one at every rank: "
                                                   "secure_sum(array, bound=...)")
        return self._sum("secure_sum", array, bound)

    def _sum(self, call, array, bound=None):
        is_float = array.dtype.kind == "f"
        numbers = array.astype(numpy.float64 if is_float else numpy.int64)
        if not is_float and not (numbers == array).all():
            raise ConfigError(f"{call}: an element is larger than a whole number of 64 bits; expected smaller ones: pass "
                              f"floats")
        size = _bits(numpy.abs(numbers.astype(numpy.float64)).max()) if bound is None else _as_integer(bound)
        headers = self._compared(call, array=array, parameter=size)
        sizes = [header[12] for header in headers]
        if bound is None:
            size = max(sizes)
        elif any(other != size for other in sizes):
            rank = next(rank for rank, other in enumerate(sizes) if other != sizes[0])
            raise _difference(f"{call}: rank {rank} has bound={_as_float(sizes[rank]):g}, and rank 0 "
                              f"bound={_as_float(sizes[0]):g}; expected the same bound at every rank")
        else:
            size = _bits(bound)
        terms = (self.parties - 1).bit_length()
        if is_float:
            shift = max(-_MOST_SHIFT, min(_WORD_BITS - terms - size, _MOST_SHIFT))
            words = numpy.rint(numpy.ldexp(numbers, shift)).astype(numpy.int64)
        elif size + terms > _WORD_BITS:
            raise ConfigError(f"{call}: the sum of {self.parties} arrays could leave the 64 bits of a whole number; expected "
                              f"smaller ones: pass floats")
        else:
            words = numbers
        total = self._core.sum(words.reshape(-1), call == "secure_sum").reshape(array.shape)
        if not is_float:
            return total
        return numpy.ldexp(total.astype(numpy.float64), -shift).astype(numpy.float64 if array.dtype == "f8" else "f4")

    def broadcast(self, array=None, root=0):
        """The root's array, at every party. Other ranks need not pass one."""
        root = _arrays.whole_number(root, "broadcast: root", 0, self.parties - 1)
        own = _plain(array, "broadcast") if self.rank == root else None
        headers = self._compared("broadcast", root, own, alike=False)
        dtype, shape = _announced(headers[root], "broadcast", root)
        data = own.tobytes() if own is not None else bytes(dtype.itemsize * math.prod(shape))
        return numpy.frombuffer(bytearray(self._core.broadcast(data, root)), dtype).reshape(shape)

    def gather(self, array, root=0):
        """The list of all parties' arrays, by rank, at the root. Other ranks get None. Shapes may differ."""
        root = _arrays.whole_number(root, "gather: root", 0, self.parties - 1)
        own = _plain(array, "gather")
        headers = self._compared("gather", root, own, alike=False)
        announced = [_announced(header, "gather", rank) for rank, header in enumerate(headers)]
        sizes = [dtype.itemsize * math.prod(shape) for dtype, shape in announced]
        parts = self._core.gather(own.tobytes(), sizes, root)
        if self.rank != root:
            return None
        return [numpy.frombuffer(bytearray(part), dtype).reshape(shape) for part, (dtype, shape) in zip(parts, announced)]

    def gradients(self, shapes, *, bucket_mb=25.0, secure=False, fraction_bits=22, names=(), clip=None, noise=None):
        """A sum of gradients that travels during the backward pass. All parties call it at the same time.

        ``shapes``         the parameters' shapes, in the order in which the backward pass finishes them: the last layer first
        ``bucket_mb``      the size of a bucket in MB. A full bucket leaves as soon as all earlier buckets have left
        ``secure``         words leave under masks that cancel in the sum
        ``fraction_bits``  fraction bits in a gradient's word of 32 bits: the range is 2**(31 - fraction_bits) / parties
        ``clip``           the largest length (L2 norm) of this party's gradient of a step, over all parameters together. A
                           longer one is scaled down. Gradients then leave in ``finish``, not during the backward pass
        ``noise``          Gaussian noise in the sum with a deviation of noise * clip in each element (in the mean, divided by
                           ``parties``). Needs ``secure`` and ``clip``

        **What the noise hides**: whether a party took part, in one step and in the whole training (``Gradients.epsilon``).
        A party counts as a whole: a step may use a batch of any size, and its gradient is clipped once. Examples are not
        clipped each; for privacy by record, train a job with [privacy].

        Every party adds a discrete Gaussian of deviation noise * clip / sqrt(parties) to whole units of its clipped gradient,
        from the operating system's secure generator; seeds of torch and numpy have no part in it. Parties that pool their
        knowledge subtract their own noise: of n parties, c leave noise * sqrt((n - c) / n). Parties are trusted to follow
        the program: no proof shows that their noise is in the sum.
        """
        shapes = [tuple(_arrays.whole_number(extent, f"gradients: shapes[{i}]", 1, 2**31 - 1)
                        for extent in (shape if numpy.ndim(shape) else (shape,))) for i, shape in enumerate(shapes)]
        if not shapes:
            raise ConfigError("gradients: expected the shapes of one parameter or more")
        bucket_bytes = int(_arrays.positive_number(bucket_mb, "gradients: bucket_mb", 1e6) * 1e6)
        fraction_bits = _arrays.whole_number(fraction_bits, "gradients: fraction_bits", 0, 30)
        clip = 0.0 if clip is None else _arrays.positive_number(clip, "gradients: clip", 1e6)
        noise = 0.0 if noise is None else _arrays.positive_number(noise, "gradients: noise", 1e6)
        if noise and not clip:
            raise ConfigError(f"gradients: noise={noise:g} is given without clip; expected clip=..., the largest length of a "
                              f"party's gradient: noise is a multiple of clip")
        if noise and not secure:
            raise ConfigError(f"gradients: noise={noise:g} is given without secure=True; expected it: other parties would see "
                              f"this party's gradient under its own part of the noise alone")
        self._same_everywhere(clip, noise, bool(secure))
        names = [str(name) for name in names]
        core = _core.gradients(self._core, [math.prod(shape) for shape in shapes], max(bucket_bytes, 8), bool(secure),
                               fraction_bits, names, clip, noise)
        made = Gradients(core, shapes, names, clips=clip > 0)
        self._gradients.add(made)
        return made

    def _same_everywhere(self, clip, noise, secure):
        """Refuses different settings. Clipping and noise of another size at one party would not fit the account, and a party
        with masks would wait for the seeds of a party without masks."""
        headers = self._compared("gradients", parameter=_as_integer(clip), second=_as_integer(noise), third=int(secure))
        for what, place in (("clip", 12), ("noise", 13), ("secure", 14)):
            for rank, header in enumerate(headers):
                if header[place] != headers[0][place]:
                    read = bool if what == "secure" else lambda number: _as_float(number) or None
                    own, first = (read(one[place]) for one in (header, headers[0]))
                    raise _difference(f"gradients: rank {rank} has {what}={own}, and rank 0 {what}={first}; expected the same "
                                      f"{what} at every rank")


class Gradients:
    """The gradients of all parties in each step: the same mean at every party, bit for bit. ``Mesh.gradients`` opens one.

        for each step:
            sums.ready(p, gradient)    # for each parameter p, while the backward pass computes the next one
            sums.finish()
            sums.mean(p)
    """

    def __init__(self, core, shapes, names=(), clips=False):
        self._core = core
        self.shapes = shapes
        self._names = names
        self._clips = clips

    def _parameter(self, parameter, what):
        return _arrays.whole_number(parameter, f"{what}: parameter", 0, len(self.shapes) - 1)

    def ready(self, parameter, gradient):
        """The gradient is copied. Give zeros for a parameter without a gradient in this step."""
        parameter = self._parameter(parameter, "ready")
        if self._is_checked_there(gradient, self.shapes[parameter]):
            try:
                return self._core.ready(parameter, gradient.reshape(-1))
            except ConfigError:
                if numpy.isfinite(gradient).all():
                    raise
        named = f"ready: the gradient of parameter {parameter}" + (f" ({self._names[parameter]})" if self._names else "")
        array = _arrays.real_array(gradient, named)
        if array.shape != self.shapes[parameter] and (array.size,) != self.shapes[parameter]:
            raise ConfigError(f"{named} has the shape {array.shape}; expected {self.shapes[parameter]}")
        self._core.ready(parameter, numpy.ascontiguousarray(array, numpy.float32).reshape(-1))

    def _is_checked_there(self, gradient, shape):
        """True if the compiled part takes the array without a conversion. It then finds NaN while it rounds the numbers."""
        return (not self._clips and type(gradient) is numpy.ndarray and gradient.dtype == numpy.float32 and
                gradient.shape == shape and gradient.flags.c_contiguous)

    def finish(self):
        """Returns when all sums of the step are here."""
        self._core.finish()

    def mean(self, parameter):
        """After ``finish``: the mean over all parties, as float32."""
        shape = self.shapes[self._parameter(parameter, "mean")]
        return self._core.mean(parameter, math.prod(shape)).reshape(shape)

    def epsilon(self, delta, steps=None):
        """How much the sums of ``steps`` steps tell of a party, by adversary; by default the sums of all steps until now.

        The adversaries are everyone who sees the sums, or the model that follows from them; one party; and all parties but one,
        which pool their knowledge. The bound compares a party that takes part with one that adds zeros. ``delta`` is the
        probability that the bound does not hold. A step is a call of ``finish``. Calculated as for a private training (``tacit
        privacy account``).
        """
        delta = _arrays.positive_number(delta, "epsilon: delta", 1.0)
        steps = -1 if steps is None else _arrays.whole_number(steps, "epsilon: steps", 0, 10**10)
        return dict(self._core.epsilons(delta, steps))

    def times(self):
        """Seconds of the last step in which sums were under way, and the seconds among these in which the program computed."""
        communicating, hidden = self._core.times()
        return {"communicating": communicating, "hidden": hidden}

    def close(self):
        """Ends the thread that adds up. The mesh stays open."""
        self._core.close()


def _plain(array, call):
    """A contiguous array of little-endian numbers."""
    numbers = _arrays.real_array(array, call)
    numbers = numpy.ascontiguousarray(numbers).reshape(numbers.shape)  # a number stays one
    little = numbers.astype(numbers.dtype.newbyteorder("<"), copy=False)
    if little.dtype.str not in _TYPES:
        raise ConfigError(f"{call}: the elements have the type {numbers.dtype}; expected numbers of at most 64 bits")
    return little


def _difference(sentence):
    """The error for different calls at two ranks. Every rank finds it, or gets it from a rank that ends before."""
    error = ConfigError(sentence)
    error.of_all_ranks = True
    return error


def _described(header, rank):
    dtype, shape = _announced(header, "a call", rank)
    return f"an array of {dtype} of shape {shape}"


def _announced(header, call, rank):
    """The type and shape of a rank's array, from bytes that are not trusted."""
    type_number, dimensions, shape = header[2], header[3], tuple(header[4:12])
    known = 0 <= type_number < len(_TYPES) and 0 <= dimensions <= _MOST_DIMENSIONS
    if known and all(0 < size <= _MOST_BYTES for size in shape[:dimensions]):
        dtype = numpy.dtype(_TYPES[type_number])
        if math.prod(shape[:dimensions]) * dtype.itemsize <= _MOST_BYTES:
            return dtype, shape[:dimensions]
    raise ProtocolError(f"{call}: rank {rank} announced a malformed array, or one of more than 64 GiB; check that all "
                        f"ranks run the same version")


def _bits(size):
    """The least b with size < 2**b, and 0 for zero."""
    return 0 if size == 0 else math.frexp(float(size))[1]


def _as_integer(number):
    return struct.unpack("<q", struct.pack("<d", number))[0]


def _as_float(number):
    return struct.unpack("<d", struct.pack("<q", number))[0]
