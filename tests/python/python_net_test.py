"""tacit.net: sums of all parties' arrays, in threads over a mesh in memory and in processes over TLS."""

import gc
import os
import signal
import threading
import time

import numpy
import pytest
import ranks
import tacit
from shares import OnACard

PARTIES = [1, 2, 3, 5]
SHAPES = [(1, 1), (1, 7), (6, 1), (3, 5), (2, 3, 4), (1000,), ()]

pytestmark = pytest.mark.filterwarnings("error")


def own(rank, shape, dtype=numpy.float64):
    return (100 * numpy.random.default_rng([rank, *shape]).normal(size=shape)).astype(dtype)


# Sums.


@pytest.mark.parametrize("parties", PARTIES)
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_are_those_of_numpy_with_equal_bits_at_every_rank(parties, shape):
    expected = sum(own(rank, shape) for rank in range(parties))

    def program(mesh):
        return mesh.all_reduce(own(mesh.rank, shape)), mesh.secure_sum(own(mesh.rank, shape))

    results = ranks.results_of(parties, program)
    for all_reduced, secure in results:
        assert all_reduced.shape == secure.shape == shape
        numpy.testing.assert_allclose(all_reduced, expected, rtol=0, atol=1e-11)
        numpy.testing.assert_allclose(secure, expected, rtol=0, atol=1e-11)
        numpy.testing.assert_array_equal(all_reduced, results[0][0])
        numpy.testing.assert_array_equal(secure, results[0][1])


@pytest.mark.parametrize("dtype, result", [("f2", "f4"), ("f4", "f4"), ("f8", "f8"), (">f8", "f8"), ("i1", "i8"), ("u2", "i8"),
                                           ("i8", "i8"), ("u8", "i8"), ("?", "i8")])
def test_every_type_of_numbers_has_a_sum_that_is_wide_enough(dtype, result):
    arrays = [numpy.array([[1, 0, 100], [7, 3, 1]]).astype(dtype) for _ in range(3)]
    for call in ("all_reduce", "secure_sum"):
        for got in ranks.results_of(3, lambda mesh: getattr(mesh, call)(arrays[mesh.rank])):
            assert got.dtype == result
            numpy.testing.assert_array_equal(got, 3 * arrays[0].astype("f8"))


@pytest.mark.parametrize("scale", [1e-300, 1e-20, 1.0, 1e20, 1e300])
def test_a_sum_is_exact_to_a_part_of_the_largest_element(scale):
    arrays = [scale * own(rank, (50,)) for rank in range(3)]
    got = ranks.results_of(3, lambda mesh: mesh.all_reduce(arrays[mesh.rank]))[0]
    assert numpy.abs(got - sum(arrays)).max() <= 2.0**-50 * numpy.abs(arrays).max()


def test_large_integers_are_added_exactly_and_refused_beyond_64_bits():
    results = ranks.results_of(2, lambda mesh: mesh.all_reduce([2**60 + mesh.rank, -5]))
    for result in results:
        assert result.tolist() == [2**61 + 1, -10]
    for result in ranks.threads(2, lambda mesh: mesh.all_reduce([2**62])):
        assert isinstance(result, tacit.ConfigError) and "could leave the 64 bits" in str(result)
    for result in ranks.threads(2, lambda mesh: mesh.all_reduce(numpy.array([2**63], "u8"))):
        assert isinstance(result, (tacit.ConfigError, tacit.NetError))


def test_cancelling_summands_leave_exactly_zero():
    x = own(0, (20, 20))
    for result in ranks.results_of(2, lambda mesh: mesh.secure_sum(x if mesh.rank else -x)):
        assert not result.any()


def uniformity(view, step):
    """Size and chi-square of the first long message of each other rank in a step, which has that rank's own words."""
    first = {}
    for sender, at, data in view:
        if at == step and data.size > 100:
            first.setdefault(sender, data)  # sums follow
    data = numpy.concatenate(list(first.values()))
    counts = numpy.bincount(data, minlength=256)
    return data.size, ((counts - data.size / 256) ** 2 / (data.size / 256)).sum()


@pytest.mark.parametrize("parties", [2, 3, 5])
def test_an_array_leaves_its_party_under_masks_alone(parties):
    x = numpy.full((100, 200), 3.0)

    def program(mesh):
        mesh.secure_sum(x)
        mesh.all_reduce(x)
        return mesh.view()

    for view in ranks.results_of(parties, program, record=True):
        size, chi_square = uniformity(view, "secure sum")
        assert size >= 0.8 * (parties - 1) / parties * x.nbytes
        assert 120 < chi_square < 420, f"{chi_square} of 255 degrees of freedom"
        assert uniformity(view, "all reduce")[1] > 1e5  # without masks, the same measure sees the words


# Other collectives.


@pytest.mark.parametrize("parties", PARTIES)
@pytest.mark.parametrize("dtype", ["f8", "i2", "?", ">f4"])
def test_broadcast_and_gather_keep_type_and_shape(parties, dtype):
    def program(mesh):
        last = mesh.parties - 1
        sent = mesh.broadcast(own(7, (3, 4), dtype) if mesh.rank == last else None, root=last)
        return sent, mesh.gather(own(mesh.rank, (mesh.rank + 1, 2), dtype), root=last), mesh.gather(mesh.rank)

    for rank, (sent, gathered, numbers) in enumerate(ranks.results_of(parties, program)):
        assert sent.dtype == numpy.dtype(dtype).newbyteorder("<") and sent.flags.writeable
        numpy.testing.assert_array_equal(sent, own(7, (3, 4), dtype))
        assert (gathered is not None) == (rank == parties - 1) and (numbers is not None) == (rank == 0)
        for of, part in enumerate(gathered or []):
            numpy.testing.assert_array_equal(part, own(of, (of + 1, 2), dtype))
        if rank == 0:
            assert [int(number) for number in numbers] == list(range(parties)) and numbers[0].shape == ()


def test_a_barrier_waits_for_the_slowest():
    begun = time.monotonic()

    def program(mesh):
        if mesh.rank == 1:
            time.sleep(0.3)
        mesh.barrier()
        return time.monotonic() - begun

    assert min(ranks.results_of(3, program)) >= 0.3


def test_traffic_counts_what_was_sent():
    def program(mesh):
        before = mesh.traffic()
        mesh.broadcast(numpy.zeros(1000) if mesh.rank == 0 else None)
        after = mesh.traffic()
        return {name: after[name] - before[name] for name in after}

    results = ranks.results_of(3, program)
    assert [result["rounds"] for result in results] == [2, 2, 2]
    assert [result["bytes_sent"] for result in results] == [2 * (128 + 8000), 256, 256]


# Gradients.


@pytest.mark.parametrize("parties", PARTIES)
@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize("bucket_mb", [1e-5, 25])
def test_means_of_gradients_are_right_and_equal_at_every_rank(parties, secure, bucket_mb):
    shapes = [(3, 4), (5,), (1, 1), (7, 2)]

    def gradient(rank, step, p):
        return numpy.random.default_rng([rank, step, p]).normal(size=shapes[p]).astype("f4")

    def program(mesh):
        sums = mesh.gradients(shapes, bucket_mb=bucket_mb, secure=secure)
        means = []
        for step in range(3):
            for p in ([0, 1, 2, 3], [3, 2, 1, 0])[mesh.rank % 2]:  # any order
                sums.ready(p, gradient(mesh.rank, step, p))
            sums.finish()
            means.append([sums.mean(p) for p in range(4)])
        assert set(sums.times()) == {"communicating", "hidden"}
        return means

    results = ranks.results_of(parties, program)
    for step in range(3):
        for p, shape in enumerate(shapes):
            expected = sum(gradient(rank, step, p) for rank in range(parties)) / parties
            for result in results:
                assert result[step][p].shape == shape and result[step][p].dtype == numpy.float32
                assert numpy.abs(result[step][p] - expected).max() < 1e-6
                numpy.testing.assert_array_equal(result[step][p], results[0][step][p])


def test_buckets_travel_while_the_program_computes():
    def program(mesh):
        sums = mesh.gradients([(100_000,)] * 4, bucket_mb=0.4)
        for p in range(4):
            sums.ready(p, numpy.ones(100_000))
            time.sleep(0.1)
        sums.finish()
        return sums.times()

    for times in ranks.results_of(2, program):
        assert 0 < times["hidden"] <= times["communicating"]  # without overlap, nothing is hidden


def test_wrong_gradients_are_refused_in_a_sentence():
    def program(mesh):
        sums = mesh.gradients([(2, 3), (4,)])
        refused = []
        for call in [lambda: sums.ready(2, numpy.ones(4)), lambda: sums.ready(0, numpy.ones((3, 2))),
                     lambda: sums.ready(0, numpy.full((2, 3), numpy.nan)), lambda: sums.ready(0, numpy.full((2, 3), 12345.0)),
                     lambda: sums.finish(), lambda: sums.mean(0), lambda: mesh.gradients([]), lambda: mesh.gradients([(0,)]),
                     lambda: mesh.gradients([(2.5,)]), lambda: mesh.gradients([(-1, -2)]),
                     lambda: mesh.gradients([(1,)], bucket_mb=0)]:
            with pytest.raises(tacit.ConfigError) as raised:
                call()
            refused.append(str(raised.value))
            assert "12345" not in refused[-1] and raised.value.culprit is None
            assert ("12345" in raised.value.detail) == ("is larger than" in refused[-1])  # for this rank's user alone
        sums.close()
        with pytest.raises(tacit.ConfigError, match="the sum of gradients was closed"):
            sums.finish()
        return refused

    expected = ["ready: parameter is 2; expected a whole number from 0 to 1", "has the shape (3, 2); expected (2, 3)",
                "6 of 6 elements are NaN", "is not a number or is larger than", "before ready() for parameter 0",
                "before finish()", "of one parameter or more", "shapes[0] is 0; expected a whole number",
                "shapes[0] is 2.5", "shapes[0] is -1", "bucket_mb is 0"]
    for sentences in ranks.results_of(2, program):
        assert len(sentences) == len(expected)
        for sentence, part in zip(sentences, expected):
            assert part in sentence


def test_ranks_with_other_parameters_hear_one_sentence():
    for result in ranks.threads(2, lambda mesh: mesh.gradients([(2 + mesh.rank,)])):
        assert isinstance(result, tacit.ConfigError)


# Refusals.


@pytest.mark.parametrize("value, sentence", [
    ([1.0, float("nan")], "1 of 2 elements are NaN or infinite"),
    (numpy.array([None]), "the elements have the type object"),
    (["a"], "the elements have the type <U1"),
    ([], "has no elements"),
    ([98765.5], "1 of 1 elements lie beyond the declared bound of 1024"),
    (numpy.zeros((1,) * 9), "has 9 dimensions; expected at most 8"),
    (numpy.longdouble([1]), "the elements have the type float128"),
])
def test_bad_arrays_are_refused_before_anything_is_sent(value, sentence):
    (mesh,) = tacit.net.in_memory(1)
    with mesh:
        with pytest.raises(tacit.ConfigError, match=sentence) as raised:
            mesh.secure_sum(value)
        assert "98765" not in str(raised.value)
        assert mesh.traffic()["messages_sent"] == 0
        numpy.testing.assert_array_equal(mesh.secure_sum([2.5]), [2.5])


def test_a_tensor_on_a_card_is_refused_by_every_call_and_nothing_is_sent():
    (mesh,) = tacit.net.in_memory(1)
    with mesh:
        sums = mesh.gradients([(2, 2)])
        before = mesh.traffic()
        for call in [mesh.all_reduce, mesh.secure_sum, mesh.broadcast, mesh.gather, lambda tensor: sums.ready(0, tensor)]:
            with pytest.raises(tacit.ConfigError, match="is on the device cuda:0; expected one on the CPU: pass tensor.cpu"):
                call(OnACard())
        assert mesh.traffic() == before


@pytest.mark.parametrize("program, sentence", [
    (lambda mesh: mesh.all_reduce(numpy.zeros((2, 2 + mesh.rank // 2))),
     "rank 2 has an array of float64 of shape (2, 3), and rank 0 an array of float64 of shape (2, 2)"),
    (lambda mesh: mesh.all_reduce(numpy.zeros(2, "f4" if mesh.rank == 2 else "f8")), "rank 2 has an array of float32"),
    (lambda mesh: mesh.barrier() if mesh.rank else mesh.gather([1]), "rank 1 called barrier, and rank 0 gather"),
    (lambda mesh: mesh.gather([1], root=mesh.rank), "rank 1 has root=1, and rank 0 root=0"),
    (lambda mesh: mesh.secure_sum([1.0], bound=2 + mesh.rank // 2), "rank 2 has bound=3, and rank 0 bound=2"),
    (lambda mesh: mesh.secure_sum([1.0]) if mesh.rank == 1 else mesh.all_reduce([1.0]), "rank 1 called secure_sum"),
    (lambda mesh: mesh.gradients([(2,)]) if mesh.rank == 2 else mesh.barrier(), "rank 2 called gradients, and rank 0 barrier"),
])
def test_ranks_that_differ_are_named_at_every_rank(program, sentence):
    for result in ranks.threads(3, program):
        assert isinstance(result, tacit.ConfigError) and sentence in str(result), result


def test_an_exception_at_one_rank_ends_all_and_tells_no_text():
    def program(mesh):
        if mesh.rank == 1:
            raise KeyError("a secret of rank 1")
        mesh.barrier()

    results = ranks.threads(3, program)
    assert isinstance(results[1], KeyError)
    for rank in (0, 2):
        assert isinstance(results[rank], tacit.NetError) and results[rank].culprit == 1
        assert "its program raised KeyError" in str(results[rank]) and "secret" not in str(results[rank])


def test_a_rank_that_is_too_late_is_named():
    def program(mesh):
        if mesh.rank == 1:
            time.sleep(1.5)
        mesh.barrier()

    results = ranks.threads(2, program, patience=0.5)
    assert isinstance(results[0], tacit.NetError) and "rank 1" in str(results[0]) and "kept rank 0 waiting" in str(results[0])


def test_a_closed_mesh_says_so():
    (mesh,) = tacit.net.in_memory(1)
    with mesh:
        assert mesh.rank == 0 and mesh.parties == 1 and repr(mesh) == "<tacit.net.Mesh: rank 0 of 1>"
    for call in [mesh.barrier, lambda: mesh.secure_sum([1.0])]:
        with pytest.raises(tacit.ConfigError, match="the mesh has ended .it was closed."):
            call()
    mesh.close()
    with pytest.raises(tacit.ConfigError, match="this mesh keeps no messages"):
        mesh.view()


def test_a_mesh_needs_its_key_and_roster_and_place(monkeypatch, tmp_path):
    for variable in ("TACIT_KEY", "TACIT_ROSTER", "RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(tacit.ConfigError, match="no key is named; expected a file: from_env.key=...., or TACIT_KEY"):
        tacit.net.from_env()
    with pytest.raises(tacit.ConfigError, match="no roster is named"):
        tacit.net.from_env(key="rank0.key")
    with pytest.raises(tacit.ConfigError, match="WORLD_SIZE is not set"):
        tacit.net.from_env(key=tmp_path / "rank0.key", roster=tmp_path / "roster")
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", "2")
    with pytest.raises(tacit.ConfigError, match="RANK is \"2\"; expected this process's rank below WORLD_SIZE = 2"):
        tacit.net.from_env(key=tmp_path / "rank0.key", roster=tmp_path / "roster")


# Threads, processes, signals.


def test_no_thread_is_left_and_a_fork_may_not_use_the_mesh():
    gc.collect()
    before = len(os.listdir("/proc/self/task"))
    (mesh,) = tacit.net.in_memory(1)
    with mesh:
        sums = mesh.gradients([(2,)])
        sums.ready(0, [1, 2])
        sums.finish()
        child = os.fork()
        if child == 0:
            refused = 0
            for call in [mesh.barrier, sums.finish, mesh.close]:
                try:
                    call()
                except tacit.ConfigError as error:
                    refused += "a fork has none of its threads" in str(error)
            os._exit(refused)
        assert os.waitpid(child, 0)[1] >> 8 == 3
        mesh.barrier()
    assert len(os.listdir("/proc/self/task")) == before


def test_ctrl_c_is_heard_while_a_peer_is_silent():
    mesh, silent = tacit.net.in_memory(2)
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.3, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        mesh.all_reduce([1.0])
    assert time.monotonic() - sent[0] < 30
    with pytest.raises(tacit.NetError, match="it was interrupted"):
        silent.barrier()
    with pytest.raises(tacit.ConfigError, match="it was interrupted in the step \"compare calls\""):
        mesh.barrier()


TRAIN = """
import ctypes, resource, numpy, tacit.net
with tacit.net.from_env(deadline=30) as mesh:
    closed = resource.getrlimit(resource.RLIMIT_CORE) == (0, 0) and ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) == 0  # PR_GET_DUMPABLE
    x = numpy.random.default_rng(mesh.rank).normal(size=(100, 5))
    total = mesh.secure_sum(x, bound=10)
    sums = mesh.gradients([x.shape], secure=True)
    sums.ready(0, x)
    sums.finish()
    print(mesh.rank, float(total.sum()), float(sums.mean(0).sum()), mesh.traffic()["wire_bytes_sent"] > 4000, closed)
"""


def test_processes_join_over_tls_and_add_up(tmp_path):
    arrays = [numpy.random.default_rng(rank).normal(size=(100, 5)) for rank in range(3)]
    for rank, (code, output, errors) in enumerate(ranks.Processes(tmp_path, 3).run(TRAIN)):
        assert code == 0, errors
        number, total, mean, encrypted, closed = output.split()
        assert int(number) == rank and encrypted == "True" and closed == "True"
        assert abs(float(total) - sum(arrays).sum()) < 1e-9 and abs(float(mean) - sum(arrays).sum() / 3) < 1e-3


def test_a_process_that_dies_is_named_by_the_others(tmp_path):
    program = TRAIN.replace("    total", "    if mesh.rank == 1:\n        import os; os._exit(9)\n    total")
    results = ranks.Processes(tmp_path, 3).run(program)
    assert results[1][0] == 9
    for code, _, errors in (results[0], results[2]):
        assert code == 1 and "tacit.errors.NetError: rank 1" in errors


def test_ctrl_c_ends_a_process_that_waits_for_a_silent_one_and_tells_it(tmp_path):
    program = """
import time, tacit
with tacit.net.from_env(deadline=30) as mesh:
    mesh.barrier()
    print("together", flush=True)
    if mesh.rank == 1: time.sleep(2)
    mesh.all_reduce([1.0])
"""
    processes = ranks.Processes(tmp_path, 2)
    started = [processes.start(rank, program) for rank in range(2)]
    assert [process.stdout.readline() for process in started] == ["together\n"] * 2
    time.sleep(0.3)
    begun = time.monotonic()
    started[0].send_signal(signal.SIGINT)
    _, interrupted = started[0].communicate(timeout=60)
    assert time.monotonic() - begun < 30 and "KeyboardInterrupt" in interrupted
    _, told = started[1].communicate(timeout=60)
    assert started[1].returncode == 1 and "tacit.errors.NetError" in told and "it was interrupted" in told


FORKS = """
import os, sys, tacit.net
with tacit.net.from_env(deadline=30) as mesh:
    sums = mesh.gradients([(3,)], secure=True)
    child = os.fork()
    if child == 0:
        for call in (mesh.barrier, lambda: mesh.secure_sum([1.0]), lambda: sums.ready(0, [1, 2, 3]), sums.finish):
            try:
                call()
                os._exit(1)
            except tacit.ConfigError as error:
                if "a fork has none of its threads" not in str(error):
                    os._exit(2)
        sys.exit(7)  # the with statement ends here, too
    assert os.waitpid(child, 0)[1] >> 8 == 7
    sums.ready(0, [1, 2, 3])
    sums.finish()
    print(mesh.secure_sum([1.0]), sums.mean(0))
"""


def test_a_fork_of_an_open_mesh_ends_alone_and_the_ranks_go_on(tmp_path):
    for code, output, errors in ranks.Processes(tmp_path, 2).run(FORKS):
        assert (code, output, errors) == (0, "[2.] [1. 2. 3.]\n", "")


def test_a_key_that_others_may_read_is_refused(tmp_path):
    processes = ranks.Processes(tmp_path, 2)
    (tmp_path / "rank0.key").chmod(0o644)
    process = processes.start(0, TRAIN)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and "tacit.errors.ConfigError" in errors and "rank0.key" in errors and output == ""


def test_ctrl_c_while_ranks_are_missing_ends_the_process_once_the_others_are_told(tmp_path):
    process = ranks.Processes(tmp_path, 2).start(0, "print('begins', flush=True)\n" + TRAIN)
    process.stdout.readline()
    time.sleep(1)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - begun < 30 and "KeyboardInterrupt" in errors
