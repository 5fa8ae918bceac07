#!/usr/bin/python3
"""preprocessing_bench_test.py TACIT SCRIPT: `tacit bench preprocessing` on few records. The command fails if two ways of cleaning
write different bytes."""

import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from example_runs import check, run

tacit, script = sys.argv[1:]
with tempfile.TemporaryDirectory() as name:
    output = pathlib.Path(name) / "measured"
    run(tacit, "bench", "preprocessing", "--records", 5000, "--percents", "1,100", "--cores", "1,3", "--repeats", 1,
        "--dask", script, "--output", output)
    table = json.loads((output / "preprocessing.json").read_text())["tables"][0]
    ways = [tuple(row["labels"].values()) for row in table["rows"]]
    for percent in ("1 %", "100 %"):
        check((percent, "sequential", "1") in ways and (percent, "threads", "3") in ways, ways)
        check((percent, "map, sort, reduce through files", "3") in ways, ways)
    check(all(row["figures"]["time"]["runs"][0] > 0 for row in table["rows"]), table)
    page = "".join(path.read_text() for path in output.glob("*.html"))
    check("78.5" in page and "MapReduce" in page, "the documents' figures are beside ours")
