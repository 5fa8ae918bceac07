"""The costs and reveals of a job before it runs: the forecast of ``tacit plan``."""

import html
import pathlib
import tempfile

from tacit import _program
from tacit._graph import save_parts
from tacit._job import JobFile
from tacit.errors import ConfigError

__all__ = ["Plan", "plan"]

_PHASES = (("sharing", "sharing the data"), ("first_epoch", "the first epoch"), ("epoch", "an epoch"),
           ("last_epoch", "the last epoch"), ("results", "results"), ("total", "all"))
_MEMORY = {"party_on_gpu": "a party's GPU, if it has one", "dealer_on_gpu": "the dealer's GPU, if it has one"}


def plan(job, parts=None, *, graph=None, rtt=None, bandwidth=None, predict=False):
    """The rounds, bytes, seconds, memory and reveals of a job, as a table.

    ``parts``            the parts of all parties; ``graph``: the whole graph. Without both, the files of the job
    ``rtt``, ``bandwidth``  your link: the round trip in ms and the bandwidth of a rank in Mbit/s
    ``predict``          the cost of predictions, not of a training
    """
    if parts is not None and graph is not None:
        raise ConfigError("plan: both the parts and the whole graph are given; expected one of them")
    if (rtt is None) != (bandwidth is None):
        raise ConfigError("plan: rtt and bandwidth belong together; expected both or none")
    with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
        tables = {} if parts is None else {"data": {"files": save_parts(parts, job, folder)}}
        whole = () if graph is None else ("--graph", graph.save(pathlib.Path(folder) / "whole.npz"))
        link = () if rtt is None else ("--rtt", rtt, "--bandwidth", bandwidth)
        with JobFile(job, **tables) as file:
            answer = _program.call("plan", file.path, *whole, *link, *(["--predict"] if predict else []),
                                   hidden=[file.path, f"{folder}/"])
    return Plan(answer)


class Plan:
    """A forecast. Rounds and bytes are exact if ``exact``; seconds and memory are estimates."""

    def __init__(self, answer):
        self.json = answer
        self._pairwise = answer["correlations"].startswith("pairwise")
        self._most = max(answer["ranks"], key=lambda rank: rank["total"]["bytes"]) if answer["ranks"] else None

    @property
    def exact(self):
        """True if the run will have exactly these rounds and bytes."""
        return self.json["exact"]

    @property
    def phases(self):
        """A row for each phase: rounds, the bytes of the party that sends most, and the bytes of the dealer.

        With ``correlations = "pairwise"`` there is no dealer: instead, the part of rounds and bytes that makes correlations.
        """
        of_source = ("made_rounds", "made_bytes") if self._pairwise else ("dealt_bytes",)
        return [{"phase": name, **{what: self._most[key][what] for what in ("rounds", "bytes", *of_source)}}
                for key, name in _PHASES if key in self._most]

    @property
    def rounds(self):
        """The rounds of the whole run."""
        return self._most["total"]["rounds"]

    @property
    def bytes(self):
        """The bytes that the party that sends most sends to the other parties."""
        return self._most["total"]["bytes"]

    @property
    def seconds(self):
        """The time of the whole run by link."""
        return {link["name"]: link["seconds"] for link in self.json["links"]}

    @property
    def leakage(self):
        """Without a dealer, a bound of the leakage about a party's masks by lattice answers (a statistical distance). Otherwise None.

        A job beyond 2**-40 is refused.
        """
        if not self._pairwise:
            return None
        power = self.json["leakage"]["log2"]
        return 0.0 if power is None else 2.0**power

    @property
    def memory(self):
        """The peak of a party's and of a dealer's memory in bytes, and of a GPU's that they use (``device``)."""
        return dict(self.json["memory"])

    @property
    def reveals(self):
        """Each revealed value: the reason, the recipients, the number of reveals, and the numbers in each reveal."""
        return [dict(reveal) for reveal in self.json["reveals"]]

    @property
    def frame(self):
        """The phases as a frame of pandas."""
        import pandas
        return pandas.DataFrame(self.phases).set_index("phase")

    def _tables(self):
        sent = "exactly" if self.exact else "about"
        if self._pairwise:
            head = [sent, "rounds", "a party sends", "making correlations: rounds", "making correlations: sends"]
            rows = [[row["phase"], str(row["rounds"]), amount(row["bytes"]), str(row["made_rounds"]), amount(row["made_bytes"])]
                    for row in self.phases]
        else:
            head = [sent, "rounds", "a party sends", "the dealer sends"]
            rows = [[row["phase"], str(row["rounds"]), amount(row["bytes"]), amount(row["dealt_bytes"])] for row in self.phases]
        yield head, rows
        yield (["about", "an epoch", "all"],
               [[f"{link['name']} ({link['round_trip'] * 1e3:g} ms, {link['bytes_per_second'] * 8e-6:g} Mbit/s)",
                 duration(link["epoch_seconds"]), duration(link["seconds"])] for link in self.json["links"]])
        if self._pairwise and "leakage" in self.json:
            power = self.json["leakage"]["log2"]
            yield ["at most", "leakage"], [["what lattice answers tell of a party's masks", "0" if power is None else f"2^{power:.1f}"]]
        yield ["about", "memory"], [[_MEMORY.get(who, who), amount(size)] for who, size in self.memory.items()]
        yield (["revealed", "to", "times", "numbers"],
               [[one["reason"], one["to"], str(one["count"]), str(one["elements"])] for one in self.reveals])

    def __repr__(self):
        return "\n\n".join(text_table(*table) for table in self._tables())

    def _repr_html_(self):
        return "".join(html_table(*table) for table in self._tables())


def amount(count):
    """Bytes for a reader."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000


def duration(seconds):
    """Seconds for a reader."""
    if seconds is None:
        return "-"
    return f"{seconds * 1e3:.0f} ms" if seconds < 1 else f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def text_table(head, rows):
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = [[row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))] for row in [head, *rows]]
    return "\n".join("  ".join(line).rstrip() for line in lines)


def html_table(head, rows):
    def line(cells, kind):
        return "<tr>" + "".join(f"<{kind}>{html.escape(cell)}</{kind}>" for cell in cells) + "</tr>"

    return f"<table>{line(head, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"
