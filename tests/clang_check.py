#!/usr/bin/env python3
"""clang_check.py FOLDER: clang checks each source of a build that is configured for it, and makes no objects.

A sanitizer's build needs clang, which refuses some code that g++ takes: a local name that hides a name in an anonymous namespace
of the same unity file, a structured binding in a lambda. A commit has a part of the layers built by clang; this check finds in a
minute or two whether the other parts would compile. A source with an object in FOLDER has compiled already and is left out. The
precompiled headers and generated sources are made in FOLDER. Exit code 1: clang refuses a source.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys


def needed(command, file, folder):
    """The precompiled header and the generated source that the command reads, as targets of ninja."""
    paths = [word for word in command if word.endswith(".pch")] + ([file] if not os.path.exists(file) else [])
    return [os.path.relpath(path, folder) for path in paths]


def check(one):
    command = shlex.split(one["command"])
    at = command.index("-o")
    del command[at:at + 2]
    command[command.index("-c")] = "-fsyntax-only"
    done = subprocess.run(command, cwd=one["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout if done.returncode else ""


def main(folder):
    folder = pathlib.Path(folder).resolve()
    compiled, targets = [], set()
    for one in json.loads((folder / "compile_commands.json").read_text()):
        command = shlex.split(one["command"])
        made = pathlib.Path(one["directory"]) / command[command.index("-o") + 1]
        if "-emit-pch" in command or made.exists():
            continue
        compiled.append(one)
        targets.update(needed(command, one["file"], folder))
    if targets:
        subprocess.run(["ninja", "-C", folder, *sorted(targets)], check=True, stdout=subprocess.DEVNULL)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        refused = [text for text in pool.map(check, compiled) if text]
    if refused:
        print("\n".join(refused))
    print(f"clang_check: clang takes {len(compiled) - len(refused)} of {len(compiled)} sources that have no object in {folder.name}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
