"""The protocols to play with: shares of numpy arrays in a simulation of all parties.

>>> with tacit.mpc.simulate(parties=3) as s:
...     x = s.share([[1.0, -2.0], [3.0, 4.0]], owner=0)
...     w = s.share([[0.5], [0.25]], owner=1)
...     (x @ w).reveal("the outputs")
array([[0. ],
       [2.5]])

Every party and the dealer is a thread of this process over a mesh in memory, with the protocols of a real run. With
``simulate(correlations="pairwise")`` there is no dealer: the parties make the correlated randomness themselves. Numbers are
fixed-point: a shared number is rounded to a multiple of 2**-fraction_bits, and so is, at random, a product that another
operation reads. Shapes and bounds are public. Only ``reveal`` leads from a share to a value, and it keeps an account.

Every value has a bound. The owner of an array declares its bound, which is checked before the array is shared; the simulation
declares one bound for all computed values. Before a reveal, the parties find out whether a value that was opened under a mask
has left the bound. If one has, nothing is revealed.
"""

import typing
import weakref

import numpy

from tacit import _arrays, _core
from tacit._shares import Share, matrix, require_share
from tacit.errors import ConfigError

__all__ = ["Cost", "Message", "ProtocolCost", "Reveal", "Share", "Simulation", "simulate"]


class ProtocolCost(typing.NamedTuple):
    """The cost of all calls of one protocol, as the protocol states it for rank 0."""

    protocol: str
    calls: int
    rounds: int
    bytes: int
    dealt_bytes: int
    made_rounds: int = 0  #: without a dealer: the part of the rounds that makes correlations
    made_bytes: int = 0  #: the same part of the bytes


class Cost(typing.NamedTuple):
    """The traffic of a simulation since its begin. Costs subtract: ``s.cost() - before``."""

    rounds: int
    bytes: int  #: of the party that sends most, to the other parties
    messages: int
    dealt_bytes: int  #: from the dealer to all parties together
    by_protocol: "tuple[ProtocolCost, ...]"
    made_rounds: int = 0  #: without a dealer: the part of the rounds that makes correlations, as rank 0 states it
    made_bytes: int = 0  #: the same part of the bytes

    def __sub__(self, before):
        earlier = {line.protocol: line[1:] for line in before.by_protocol}
        lines = (ProtocolCost(line.protocol, *(now - then for now, then in
                                               zip(line[1:], earlier.get(line.protocol, (0,) * 6))))
                 for line in self.by_protocol)
        return Cost(self.rounds - before.rounds, self.bytes - before.bytes, self.messages - before.messages,
                    self.dealt_bytes - before.dealt_bytes, tuple(line for line in lines if line.calls > 0),
                    self.made_rounds - before.made_rounds, self.made_bytes - before.made_bytes)

    def __repr__(self):
        source = (f"made_rounds={self.made_rounds}, made_bytes={self.made_bytes}" if self.made_rounds
                  else f"dealt_bytes={self.dealt_bytes}")
        return f"Cost(rounds={self.rounds}, bytes={self.bytes}, messages={self.messages}, {source})"


class Message(typing.NamedTuple):
    """A message that a rank has received: random bytes for the rank that receives it."""

    sender: int
    step: str  #: the operation in which it was sent
    data: numpy.ndarray  #: its bytes


class Reveal(typing.NamedTuple):
    """A line of the account of reveals. ``to`` is a rank, or None for all parties."""

    reason: str
    to: "int | None"
    times: int
    elements: int


def simulate(parties=3, *, bound=1024.0, fraction_bits=13, record=True, correlations="dealer"):
    """Opens a simulation of ``parties`` parties. Use it in a ``with`` statement.

    ``bound``          declared: no value is larger. A smaller bound makes comparisons cheaper
    ``fraction_bits``  fraction bits of fixed-point numbers: 12, 13 or 16
    ``record``         keeps every message for ``view``; without it, long programs need less memory
    ``correlations``   "dealer": one more rank deals the correlated randomness; "pairwise": the parties make it
    """
    return Simulation(parties, bound=bound, fraction_bits=fraction_bits, record=record, correlations=correlations)


def _end(core):
    if core.is_here():
        core.stop("the program ends")


class Simulation:
    """Parties that compute on shares. ``simulate`` opens one."""

    def __init__(self, parties=3, *, bound=1024.0, fraction_bits=13, record=True, correlations="dealer"):
        self.parties = _arrays.whole_number(parties, "simulate: parties", 1, _core.MOST_PARTIES)
        if fraction_bits not in (12, 13, 16):
            raise ConfigError(f"simulate: fraction_bits is {fraction_bits!r}; expected 12, 13 or 16")
        self.fraction_bits = int(fraction_bits)
        self.bound = _arrays.positive_number(bound, "simulate: bound", _core.most_bound(self.fraction_bits))
        if correlations not in ("dealer", "pairwise"):
            raise ConfigError(f"simulate: correlations is {correlations!r}; expected \"dealer\" or \"pairwise\"")
        self.correlations = correlations
        self._records = bool(record)
        self._core = _core.Simulation(self.parties, self.bound, self.fraction_bits, self._records,
                                      correlations == "pairwise")
        self._finalizer = weakref.finalize(self, _end, self._core)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.close()
        elif self._core.is_here():
            self._core.stop(f"{kind.__name__} left its with statement")

    def __repr__(self):
        return f"<tacit.mpc.Simulation of {self.parties} parties>"

    def close(self):
        """All parties compare their transcripts, and end. Costs and views stay readable."""
        self._core.close()

    def share(self, array, owner=0, bound=None):
        """A share of the owner's array. ``bound`` is public: by default, the bound of the simulation."""
        what = "share"
        owner = _arrays.whole_number(owner, "share: owner", 0, self.parties - 1)
        bound = self.bound if bound is None else _arrays.positive_number(bound, "share: bound", self.bound)
        numbers = _arrays.real_array(array, what, most_dimensions=2)
        _arrays.within(numbers, bound, what, "scale the data, or declare a larger one: share(x, bound=...), "
                                             "simulate(bound=...)")
        return Share(self, self._core.share(matrix(numbers), owner, bound), numbers.shape)

    def reveal(self, shares, reason, to=None):
        """The values of several shares, as a list of arrays. All parties see them, or only the party ``to``."""
        shares = list(shares)
        for share in shares:
            require_share(share, "reveal", self)
        reason = _arrays.reason_text(reason)
        rank = -1 if to is None else _arrays.whole_number(to, "reveal: to", 0, self.parties - 1)
        seen = self._core.reveal([share._core for share in shares], reason, rank)
        return [values.reshape(share.shape) for values, share in zip(seen, shares)]

    def cost(self):
        """The measured traffic so far: rounds, bytes, messages, the part for correlations, and all by protocol."""
        fields = self._core.cost()
        return Cost(**{**fields, "by_protocol": tuple(ProtocolCost(*line) for line in fields["by_protocol"])})

    def view(self, rank):
        """Every message that a rank has received, in the order of sending. A dealer's rank is ``parties``."""
        if not self._records:
            raise ConfigError("view: this simulation keeps no messages; open it with simulate(record=True)")
        rank = _arrays.whole_number(rank, "view: rank", 0, self.parties - (self.correlations == "pairwise"))
        return [Message(sender, step, numpy.frombuffer(data, numpy.uint8)) for sender, step, data in self._core.view(rank)]

    def reveals(self):
        """The account of all reveals, the range watch's too."""
        return [Reveal(reason, None if to < 0 else to, times, elements)
                for reason, to, times, elements in self._core.reveals()]
