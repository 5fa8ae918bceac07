#!/usr/bin/env python3
"""bench_compare_test.py BENCH_COMPARE: the report on two files, on two builds, and on wrong files."""

import contextlib
import io
import json
import pathlib
import runpy
import subprocess
import sys
import tempfile

compare = sys.argv[1]


def expect(condition, what):
    if not condition:
        sys.exit(f"bench_compare_test: {what}")


def run(*words):
    done = subprocess.run([compare, *map(str, words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def run_here(*words):
    """Like run(), in this process: many files are wrong, and each start of Python takes a tenth of a second."""
    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = [compare, *map(str, words)]
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_path(compare, run_name="__main__")
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.argv = before
    return code, out.getvalue(), err.getvalue()


def measured(runs):
    figures = {"time": {"unit": "ms", "runs": runs}}
    return {"bench": "kernel", "tables": [{"name": "kernel", "rows": [{"labels": {"n": "2"}, "figures": figures}]}]}


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)

    def write(file, content):
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    old, new = write("old.json", measured([1, 2, 3])), write("new.json", measured([4, 5, 6]))
    code, out, _ = run(old, new)
    expect(code == 0 and "2.500" in out and "*" in out, f"a change that is seen is marked: {out}")
    code, out, _ = run(old, write("near.json", measured([2, 2.5, 3])))
    expect(code == 0 and "1.250" in out and "*" not in out, f"one within the spread is not: {out}")
    expect("about 0.1 would" in run(old, new)[1], "three against three are apart by chance in a tenth of cases")
    for few, many in (([1], [9]), ([1, 2], [8, 9]), ([1, 2], [7, 8, 9])):
        code, out, _ = run_here(write("few.json", measured(few)), write("many.json", measured(many)))
        expect(code == 0 and "*" not in out and "star" not in out, f"{few} and {many} are too few for a star: {out}")
    code, out, _ = run(old, new, "--above", "3")
    expect(code == 0 and "2.500" not in out, "small changes can be left out")

    google = {"benchmarks": [{"name": "BM_x", "real_time": 10.0, "time_unit": "ns", "run_type": "iteration"}]}
    faster = json.loads(json.dumps(google).replace("10.0", "5.0"))
    code, out, _ = run(write("g1.json", google), write("g2.json", faster))
    expect(code == 0 and "0.500" in out and "*" not in out, f"Google Benchmark's files are understood: {out}")
    repeated = [json.loads(json.dumps({"benchmarks": one["benchmarks"] * 3})) for one in (google, faster)]
    repeated[0]["benchmarks"].append({"name": "BM_bad", "run_type": "iteration", "error_occurred": True})
    repeated[0]["benchmarks"].append({"name": "BM_x_median", "real_time": 1.0, "time_unit": "ns",
                                      "run_type": "aggregate"})
    code, out, _ = run(write("g3.json", repeated[0]), write("g4.json", repeated[1]))
    expect(code == 0 and "0.500" in out and "*" in out and "median" not in out, f"repetitions are samples: {out}")

    for side, factor in (("a", 2), ("b", 6)):
        text = f"""#!/bin/sh
while [ "$1" != --json ]; do shift; done
echo '{json.dumps(measured([factor]))}' > "$2"
"""
        write(f"{side}/bench/some_bench", text).chmod(0o755)
    code, out, err = run(folder / "a", folder / "b", "some_bench", "--rings", "64")
    expect(code == 0 and "3.000..3.000" in out and "pair 7 of 7" in err, f"two builds are run in turns: {out}{err}")
    expect("*" in out and "1 of 1 figures have a star; by chance alone about 0.016" in out, f"seven pairs: {out}")
    code, out, err = run(folder / "a", folder / "b", "some_bench", "--pairs", "4")
    expect(code == 0 and "*" not in out and "pair 4 of 4" in err, f"four pairs are too few for a star: {out}")
    code, out, _ = run(folder / "a", folder / "a", "some_bench", "--pairs", "5")
    expect(code == 0 and "1.000" in out and "*" not in out, f"equal figures have no star: {out}")

    for words in ([old, folder / "none.json"], [old, write("no.json", "{")], [old, write("else.json", "[]")],
                  [folder / "a", folder / "b", "no_bench"]):
        code, out, err = run(*words)
        expect(code == 2 and err.startswith("bench-compare: ") and "Traceback" not in err, f"{words}: {code} {err}")
    wrong = [{"tables": [{"name": "a", "rows": [{}]}]}, {"tables": [{"name": "a"}]},
             {"tables": [1]}, {"tables": None}, {"rows": []}, {"bench": "x"}, {"benchmarks": 1}, {"benchmarks": [{}]}, 1,
             None, "text", measured([]), measured(["1"]), measured(None), measured([None]), measured([float("nan")]), measured([10**400]),
             {"tables": [{"name": "a", "rows": [{"labels": [], "figures": {}}]}]}]
    for number, content in enumerate(wrong):
        code, out, err = run_here(old, write(f"wrong{number}.json", json.dumps(content)))
        expect(code == 2 and "Traceback" not in err and err.startswith("bench-compare: "), f"{content}: {code} {err}")
    code, _, _ = run(old, write("other.json", {"bench": "x", "tables": []}))
    expect(code == 1, "nothing in common")
    for other in ([0, 0, 0], [1e-320]):
        code, out, err = run(write("large.json", measured([1e300])), write("none.json", measured(other)))
        expect(code == 1 and "Traceback" not in err, f"{other} is no measure of anything: {code} {out} {err}")
    code, out, _ = run(folder / "a", folder / "b", "--pairs", "5", "some_bench", "--rings", "64")
    expect(code == 0 and "3.000..3.000" in out, f"flags may stand before the program: {out}")
    write("a/bench/plain_bench", "text")
    write("a/bench/folder/file", "text")
    for program in ("plain_bench", "folder"):
        code, out, err = run(folder / "a", folder / "a", program)
        expect(code == 2 and err.startswith("bench-compare: ") and "Traceback" not in err, f"{program}: {code} {err}")
