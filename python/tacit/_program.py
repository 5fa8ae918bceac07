"""The command tacit as a child process: the path, the start and the end, and errors as exceptions."""

import atexit
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading

from tacit.errors import ConfigError, Error, NetError, ProtocolError

_HERE = pathlib.Path(__file__).resolve().parent
_KINDS = {2: ConfigError, 3: NetError, 4: ProtocolError}
_SECONDS_TO_END = 6.0  # a launch ends its ranks within four seconds
_running = {}  # each child, and the sentence for its user if the interpreter's exit ends it
_owner = os.getpid()


def path():
    """The program: $TACIT_PROGRAM, the build's or the Debian package's, or the one in PATH."""
    named = os.environ.get("TACIT_PROGRAM")
    if named:
        if os.access(named, os.X_OK) and os.path.isfile(named):
            return named
        raise ConfigError(f"TACIT_PROGRAM is {named}, which is no program; expected the path of the command tacit")
    for place in (_HERE.parents[1] / "launcher/tacit", _HERE.parents[2] / "bin/tacit", _HERE.parents[3] / "bin/tacit"):
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    found = shutil.which("tacit")
    if found:
        return found
    raise ConfigError("the command tacit is not found; expected it in PATH, or its path in TACIT_PROGRAM: install the "
                      "Debian package tacit, or build the target tacit")


def error_of(code, sentence, detail=""):
    """The exception for an exit code, with the command's own sentence."""
    error = _KINDS.get(code, Error)(sentence)
    error.detail = detail
    return error


def start(arguments, stdout, stderr, pass_fds=(), environment=None):
    """Starts the command in a process group of its own. The command ends if this process ends in any way."""
    command = [path(), *map(str, arguments)]
    if threading.current_thread() is threading.main_thread() and shutil.which("setpriv"):
        # SIGTERM for the child when the thread that started it ends, which is the end of this process
        command = ["setpriv", "--pdeathsig", "TERM", *command]
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, process_group=0,
                             pass_fds=pass_fds, env=environment)
    _running[child] = ""
    return child


def at_exit(child, sentence):
    """Sets the sentence that stderr gets if the interpreter exits while the child runs."""
    _running[child] = sentence


def end(child):
    """Ends a child and everything in its process group, gently at first."""
    for number in (signal.SIGINT, signal.SIGKILL):
        if child.poll() is not None:
            break
        try:
            os.killpg(child.pid, number)
        except ProcessLookupError:
            pass
        try:
            child.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            continue
    forget(child)


def forget(child):
    _running.pop(child, None)


@atexit.register
def _end_all():
    if os.getpid() == _owner:  # a forked process has none of the children
        children = {child: sentence for child, sentence in _running.items() if child.poll() is None}
        for child in children:
            end(child)
        for sentence in filter(None, children.values()):
            try:
                print(f"tacit: {sentence}", file=sys.stderr)
            except (OSError, ValueError):  # stderr is closed
                break


def without_places(sentence, hidden):
    """A sentence without the paths of temporary files."""
    for name in hidden:
        sentence = re.sub(re.escape(str(name)) + r"(:\d+)*(: )?", "", sentence)
    return sentence


def answer_of(code, out, err, hidden=()):
    """The command's JSON, or the exception that it stands for."""
    try:
        answer = json.loads(out) if out.strip() else {}
    except ValueError:
        answer = {}
    if code == 0:
        return answer
    sentence = answer.get("error") if isinstance(answer, dict) else None
    if not sentence:
        lines = [line for line in err.splitlines() if line.strip()]
        sentence = lines[-1].removeprefix("tacit: ") if lines else f"tacit ended with exit code {code} and said nothing"
    raise error_of(code, without_places(sentence, hidden))


def call(*arguments, hidden=(), accept=(0,)):
    """Runs a command with --json and returns its answer. ``hidden``: temporary files that errors must not name."""
    child = start([*arguments, "--json"], subprocess.PIPE, subprocess.PIPE)
    try:
        out, err = child.communicate()
    except BaseException:  # Ctrl-C, or an exception of a signal handler
        end(child)
        raise
    finally:
        for pipe in (child.stdout, child.stderr):
            pipe.close()
    forget(child)
    out, err = out.decode("utf-8", "replace"), err.decode("utf-8", "replace")
    if child.returncode in accept:
        try:
            return json.loads(out)
        except ValueError:
            pass
    return answer_of(child.returncode, out, err, hidden)


def in_notebook():
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"
