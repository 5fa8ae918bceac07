#!/usr/bin/env python3
"""longest_tests.py LOG: the longest tests of a run, from ctest's LastTest.log, and those that come near their limit.

The standard input is the list of tests with their properties: ctest --show-only=json-v1."""
import collections
import json
import re
import sys

NEAR = 1 / 3  # of the limit; a busy machine takes three times as long
CTEST_LIMIT = 1500  # of a test without a limit of its own
LONGEST = 12


def times_of(log):
    """The seconds of each test in the log."""
    seconds, name = {}, None
    for line in log:
        if begin := re.match(r"\d+/\d+ Test(?:ing)?: (\S+)", line):
            name = begin[1]
        elif (end := re.match(r"Test time =\s*([\d.]+) sec", line)) and name:
            seconds[name] = float(end[1])
    return seconds


def limits_of(listing):
    limits = collections.defaultdict(lambda: CTEST_LIMIT)
    for test in listing["tests"]:
        limits.update({test["name"]: one["value"] for one in test.get("properties", []) if one["name"] == "TIMEOUT"})
    return limits


def main(log):
    with open(log, encoding="utf-8", errors="replace") as lines:
        seconds = times_of(lines)
    limits = limits_of(json.load(sys.stdin))
    ordered = sorted(seconds, key=seconds.get, reverse=True)
    shown = ordered[:LONGEST] + [name for name in ordered[LONGEST:] if seconds[name] > NEAR * limits[name]]
    print(f"The longest of {len(seconds)} tests, which took {sum(seconds.values()):.0f} s one after the other:")
    for name in shown:
        near = f"  near its limit of {limits[name]:.0f} s: shorten it" if seconds[name] > NEAR * limits[name] else ""
        print(f"{seconds[name]:8.1f} s  {name}{near}")


if __name__ == "__main__":
    main(sys.argv[1])
