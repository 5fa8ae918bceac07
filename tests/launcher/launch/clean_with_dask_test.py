#!/usr/bin/python3
"""clean_with_dask_test.py TACIT SCRIPT: the script writes the same bytes as one run of `tacit data clean`, for 1 range, and for 3 or 8.

Exit code 77: there is no python3-distributed."""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from by_day import of_today
from example_runs import check, run

try:
    import distributed  # noqa: F401
except ImportError:
    sys.exit(77)

tacit, script = sys.argv[1:]
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    raw, rules = folder / "raw.csv", folder / "rules.toml"
    run(tacit, "data", "make", "census", "--records", 3000, "--out", raw, "--rules", rules)
    text = rules.read_text().replace("constant = 0", 'impute = "mode"')
    rules.write_text(text)
    run(tacit, "data", "clean", raw, "--rules", rules, "--out", folder / "nodes.csv")
    for ranges in (1, *of_today((3, 8), 2)):  # Dask takes seconds to start
        out = folder / f"of{ranges}"
        run("/usr/bin/python3", script, raw, rules, out, "--ranges", ranges, "--workers", 2, "--tacit", tacit)
        check((out / "nodes.csv").read_bytes() == (folder / "nodes.csv").read_bytes(), ranges)
        check(len(list(out.glob("part*.csv"))) == ranges, ranges)
    rules.write_text(text.replace("[columns.sex]", "[columns.height]"))
    run("/usr/bin/python3", script, raw, rules, folder / "wrong", "--ranges", 2, "--tacit", tacit, code=1)
