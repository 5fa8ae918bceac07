"""Runs by tacit.launch against the command: equal losses, events, history, predictions, resumed runs, ssh."""

import json
import os
import pathlib
import subprocess
import sys
import threading
import time

import numpy
import pytest
import small_data
import tacit
from tacit._events import history_of


def command_run(job, graph, folder):
    """The same training by the command alone."""
    job.save(folder / "job.toml")
    graph.save(folder / "whole.npz")
    small_data.command("data", "split", folder / "whole.npz", "--job", folder / "job.toml", "--out", folder / "parts")
    files = json.dumps(str(folder / "parts/rank{rank}.npz"))
    return small_data.command("launch", folder / "job.toml", "--set", f"data.files={files}", "--output", folder / "run")


def test_folders_of_a_run_are_writable_for_their_user_alone_whatever_the_umask(tmp_path):
    job = small_data.job(2, epochs=1)
    parts = tacit.Graph(**small_data.arrays()).split(job)
    before = os.umask(0)
    try:
        run = tacit.launch(job, parts, output=tmp_path / "of" / "today").wait()
    finally:
        os.umask(before)
    folders = [path for path in (tmp_path / "of").rglob("*") if path.is_dir()]
    assert len(folders) >= 4 and run.folder in folders
    assert [path for path in folders + [tmp_path / "of"] if path.stat().st_mode & 0o022] == []


@pytest.mark.parametrize("parties,rows,classes", [(2, False, False), (2, True, True), (3, False, True), (3, True, False)])
def test_a_run_has_the_losses_metrics_and_bytes_of_the_command(tmp_path, parties, rows, classes):
    job, graph = small_data.job(parties, rows, classes), tacit.Graph(**small_data.arrays(classes))
    run = tacit.launch(job, graph.split(job), output=tmp_path / "python").wait()
    told = command_run(job, graph, tmp_path)
    assert small_data.losses(run.folder) == small_data.near(small_data.losses(tmp_path / "run"))
    assert len(small_data.losses(run.folder)) == 6
    of_command = {one["what"]: one["value"] for one in told["ranks"][0]["readings"]}
    one_node = {key: pytest.approx(value, abs=0.13) for key, value in of_command.items()}
    assert run.metrics == (one_node if classes else small_data.near(of_command)) and len(run.metrics) == 1
    assert [rank["measured"]["total"]["payload_sent"] for rank in run.summary] == \
        [rank["measured"]["total"]["payload_sent"] for rank in told["ranks"]]
    planned = tacit.plan(job, graph=graph)
    assert max(rank["stated"]["bytes"] for rank in run.summary) == planned.bytes
    assert not small_data.children()


def test_an_iteration_gives_each_event_of_each_rank_once_and_as_it_happens(tmp_path):
    job = small_data.job(2, epochs=300)
    run = tacit.launch(job, tacit.Graph(**small_data.arrays()).split(job), output=tmp_path)
    live, seen = False, []
    for event in run:
        live = live or (event["event"] == "epoch" and run.running)
        seen.append(event)
    assert live
    for rank in range(3):
        lines = (tmp_path / f"rank{rank}/events.jsonl").read_text().splitlines()
        assert [event for event in seen if event["rank"] == rank] == [{**json.loads(line), "rank": rank} for line in lines]
    assert list(run) == seen and not run.running


def history(run):
    rows = run.history
    return rows if isinstance(rows, list) else rows.reset_index().to_dict("records")


def test_a_history_has_a_row_for_each_epoch(tmp_path, monkeypatch):
    job = small_data.job(2, training={"epochs": 5, "evaluate_every": 2})
    run = tacit.launch(job, tacit.Graph(**small_data.arrays()).split(job), output=tmp_path).wait()
    for without_pandas in (False, True):
        if without_pandas:
            monkeypatch.setitem(sys.modules, "pandas", None)
        rows = history(run)
        assert [row["epoch"] for row in rows] == [1, 2, 3, 4, 5]
        assert [row["loss"] for row in rows] == small_data.losses(tmp_path)
        known = [row["epoch"] for row in rows if row["test rmse"] is not None and row["test rmse"] == row["test rmse"]]
        assert known == [2, 4, 5] and rows[-1]["test rmse"] == run.metrics["test rmse"]
        of_party = [event["measured"]["total"]["payload_sent"] for event in run.events
                    if event["event"] == "epoch" and event["rank"] == 0]
        assert [row["bytes"] for row in rows] == of_party and all(row["seconds"] > 0 for row in rows)
    assert isinstance(run.history, list)


def test_a_loss_that_one_rank_alone_sees_is_in_the_history(tmp_path):
    job = small_data.job(2, reveal={"loss": 1})
    run = tacit.launch(job, tacit.Graph(**small_data.arrays()).split(job), output=tmp_path).wait()
    assert small_data.losses(tmp_path, 0) == [None] * 6
    assert [row["loss"] for row in history(run)] == small_data.losses(tmp_path, 1) and small_data.losses(tmp_path, 1)[0] > 0


def test_a_figure_shows_losses_metrics_and_bytes(tmp_path):
    pytest.importorskip("matplotlib")
    job = small_data.job(2)
    run = tacit.launch(job, tacit.Graph(**small_data.arrays()).split(job), output=tmp_path).wait()
    axes = run.plot().axes
    assert [one.get_title() for one in axes] == ["loss", "metrics", "MB sent"]
    assert axes[0].lines[0].get_ydata().tolist() == small_data.losses(tmp_path)
    assert axes[1].lines[0].get_ydata().tolist() == [run.metrics["test rmse"]]
    assert run.plot()._repr_png_().startswith(b"\x89PNG")  # a notebook shows it before pyplot has made a figure


def test_the_report_is_inline_in_a_notebook(tmp_path):
    job = small_data.job(2)
    run = tacit.launch(job, tacit.Graph(**small_data.arrays()).split(job), output=tmp_path / "run")
    assert "<iframe" not in run._repr_html_()
    run.wait()
    page = run._repr_html_()
    assert page.startswith("<iframe srcdoc=") and len(page) > run.report.stat().st_size
    assert "ended, 6 epochs" in repr(run)
    run.report.unlink()
    assert "<html" in run.report.read_text()  # made again


def test_a_line_of_progress_tells_epoch_and_loss(tmp_path, capfd):
    job = small_data.job(2)
    run = tacit.launch(job, tacit.Graph(**small_data.arrays()).split(job), output=tmp_path, progress=True).wait()
    told = capfd.readouterr().err
    assert f"epoch 6/6  loss {small_data.losses(run.folder)[-1]:.4f}" in told and told.endswith("\n")
    tacit.launch(job, output=tmp_path / "quiet", parts=[tmp_path / f"launch/parts/rank{r}.npz" for r in (0, 1)]).wait()
    assert capfd.readouterr().err == ""  # no terminal here


def test_a_folder_is_new_for_each_run_of_a_job(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    job = small_data.job(2, name="a job/1")
    parts = tacit.Graph(**small_data.arrays()).split(job)
    folders = [tacit.launch(job, parts).wait().folder for _ in range(2)]
    assert folders == [tmp_path / "runs/a-job-1", tmp_path / "runs/a-job-1-2"]
    assert tacit.launch(job.replace(output="named"), parts).wait().folder == tmp_path / "named"


def test_a_run_that_was_closed_goes_on_with_equal_losses(tmp_path):
    job = small_data.job(2, epochs=100000)
    parts = tacit.Graph(**small_data.arrays()).split(job)
    with tacit.launch(job, parts, output=tmp_path / "cut") as run:
        for event in run:
            if event["event"] == "checkpoint" and event["epoch"] >= 20:
                break
    assert not run.running and not small_data.children() and "closed, " in repr(run)
    before = {row["epoch"]: row["loss"] for row in history(run)}
    with tacit.launch(job, parts, output=tmp_path / "cut", resume=True) as again:
        resumed = next(event["epoch"] for event in again if event["event"] == "resumed")
        next(event for event in again if event["event"] == "epoch" and event["rank"] == 0 and event["epoch"] >= max(before) + 5)
    assert 20 <= resumed <= max(before) and again.events[0]["event"] == "started"
    after = {row["epoch"]: row["loss"] for row in history(again)}
    assert list(after) == list(range(1, max(after) + 1)) and max(after) >= max(before) + 5
    assert [after[epoch] for epoch in before] == small_data.near(list(before.values()))
    first = job.replace(training={"epochs": 20})
    whole = tacit.launch(first, parts, output=tmp_path / "whole").wait()
    assert small_data.losses(whole.folder) == small_data.near([after[epoch] for epoch in range(1, 21)])
    opened = tacit.Run.open(tmp_path / "cut")
    assert [row["loss"] for row in history(opened)] == list(after.values()) and opened.wait() is opened
    anew = tacit.launch(job.replace(training={"epochs": 3}), parts, output=tmp_path / "cut", afresh=True).wait()
    assert [row["epoch"] for row in history(anew)] == [1, 2, 3] and (tmp_path / "cut/rank0.1").is_dir()


INTERRUPTED = """
import sys, tacit
run = tacit.launch(sys.argv[1], output=sys.argv[2])
for event in run:
    if event["event"] == "epoch" and event["epoch"] == 1 and event["rank"] == 0:
        print("training", flush=True)
"""


def processes_with(text):
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            line = pathlib.Path(f"/proc/{name}/cmdline").read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
        if text in line and int(name) != os.getpid():
            found.append(line.replace("\0", " "))
    return found


@pytest.mark.parametrize("number,code", [(2, -2), (9, -9)])
def test_ctrl_c_and_a_killed_interpreter_end_every_process(tmp_path, number, code):
    job = small_data.job(2, epochs=100000)
    parts = tacit.Graph(**small_data.arrays()).split(job)
    files = [part.save(tmp_path / f"rank{part.rank}.npz") for part in parts]
    job.replace(data={"files": files}).save(tmp_path / "job.toml")
    folder = tmp_path / "run"
    program = subprocess.Popen([sys.executable, "-c", INTERRUPTED, tmp_path / "job.toml", folder], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "training\n"
    assert len(processes_with(str(folder))) >= 5  # this program, the launch, three ranks
    begin = time.monotonic()
    program.send_signal(number)
    out, told = program.communicate(timeout=30)
    assert program.returncode == code and time.monotonic() - begin < 30
    if number == 2:  # by the iteration's exception or, if the signal found the loop's body, at the interpreter's exit
        assert ": all ranks of the run have ended; to go on: tacit.launch(job, parts, output=" in told
        assert "resume=True" in told
    for _ in range(100):
        if not processes_with(str(folder)):
            break
        time.sleep(0.1)
    assert processes_with(str(folder)) == []


def test_a_run_that_nobody_waits_for_ends_with_the_interpreter(tmp_path):
    job = small_data.job(2, epochs=100000)
    files = [part.save(tmp_path / f"rank{part.rank}.npz") for part in tacit.Graph(**small_data.arrays()).split(job)]
    job.replace(data={"files": files}).save(tmp_path / "job.toml")
    program = "import sys, time, tacit; run = tacit.launch(sys.argv[1], output=sys.argv[2]); next(iter(run))"
    told = subprocess.run([sys.executable, "-c", program, tmp_path / "job.toml", tmp_path / "run"], check=True, timeout=60,
                          stderr=subprocess.PIPE, text=True).stderr
    assert "tacit: all ranks of the run have ended; to go on: tacit.launch(job, parts, output=" in told
    assert processes_with(str(tmp_path / "run")) == []


SEEN_AT_EXIT = """
import concurrent.futures, os, sys, time, tacit
with concurrent.futures.ThreadPoolExecutor() as pool:  # a child of a thread outlives a signal to this process alone
    short, *long = pool.map(lambda name: tacit.launch(f"{sys.argv[1]}/{name}.toml", output=f"{sys.argv[1]}/{name}-run"),
                            ["short", "long", "other"])
for run in long:
    next(iter(run))
while short._process.child.poll() is None:
    time.sleep(0.05)
if os.environ.get("CLOSED"):
    sys.stderr.close()
"""


@pytest.mark.parametrize("closed", [False, True])
def test_the_exit_ends_every_run_and_speaks_of_those_that_it_ended(tmp_path, closed):
    for name, epochs, checkpoints in (("long", 100000, {"every": 0}), ("other", 100000, {"every": 2}), ("short", 2, {"every": 2})):
        job = small_data.job(2, epochs=epochs, checkpoints=checkpoints)
        files = [part.save(tmp_path / f"{name}{part.rank}.npz") for part in tacit.Graph(**small_data.arrays()).split(job)]
        job.replace(data={"files": files}).save(tmp_path / f"{name}.toml")
    told = subprocess.run([sys.executable, "-c", SEEN_AT_EXIT, tmp_path], timeout=60, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **({"CLOSED": "1"} if closed else {})}).stderr
    if not closed:
        assert "the job keeps no checkpoints; to begin anew: tacit.launch(job, parts, output=" in told and "other-run" in told
    assert "short-run" not in told
    assert processes_with(str(tmp_path)) == []


def test_a_history_has_the_last_time_of_an_epoch_from_every_rank(tmp_path):
    def event(rank, loss):
        return {"event": "epoch", "rank": rank, "epoch": 3, "loss": loss, "rate": 0.1, "seconds": 1.0 + rank,
                "readings": [] if loss is None else [{"what": "rmse", "value": 2 * loss}],
                "measured": {"rounds": 5, "total": {"payload_sent": 7}}}

    by_file = [event(0, 0.5), event(0, 0.25), event(1, None), event(1, None)]  # rank 0 alone is told the loss, twice
    by_time = [by_file[0], by_file[2], by_file[1], by_file[3]]
    for events in (by_file, by_time):
        assert history_of(events) == [{"epoch": 3, "loss": 0.25, "rmse": 0.5, "rate": 0.1, "seconds": 2.0, "rounds": 5, "bytes": 7}]


def test_a_launch_in_a_thread_outlives_the_thread(tmp_path):
    job, made = small_data.job(2, epochs=50), []
    parts = tacit.Graph(**small_data.arrays()).split(job)
    thread = threading.Thread(target=lambda: made.append(tacit.launch(job, parts, output=tmp_path)))
    thread.start()
    thread.join()
    assert len(history(made[0].wait())) == 50


def test_hosts_are_reached_by_the_given_command_and_tell_events_at_once(tmp_path):
    job = small_data.job(2, epochs=300, checkpoints={"every": 100})
    ssh = tmp_path / "ssh"  # runs the commands of all hosts here
    ssh.write_text('#!/bin/bash\nwhile [ "${1#-}" != "$1" ]; do case $1 in -o|-p) shift;; esac; shift; done\n'
                   'shift\nexec bash -c "$*"\n')
    ssh.chmod(0o700)
    graph = tacit.Graph(**small_data.arrays())
    hosts = [f"127.0.0.1 {tmp_path}/host{rank}" for rank in range(3)]
    environment = os.environ["PATH"]
    os.environ["PATH"] = f"{pathlib.Path(os.environ['TACIT']).parent}:{environment}"
    try:
        run = tacit.launch(job, graph.split(job), hosts, ssh=str(ssh), output=tmp_path / "far")
        first = next(event for event in run if event["event"] == "epoch")
        assert first["epoch"] == 1 and not (run.folder / "rank0" / "summary.json").exists()  # while the ranks run
        run.wait()
    finally:
        os.environ["PATH"] = environment
    for rank in range(2):  # the hosts' files, which came at the end, add nothing
        told = [event["epoch"] for event in run.events if event["event"] == "epoch" and event["rank"] == rank]
        assert told == [*range(1, 301)]
    near = tacit.launch(job, graph.split(job), output=tmp_path / "near").wait()
    assert small_data.losses(run.folder) == small_data.near(small_data.losses(near.folder))
    assert run.metrics == small_data.near(near.metrics)
    assert [row["loss"] for row in history(run)] == small_data.losses(run.folder)


class Ranks:
    """Each rank of a job as a program of its own, over TLS, as parties on different machines start it."""

    def __init__(self, folder, job, parties=2):
        self.folder, self.parties = folder, parties
        small_data.keys(folder, parties)
        graph = tacit.Graph(**small_data.arrays())
        files = [part.save(folder / f"part{part.rank}.npz") for part in graph.split(job)]
        job.replace(data={"files": files}, roster=folder / "roster").save(folder / "job.toml")

    def start(self, programs):
        """One program for each rank, with the job, the rank's key, and the folder of the run as arguments."""
        port = small_data.free_port()
        ranks = []
        for rank, program in enumerate(programs):
            seat = {"RANK": str(rank), "WORLD_SIZE": str(self.parties + 1), "MASTER_ADDR": "127.0.0.1",
                    "MASTER_PORT": str(port)}
            files = [self.folder / name for name in ("job.toml", f"rank{rank}.key", "far")]
            ranks.append(subprocess.Popen([sys.executable, "-c", program, *files], env={**os.environ, **seat},
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        return ranks


def all_gone(folder):
    """True once every process that names the folder has ended. A busy machine takes a while."""
    for _ in range(300):
        if not processes_with(str(folder)):
            return True
        time.sleep(0.1)
    return False


TRAINS = """
import sys, tacit
run = tacit.train(sys.argv[1], key=sys.argv[2], output=sys.argv[3])
print(run.metrics.get("test rmse"))
"""


def test_one_rank_trains_by_the_environment_of_the_command(tmp_path):
    job = small_data.job(2)
    graph = tacit.Graph(**small_data.arrays())
    near = tacit.launch(job, graph.split(job), output=tmp_path / "near").wait()
    ranks = Ranks(tmp_path, job).start([TRAINS] * 3)
    told = [rank.communicate(timeout=60) for rank in ranks]
    assert [rank.returncode for rank in ranks] == [0, 0, 0], told
    assert small_data.losses(tmp_path / "far") == small_data.near(small_data.losses(near.folder))
    assert told[0][0] == told[1][0] and float(told[0][0]) == small_data.near(near.metrics["test rmse"])


# Prints one event, and goes on: `resumed`, or the first `epoch` from epoch 4 on.
TELLS = """
import sys, tacit
told = []
def tell(event):
    if not told and (event["event"] == "resumed" or event["event"] == "epoch" and event["epoch"] >= 4):
        told.append(event["event"])
        print(told[0], flush=True)
tacit.train(sys.argv[1], key=sys.argv[2], output=sys.argv[3], on_event=tell, resume=RESUME)
"""


def test_ctrl_c_ends_a_rank_that_trains_and_says_how_to_go_on_and_the_others_hear_of_it(tmp_path):
    made = Ranks(tmp_path, small_data.job(2, epochs=1_000_000))
    for resume, first in ((False, "epoch\n"), (True, "resumed\n")):
        ranks = made.start([TELLS.replace("RESUME", str(resume))] * 3)
        try:
            assert ranks[0].stdout.readline() == first, ranks[0].stderr.read()
            ranks[0].send_signal(2)
            told = [rank.communicate(timeout=60)[1] for rank in ranks]
        finally:
            for rank in ranks:
                rank.kill()
        assert [rank.returncode for rank in ranks] == [-2, 1, 1], told
        assert "KeyboardInterrupt: this rank has ended, and with it the others; to go on: tacit.train(job, part, " in told[0]
        assert "resume=True) at every rank" in told[0] and "Exception ignored" not in told[0]
        for other in told[1:]:
            assert "tacit.errors.NetError: " in other and "rank 0" in other
        assert all_gone(tmp_path)


def test_an_exception_of_a_callback_of_one_rank_reaches_its_program_and_ends_the_others(tmp_path):
    tells = TELLS.replace("RESUME", "False")
    raises = tells.replace("print(told[0], flush=True)", "raise LookupError('of the callback')")
    ranks = Ranks(tmp_path, small_data.job(2, epochs=1_000_000)).start([tells, raises, tells])
    told = [rank.communicate(timeout=60)[1] for rank in ranks]
    assert [rank.returncode for rank in ranks] == [1, 1, 1]
    assert "LookupError: of the callback" in told[1] and "LookupError" not in told[0]
    assert all("tacit.errors.NetError: " in other and "rank 1" in other for other in (told[0], told[2]))
    assert all_gone(tmp_path)


@pytest.mark.parametrize("place", ["sleep", "ended", "new"])
def test_ctrl_c_ends_a_run_in_whatever_line_it_comes(tmp_path, monkeypatch, place):
    job = small_data.job(2, epochs=100000)
    run = tacit.launch(job, tacit.Graph(**small_data.arrays()).split(job), output=tmp_path)
    next(event for event in run if event["event"] == "epoch")

    def interrupt(*_):
        monkeypatch.undo()
        raise KeyboardInterrupt

    owner = {"sleep": time, "ended": run._process, "new": run._files}[place]
    monkeypatch.setattr(owner, place, interrupt)
    with pytest.raises(KeyboardInterrupt, match="all ranks of the run have ended; to go on: tacit.launch"):
        run.wait()
    assert not run.running and all_gone(tmp_path)


def test_predictions_come_in_the_order_of_who(tmp_path):
    names = [f"{n * 7 % small_data.NODES}" if n % 2 else f"place #{n}, \"{n}\"" for n in range(small_data.NODES)]
    for ids in (None, names):
        job = small_data.job(2, classes=True)
        graph = tacit.Graph(**small_data.arrays(True), ids=ids)
        run = tacit.launch(job, graph.split(job), output=tmp_path / f"ids {ids is not None}").wait()
        every, probabilities = run.predict(to=1, probabilities=True)
        nodes = [39, 3, 5, 39, 1]
        who = nodes if ids is None else [ids[node] for node in nodes]  # numbers, but of other nodes
        values, beside = run.predict(to=1, who=who, probabilities=True)
        numpy.testing.assert_array_equal(values, every[nodes])
        numpy.testing.assert_allclose(beside, probabilities[nodes], rtol=0, atol=4e-3)
        assert run.predict(to=1, who=who[0]).tolist() == [every[nodes[0]]]
    with pytest.raises(tacit.ConfigError, match="who names no node"):
        run.predict(to=1, who=[])
    with pytest.raises(tacit.ConfigError, match="the id 'place #0, .0.' in who cannot stand in a list of nodes"):
        run.predict(to=1, who=[names[0]])
    with pytest.raises(tacit.ConfigError, match="there are 1 parts; expected 2"):
        run.predict(graph.split(job, predict=True)[:1], to=1)


def test_predictions_of_snapshots_have_the_shape_of_the_targets(tmp_path):
    times, arrays = 3, small_data.arrays()
    x = arrays["x"] * numpy.array([1, 0.5, -1]).reshape(times, 1, 1)
    masks = {f"{key}_mask": numpy.arange(times) == time for time, key in enumerate(("train", "val", "test"))}
    graph = tacit.Graph(x=x, y=x[:, :, 0], edge_index=arrays["edge_index"], snapshots=times, **masks)
    job = small_data.job(2, data={"snapshots": times}, reveal={"model": "everyone"})
    run = tacit.launch(job, graph.split(job), output=tmp_path / "run").wait()
    told = run.predict(to=1)
    assert told.shape == (times, small_data.NODES)
    numpy.testing.assert_allclose(told, tacit.load_model(run.folder)(graph), rtol=0, atol=0.05)
    numpy.testing.assert_allclose(run.predict(to=1, who=[5, 2]), told[:, [5, 2]], rtol=0, atol=4e-3)


def test_a_model_of_a_graph_needs_its_edges(tmp_path):
    job = small_data.job(2)
    graph = tacit.Graph(**small_data.arrays())
    model = tacit.launch(job, graph.split(job), output=tmp_path).wait().model()
    with pytest.raises(tacit.ConfigError, match="the model reads edges, and there is no edge_index"):
        model(graph.x)
    apart = model(graph.x, numpy.zeros((2, 0), int))
    assert apart.shape == (small_data.NODES,) and numpy.abs(apart - model(graph)).max() > 0.01
