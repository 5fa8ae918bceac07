"""The events of ranks: read while they are written, as a history, as a figure, and as a line of progress."""

import io
import json
import os
import pathlib
import re
import sys
import time

from tacit import _program
from tacit._plan import duration


class EventFiles:
    """The files of events of some ranks, or of all ranks in a folder. Each event is read once.

    At the end of a run over ssh, a host's file replaces the copy that grew here: only its new lines count then.
    """

    def __init__(self, folder, ranks):
        self._folder, self._ranks = pathlib.Path(folder), ranks
        self._read = {}  # by rank: the file (its inode), and how far it has been read
        self._lines = {}  # by rank: hashes of the lines that have been read

    def skip_what_is_there(self):
        """The events of earlier sessions."""
        return self.new()

    def new(self):
        """The events since the last call, each with its rank."""
        events = []
        for rank in self._ranks if self._ranks is not None else self._found():
            path = self._folder / f"rank{rank}" / "events.jsonl"
            try:
                about = os.stat(path)
            except OSError:
                continue
            inode, begin = self._read.get(rank, (about.st_ino, 0))
            if inode != about.st_ino or about.st_size < begin:
                begin = 0  # a run that began afresh, or the file of a host
            if about.st_size > begin:
                begin += self._take(path, begin, rank, events)
            self._read[rank] = (about.st_ino, begin)
        return events

    def _found(self):
        return sorted(int(path.name[4:]) for path in self._folder.glob("rank*") if re.fullmatch(r"rank\d+", path.name))

    def _take(self, path, begin, rank, events):
        with open(path, "rb") as file:
            file.seek(begin)
            data = file.read()
        whole = data.rfind(b"\n") + 1  # a rank may be writing the next line
        known = self._lines.setdefault(rank, set())
        for line in data[:whole].splitlines():
            if (key := hash(line)) in known:
                continue
            known.add(key)
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict) and "event" in event:
                events.append({**event, "rank": rank})
        return whole


def history_of(events):
    """A row for each epoch; an epoch that ran twice has the second run's row. Costs are of the party that sends most."""
    last, dealers = {}, set()
    for event in events:
        if event.get("role") == "dealer":
            dealers.add(event["rank"])
        if event["event"] == "epoch" and event["rank"] not in dealers:  # the dealer runs ahead of the parties
            last[event["rank"], event["epoch"]] = event
    rows = {}
    for event in last.values():
        row = rows.setdefault(event["epoch"], {"epoch": event["epoch"], "loss": None, "readings": {}, "rate": event["rate"],
                                               "seconds": 0.0, "rounds": 0, "bytes": 0})
        row["loss"] = event["loss"] if row["loss"] is None else row["loss"]
        for reading in event["readings"]:
            row["readings"].setdefault(reading["what"], reading["value"])
        row["seconds"] = max(row["seconds"], event["seconds"])
        row["rounds"] = max(row["rounds"], event["measured"]["rounds"])
        row["bytes"] = max(row["bytes"], event["measured"]["total"]["payload_sent"])
    names = list(dict.fromkeys(name for row in rows.values() for name in row["readings"]))
    return [{"epoch": row["epoch"], "loss": row["loss"], **{name: row["readings"].get(name) for name in names},
             **{key: row[key] for key in ("rate", "seconds", "rounds", "bytes")}} for _, row in sorted(rows.items())]


def figure_of(rows, name):
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(f"plot needs matplotlib (Debian: apt-get install python3-matplotlib): {error}") from error

    class Shown(Figure):
        """An image in a notebook, also before pyplot has made a figure there."""

        def _repr_png_(self):
            image = io.BytesIO()
            self.savefig(image, format="png")
            return image.getvalue()

    figure = Shown(figsize=(12, 3.2), layout="constrained")
    metrics = [key for key in (rows[0] if rows else {}) if key not in ("epoch", "loss", "rate", "seconds", "rounds", "bytes")]
    epochs = [row["epoch"] for row in rows]
    for place, (title, keys, unit) in enumerate((("loss", ["loss"], 1), ("metrics", metrics, 1), ("MB sent", ["bytes"], 1e6))):
        axes = figure.add_subplot(1, 3, place + 1)
        axes.set_title(title)
        axes.set_xlabel("epoch")
        for key in keys:
            known = [(epoch, row[key] / unit) for epoch, row in zip(epochs, rows) if row[key] is not None]
            axes.plot(*zip(*known), marker="o" if len(known) == 1 else None, label=key) if known else None
        if title == "metrics" and metrics:
            axes.legend()
    figure.suptitle(name)
    return figure


class Progress:
    """A line of progress that changes, in a terminal and in a notebook."""

    def __init__(self, shown):
        self._shown = shown if shown is not None else (_program.in_notebook() or sys.stderr.isatty())
        self._planned, self._width, self._last = None, 0, 0.0

    def take(self, event):
        if not self._shown:
            return
        self._planned = event.get("epochs_planned", self._planned)
        if event["event"] != "epoch" or event["loss"] is None and event["rank"] != 0:
            return
        now = time.monotonic()
        if now - self._last < 0.1 and event["epoch"] != self._planned:
            return
        self._last = now
        done = event["epoch"] / self._planned if self._planned else 0
        bar = "#" * round(20 * done)
        loss = "" if event["loss"] is None else f"  loss {event['loss']:.4f}"
        self._write(f"[{bar:<20}] epoch {event['epoch']}/{self._planned or '?'}{loss}  {duration(event['seconds'])}/epoch")

    def end(self):
        if self._width:
            sys.stderr.write("\n")
            self._width = 0

    def _write(self, text):
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)
