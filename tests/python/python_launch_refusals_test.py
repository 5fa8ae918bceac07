"""Mistakes in jobs, data and calls: the exception, its sentence, and no process, thread or lock that stays."""

import json
import os
import pathlib
import threading
import time

import numpy
import pytest
import small_data
import tacit


@pytest.fixture(autouse=True)
def nothing_stays():
    threads = threading.active_count()
    yield
    assert not small_data.children() and threading.active_count() == threads


def parts_of(job, **change):
    return tacit.Graph(**{**small_data.arrays(), **change}).split(job)


def fails(kind, sentence, *arguments, **more):
    with pytest.raises(kind) as failed:
        tacit.launch(*arguments, **more).wait()
    assert sentence in str(failed.value), failed.value
    return failed.value


def test_missing_features_are_named_with_rank_and_remedy(tmp_path):
    job = small_data.job(2)
    parts = parts_of(job)
    parts[1] = parts[1]._with(x=numpy.where(numpy.arange(small_data.NODES)[:, None] == 3, numpy.nan, parts[1].x))
    error = fails(tacit.ConfigError, "x: row 3, column 0 is not a finite number; fill in what is missing", job, parts,
                  output=tmp_path)
    assert str(error).startswith("rank 1: ") and error.culprit == 1
    assert "missing = \"mean\"" in str(error)
    filled = job.replace(preprocessing={"missing": "mean"})
    assert tacit.launch(filled, parts, output=tmp_path).wait().metrics  # the same folder: nothing was trained in it


def test_features_beyond_the_declared_range_are_named(tmp_path):
    job = small_data.job(2, preprocessing={"features": "none"}, ranges={"features": 4})
    x = small_data.arrays()["x"]
    x[5, 0] = 1e300
    parts = parts_of(job, x=x)
    assert any("range" in one for one in parts[0].check(job).wrong)
    assert fails(tacit.ConfigError, "ranges.features", job, parts, output=tmp_path).culprit == 0


def test_a_part_of_another_rank_or_size_is_named(tmp_path):
    job = small_data.job(2)
    parts = parts_of(job)
    fails(tacit.ConfigError, "there are 1 parts; expected 2", job, parts[:1], output=tmp_path / "a")
    fails(tacit.ConfigError, "part 0 is rank 1's; expected the parts in the order of ranks", job, parts[::-1],
          output=tmp_path / "b")
    fails(tacit.ConfigError, "parts is one graph; expected a list with the part of each party: graph.split(job)", job,
          tacit.Graph(**small_data.arrays()), output=tmp_path / "c")
    fails(tacit.ConfigError, "part 1 is of the type ndarray", job, [parts[0], numpy.zeros(3)], output=tmp_path / "d")
    short = tacit.Graph(**small_data.arrays(nodes=30)).split(job)
    fails(tacit.ConfigError, "nodes", job, [parts[0], short[1]], output=tmp_path / "e")
    fails(tacit.ConfigError, "cannot be read: No such file", job, [tmp_path / "none.npz", parts[1]], output=tmp_path / "f")


def test_a_job_of_another_type_or_without_data_is_named(tmp_path):
    fails(tacit.ConfigError, "the job is of the type dict; expected a tacit.Job, or the path of a job file", {"name": "x"},
          output=tmp_path / "a")
    fails(tacit.ConfigError, "data.files", small_data.job(2), output=tmp_path / "b")
    fails(tacit.ConfigError, "resume and afresh contradict each other", small_data.job(2), output=tmp_path / "c", resume=True,
          afresh=True)
    fails(tacit.ConfigError, "expected none, auto, cuda", small_data.job(2), parts_of(small_data.job(2)),
          output=tmp_path / "f", device="gpu")
    fails(tacit.ConfigError, "ssh is given without hosts", small_data.job(2), output=tmp_path / "d", ssh="ssh")
    fails(tacit.ConfigError, "checkpoint", small_data.job(2), parts_of(small_data.job(2)), output=tmp_path / "e", resume=True)


def test_two_runs_in_one_folder_are_refused_and_the_first_goes_on(tmp_path):
    job = small_data.job(2, epochs=300)
    parts = parts_of(job)
    first = tacit.launch(job, parts, output=tmp_path)
    fails(tacit.ConfigError, "another run writes in this folder; expected a folder of one run", job, parts, output=tmp_path,
          afresh=True)
    first.wait()
    assert len(small_data.losses(tmp_path)) == 300
    before = (tmp_path / "launch/job.toml").read_text()
    fails(tacit.ConfigError, "holds the results of a run that has finished; expected a folder without: name another output, or "
          "say afresh=True", job.replace(training={"epochs": 2}), parts, output=tmp_path)
    assert (tmp_path / "launch/job.toml").read_text() == before and first.predict(to=0).shape == (small_data.NODES,)


def test_a_run_works_on_a_copy_of_its_job_and_arrays(tmp_path):
    job, arrays = small_data.job(2, epochs=100), small_data.arrays()
    parts = tacit.Graph(**arrays).split(job)
    run = tacit.launch(job, parts, output=tmp_path / "changed")
    for part in parts:
        for array in part.arrays.values():
            array[...] = 0
    with pytest.raises(AttributeError, match="a job never changes"):
        job.training = {"epochs": 3}
    run.wait()
    whole = tacit.launch(job, tacit.Graph(**small_data.arrays()).split(job), output=tmp_path / "whole").wait()
    assert small_data.losses(run.folder) == small_data.near(small_data.losses(whole.folder))
    assert len(small_data.losses(run.folder)) == 100


def test_an_exception_of_a_callback_ends_the_run_and_reaches_the_caller(tmp_path):
    job, calls = small_data.job(2, epochs=100000), []

    def callback(event):
        calls.append(event)
        if event["event"] == "epoch":
            raise LookupError("the callback's own")

    run = tacit.launch(job, parts_of(job), output=tmp_path, on_event=callback)
    with pytest.raises(LookupError, match="the callback's own"):
        run.wait()
    assert not run.running and calls[-1]["event"] == "epoch" and sum(event["event"] == "epoch" for event in calls) == 1
    assert run.wait() is run
    assert tacit.launch(job.replace(training={"epochs": 5}), parts_of(job), output=tmp_path, afresh=True).wait()


def test_a_slow_callback_delays_no_rank(tmp_path):
    job, ended = small_data.job(2, epochs=40), []

    def finished():
        summaries = [json.loads(path.read_text()) for path in sorted(tmp_path.glob("rank*/summary.json"))]
        return [summary["rank"] for summary in summaries if summary["result"] == "finished"]

    def callback(event):
        if event["event"] != "epoch" or ended:
            return
        deadline = time.monotonic() + 120  # all ranks end while the callback of the first epoch is under way
        while time.monotonic() < deadline and len(finished()) < 3:
            time.sleep(0.05)
        ended.extend(finished())

    run = tacit.launch(job, parts_of(job), output=tmp_path, on_event=callback).wait()
    assert ended == [0, 1, 2] and len(run.history) == 40


def test_a_lost_rank_is_a_net_error_that_names_it(tmp_path):
    job = small_data.job(2, epochs=100000)
    run = tacit.launch(job, parts_of(job), output=tmp_path)
    next(event for event in run if event["event"] == "epoch")
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            line = pathlib.Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if str(tmp_path).encode() in b" ".join(line) and b"train" in line and b"1" == line[line.index(b"--rank") + 1]:
            os.kill(int(name), 9)
    with pytest.raises(tacit.NetError) as failed:
        run.wait()
    assert "rank" in str(failed.value) and "1" in str(failed.value)
    assert "failed" in repr(run)


def test_a_folder_that_is_no_run_or_cannot_be_written_is_named(tmp_path):
    with pytest.raises(tacit.ConfigError, match="is no folder of a run"):
        tacit.Run.open(tmp_path)
    (tmp_path / "file").write_text("")
    fails(tacit.ConfigError, "cannot be written", small_data.job(2), parts_of(small_data.job(2)), output=tmp_path / "file")


def test_one_rank_alone_hears_what_is_wrong(tmp_path):
    job = small_data.job(2)
    with pytest.raises(tacit.ConfigError, match="rank"):
        tacit.train(job, parts_of(job)[0], output=tmp_path)  # nobody says which rank
    small_data.keys(tmp_path, 2)
    seated = job.replace(roster=tmp_path / "roster")
    more = {"rank": 0, "key": tmp_path / "rank0.key", "master": f"127.0.0.1:{small_data.free_port()}",
            "output": tmp_path / "run"}
    with pytest.raises(tacit.NetError, match="rank"):
        tacit.train(seated, parts_of(job)[0], deadline=0.5, **more)  # nobody else is there
    wrong = tacit.Graph(**small_data.arrays())
    with pytest.raises(tacit.ConfigError, match="do not fit the job.*\n.*rank 0 holds none of it"):
        tacit.train(seated, wrong, deadline=0.5, **more)
