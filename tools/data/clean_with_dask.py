#!/usr/bin/python3
"""clean_with_dask.py RAW RULES FOLDER: clean a raw table with the workers of a Dask cluster.

Each worker runs `tacit data clean` on a range of RAW's bytes: first to count, then, with the merged counts, to write a part. All
workers see RAW and FOLDER under the same paths. FOLDER gets part0.csv, part1.csv, ...; together they are FOLDER/nodes.csv, the
same bytes that one run of `tacit data clean` writes, whatever the number of ranges and workers.

Needs python3-distributed (Debian). Without --scheduler, a cluster of --workers processes starts on this machine."""

import argparse
import pathlib
import shutil
import subprocess

from distributed import Client, LocalCluster


def run(*words):
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)


def ranges_of(path, count):
    size = path.stat().st_size
    return [f"{size * i // count}:{size * (i + 1) // count}" for i in range(count)]


def clean(client, tacit, raw, rules, folder, count):
    folder.mkdir(parents=True, exist_ok=True)
    ranges = ranges_of(raw, count)
    counts = [folder / f"counts{i}" for i in range(count)]
    parts = [folder / f"part{i}.csv" for i in range(count)]
    clean = (tacit, "data", "clean", raw, "--rules", rules, "--threads", 1, "--force")
    client.gather([client.submit(run, *clean, "--range", which, "--statistics", file, pure=False)
                   for which, file in zip(ranges, counts)])
    run(tacit, "data", "merge-statistics", *counts, "--out", folder / "counts", "--force")
    client.gather([client.submit(run, *clean, "--range", which, "--statistics", folder / "counts", "--out", file, pure=False)
                   for which, file in zip(ranges, parts)])
    with open(folder / "nodes.csv", "wb") as whole:
        for part in parts:
            with open(part, "rb") as piece:
                shutil.copyfileobj(piece, whole, 1 << 20)
    return parts


def main():
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("raw", type=pathlib.Path)
    told.add_argument("rules", type=pathlib.Path)
    told.add_argument("folder", type=pathlib.Path)
    told.add_argument("--ranges", type=int, default=8, help="how many ranges to cut RAW into")
    told.add_argument("--workers", type=int, default=2, help="processes of the cluster on this machine")
    told.add_argument("--scheduler", help="the address of a cluster that runs already, as tcp://10.0.0.1:8786")
    told.add_argument("--tacit", default="tacit", help="the command")
    asked = told.parse_args()
    if asked.ranges < 1 or asked.workers < 1:
        told.error("--ranges and --workers are 1 at least")
    paths = [path.resolve() for path in (asked.raw, asked.rules, asked.folder)]
    if asked.scheduler:
        with Client(asked.scheduler) as client:
            parts = clean(client, asked.tacit, *paths, asked.ranges)
    else:
        with LocalCluster(n_workers=asked.workers, threads_per_worker=1, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                parts = clean(client, asked.tacit, *paths, asked.ranges)
    print(f"{asked.folder / 'nodes.csv'}: {len(parts)} parts in order")


if __name__ == "__main__":
    main()
