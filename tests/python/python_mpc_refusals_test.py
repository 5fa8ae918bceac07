"""tacit.mpc: costs and views; every refusal has its sentence; no thread and no process is left."""

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest
import tacit
from shares import OnACard, numbers, seen

pytestmark = pytest.mark.filterwarnings("error")


def threads():
    return len(os.listdir("/proc/self/task"))


# Costs and views.


def test_the_measured_cost_is_the_stated_one(s):
    before = s.cost()
    x = s.share(numbers((6, 4)))
    ((x @ x.T).relu().softmax() > 0.1).reveal("bits")
    cost = s.cost() - before
    assert cost.rounds == sum(line.rounds for line in cost.by_protocol) > 0
    assert cost.dealt_bytes == sum(line.dealt_bytes for line in cost.by_protocol)
    assert cost.made_bytes == sum(line.made_bytes for line in cost.by_protocol)
    assert (cost.dealt_bytes > 0) != (cost.made_bytes > 0)  # one source of correlations
    assert cost.bytes == sum(line.bytes for line in cost.by_protocol) > 0  # openings this small cost each party the same


def test_a_relu_costs_what_the_documents_say(pair):
    x = pair.share(numbers((10, 10)), bound=4)
    before = pair.cost()
    x.relu()
    cost = pair.cost() - before
    assert {line.protocol: line.rounds for line in cost.by_protocol if line.rounds} == {"show": 1, "non-negative": 2}
    before = pair.cost()
    x + x - 1.5 * x
    assert (pair.cost() - before).rounds == 0


def test_lengths_of_messages_do_not_depend_on_the_secrets():
    lengths = []
    for x in [numpy.zeros((5, 3)), numpy.full((5, 3), -18.0), numbers((5, 3))]:
        with tacit.mpc.simulate(parties=3) as s:
            a = s.share(x)
            (a @ a.T > 0).softmax().reveal("the end")
            lengths.append(sorted((rank, m.sender, m.step, m.data.size) for rank in range(4) for m in s.view(rank)))
    assert lengths[0] == lengths[1] == lengths[2] and len(lengths[0]) > 30


@pytest.mark.parametrize("secret", [0.0, 1.0, -1000.0])
def test_a_view_holds_uniform_bytes_whatever_the_secret(secret):
    with tacit.mpc.simulate(parties=3) as s:
        x = s.share(numpy.full((200, 100), secret))
        x.relu()
        x @ x.T
        for rank in range(3):
            data = numpy.concatenate([m.data for m in s.view(rank) if m.step in ("relu", "matmul") and m.sender < 3])
            assert data.size > 100_000
            counts = numpy.bincount(data, minlength=256)
            chi_square = ((counts - data.size / 256) ** 2 / (data.size / 256)).sum()
            assert 120 < chi_square < 420, f"rank {rank}: {chi_square} of 255 degrees of freedom"


def test_the_dealer_receives_nothing_after_the_begin():
    with tacit.mpc.simulate(parties=3) as s:
        x = s.share(numbers((4, 4)))
        (x @ x).relu().reveal("the outputs")
        assert {m.step for m in s.view(3)} == {"begin"}
        assert {m.sender for m in s.view(0)} == {1, 2, 3}


def test_without_a_record_there_is_no_view():
    with tacit.mpc.simulate(parties=2, record=False) as s:
        with pytest.raises(tacit.ConfigError, match="keeps no messages; open it with simulate.record=True"):
            s.view(0)


# Refusals.


def test_a_share_is_no_value(pair):
    x = pair.share(123.456)
    refused = {
        "cannot be printed": [lambda: print(x), lambda: f"{x}", lambda: f"{x:.2f}", lambda: "%s" % x],
        "cannot decide an if": [lambda: bool(x), lambda: not x, lambda: x > 0 and x, lambda: 0 < x < 1],
        "cannot be compared by ==": [lambda: x == 1, lambda: x != x, lambda: [1.0] == x],
        "cannot become a number": [lambda: float(x), lambda: int(x), lambda: complex(x), lambda: [1, 2][x]],
        "cannot become an array": [lambda: numpy.asarray(x), lambda: numpy.array([x, x]), lambda: numpy.zeros(3).dot(x)],
        "numpy.exp cannot read a share": [lambda: numpy.exp(x)],
        "numpy.mean cannot read a share": [lambda: numpy.mean(x)],
        "cannot be copied or pickled": [lambda: pickle.dumps(x), lambda: copy.deepcopy(x)],
    }
    for sentence, calls in refused.items():
        for call in calls:
            with pytest.raises(tacit.ConfigError, match=sentence) as raised:
                call()
            assert "123" not in str(raised.value)
    assert repr(x) == "<tacit.mpc.Share of shape ()>" and x.shape == () and x.size == 1
    assert x in [x] and len({x, x}) == 1  # the same object, without a comparison


@pytest.mark.parametrize("value, sentence", [
    ([1.0, float("nan")], "1 of 2 elements are NaN or infinite"),
    ([[float("inf")], [-float("inf")]], "2 of 2 elements are NaN or infinite"),
    (numpy.array([1, "a"], dtype=object), "the elements have the type object"),
    (["a", "b"], "the elements have the type <U1"),
    ([1 + 2j], "the elements have the type complex128"),
    (numpy.array(["2026-01-01"], dtype="datetime64[D]"), "the elements have the type datetime64"),
    ([], "has no elements"),
    (numpy.zeros((0, 3)), "has no elements"),
    (numpy.zeros((2, 2, 2)), "has 3 dimensions; expected at most 2"),
    ([[1.0], [2.0, 3.0]], "is not an array of numbers"),
    (None, "the elements have the type object"),
    (numpy.ma.masked_less([1.0, 2.0, 7654.5], 1.5), "1 of 3 elements are masked"),
    ([7654.5, 1.0, -8765.25], "2 of 3 elements lie beyond the declared bound of 1024"),
    (1e300, "1 of 1 elements lie beyond the declared bound of 1024"),
])
def test_bad_arrays_are_refused_before_they_are_shared(pair, value, sentence):
    before = pair.cost()
    with pytest.raises(tacit.ConfigError, match=sentence) as raised:
        pair.share(value)
    for digits in ("7654", "8765", "1e+300", "2026"):
        assert digits not in str(raised.value)
    assert pair.cost() == before


def test_integers_and_bits_are_numbers(pair):
    for x in [numpy.arange(6, dtype=numpy.int32).reshape(2, 3), numpy.array([True, False]), numpy.float32([0.5, -2]), 3,
              numpy.arange(12.0).reshape(4, 3).T[::2], memoryview(b"ab"), range(4)]:
        numpy.testing.assert_array_equal(seen(pair.share(x)), numpy.asarray(x))


def test_a_tensor_on_a_card_is_refused_and_one_of_the_cpu_is_read(pair):
    with pytest.raises(tacit.ConfigError, match="is on the device cuda:0; expected one on the CPU: pass tensor.cpu()"):
        pair.share(OnACard())
    torch = pytest.importorskip("torch")
    x = torch.tensor([[1.5, -2.0]], requires_grad=True)
    numpy.testing.assert_array_equal(seen(pair.share(x) + 1), [[2.5, -1.0]])


def test_wrong_arguments_are_refused_in_a_sentence(pair):
    x, y = pair.share(numpy.zeros((3, 2))), pair.share(numpy.zeros((3, 4)))
    refused = [
        (lambda: x @ y, r"the shapes \(3, 2\) and \(3, 4\) do not fit: the left operand has 2 columns, the right one 3 rows"),
        (lambda: x @ numpy.zeros(3), r"the shapes \(3, 2\) and \(3,\) do not fit"),
        (lambda: x @ 3, "an operand is a single number"),
        (lambda: x + y, r"x \+ y: the shapes \(3, 2\) and \(3, 4\) do not fit"),
        (lambda: x * numpy.zeros((2, 2)), r"the shapes \(3, 2\) and \(2, 2\) do not fit"),
        (lambda: x + float("nan"), "1 of 1 elements are NaN"),
        (lambda: x * numpy.full((3, 2), numpy.inf), "6 of 6 elements are NaN or infinite"),
        (lambda: x + "a", "the elements have the type <U1"),
        (lambda: x > None, "the elements have the type object"),
        (lambda: x / 0, "a divisor is zero"),
        (lambda: 1 / x, "a share cannot divide"),
        (lambda: x / x, "a share cannot divide"),
        (lambda: x**3, "expected the exponent 2"),
        (lambda: x.reveal(""), "the reason is ''; expected a text"),
        (lambda: x.reveal(None), "the reason is None; expected a text"),
        (lambda: x.reveal("a reason", to=2), "reveal: to is 2; expected a whole number from 0 to 1"),
        (lambda: x.sum(axis=2), "sum: axis is 2; expected a whole number from -2 to 1"),
        (lambda: pair.share(numpy.zeros((1, 1025))).softmax(), "the axis has 1025 elements; expected at most 1024"),
        (lambda: x[::2], "expected a slice of at least one element, without a step"),
        (lambda: x[[0, 1]], "expected numbers and slices"),
        (lambda: x[0, 0, 0], "3 indices for a share of 2 dimensions"),
        (lambda: pair.share(1.0, owner=2), "share: owner is 2; expected a whole number from 0 to 1"),
        (lambda: pair.share(1.0, bound=-1), "share: bound is -1; expected a number above 0, and at most 1024"),
        (lambda: pair.view(3), "view: rank is 3; expected a whole number from 0 to 2"),
        (lambda: pair.reveal([1.0], "a reason"), "reveal: float is not a share"),
        (lambda: tacit.mpc.simulate(parties=0), "simulate: parties is 0"),
        (lambda: tacit.mpc.simulate(parties=True), "simulate: parties is True"),
        (lambda: tacit.mpc.simulate(bound=1e9), "simulate: bound is 1000000000.0; expected a number above 0"),
        (lambda: tacit.mpc.simulate(fraction_bits=20), "fraction_bits is 20; expected 12, 13 or 16"),
        (lambda: x * 1e12, "cannot scale by"),
        (lambda: x + 1e30, "a result may be as large as 1e.30"),
    ]
    for call, sentence in refused:
        with pytest.raises(tacit.ConfigError, match=sentence):
            call()
    numpy.testing.assert_array_equal(seen(x + 1), 1)  # nothing of that ended the simulation


def test_shares_of_two_simulations_do_not_mix(pair):
    with tacit.mpc.simulate(parties=2) as other:
        x, y = pair.share([1.0]), other.share([1.0])
        for call in [lambda: x + y, lambda: x @ y, lambda: x > y, lambda: pair.reveal([x, y], "a reason")]:
            with pytest.raises(tacit.ConfigError, match="the share belongs to another simulation"):
                call()


@pytest.mark.parametrize("value, rows", [(20.0, 1), (90.0, 1), (90.0, 4), (64.0, 3), (100.0, 64)])
@pytest.mark.parametrize("use", [lambda x: x.relu(), lambda x: x > 0, lambda x: x.sigmoid(), lambda x: x.softmax(),
                                 lambda x: x * x, lambda x: (1.25 * x).relu(), lambda x: (x.sum(0) * 1.01).relu(),
                                 lambda x: (x - 50 * numpy.ones(4)).relu()])
def test_a_value_that_leaves_its_bound_is_not_revealed(use, value, rows):
    # From 3 times the power of two above the bound on (384), every value is found.
    with tacit.mpc.simulate(parties=2, bound=100) as small:
        x = small.share(numpy.full((rows, 4), value))
        wrong = use(x * x)
        with pytest.raises(tacit.ConfigError, match="a value left the declared bound of 100.*nothing is revealed"):
            wrong.reveal("a wrong value")
        assert [line.reason for line in small.reveals()] == []
        with pytest.raises(tacit.ConfigError, match="the simulation has ended .a value left"):
            x + x


def test_a_value_that_is_never_opened_may_leave_the_bound(s):
    with tacit.mpc.simulate(parties=s.parties, bound=100) as small:
        x = small.share([90.0, -90.0])
        numpy.testing.assert_array_equal(seen(x * x + x), [8190.0, 8010.0])


def test_a_value_that_could_wrap_is_refused_and_the_simulation_goes_on():
    with tacit.mpc.simulate(parties=2) as s:
        x = y = s.share([300.0, -600.0, 900.0])
        for _ in range(38):
            y = y + y
        numpy.testing.assert_array_equal(seen(y) / 2.0**38, [300, -600, 900])
        for beyond in [lambda: y + y, lambda: y - y, lambda: y * 1000, lambda: 1000 * numpy.ones(3) * y,
                       lambda: y @ numpy.ones(3), lambda: y.sum(), lambda: y + 4e14]:
            with pytest.raises(tacit.ConfigError, match="a value may be as large as|a result may be as large as|does not fit"):
                beyond()
        numpy.testing.assert_array_equal(seen(x), [300, -600, 900])


def test_a_product_of_sums_over_many_rows_is_as_in_the_clear(s):
    # By the bounds of its operands, an element of x.T @ x may be as large as 2000 * 1024 * 1024, beyond 2^21 bounds.
    random = numpy.random.default_rng(1)
    x, w = random.uniform(-0.5, 0.5, (2000, 3)), random.uniform(-1, 1, (3, 2))
    gram = s.share(x).T @ s.share(x)
    expected = x.T @ x
    numpy.testing.assert_allclose(seen(gram @ s.share(w)), expected @ w, atol=0.05)
    numpy.testing.assert_allclose(seen(gram.T @ s.share(w)), expected.T @ w, atol=0.05)
    numpy.testing.assert_allclose(seen(gram * s.share(numpy.full((3, 3), 0.5))), expected / 2, atol=0.02)
    numpy.testing.assert_allclose(seen((gram * 0.01).sigmoid()), 1 / (1 + numpy.exp(-expected / 100)), atol=0.01)


# Multiples of a power of two, which look like numbers within the bound to a watch of too few bits.
@pytest.mark.parametrize("doublings", range(2, 38, 3))
def test_a_factor_far_beyond_the_bound_is_found(doublings):
    with tacit.mpc.simulate(parties=2) as s:
        x = y = s.share([512.0, 768.0])
        for _ in range(doublings + 1):
            y = y + y
        wrong = y * s.share([0.5, 0.5])
        with pytest.raises(tacit.ConfigError, match="a value left the declared bound"):
            wrong.reveal("a wrong value")


@pytest.mark.parametrize("doublings", [22, 30, 35, 38])
def test_comparisons_far_beyond_the_bound_are_right(s, doublings):
    # Multiples of a power of two, which the range watch may take for numbers within the bound.
    x = s.share([300.0, -600.0, 900.0])
    for _ in range(doublings):
        x = x + x
    numpy.testing.assert_array_equal(seen(x > 0), [1, 0, 1])
    numpy.testing.assert_array_equal(seen(x.relu()) / 2.0**doublings, [300, 0, 900])


def test_a_sum_of_products_beyond_the_ring_is_not_revealed():
    with tacit.mpc.simulate(parties=2, record=False) as s:
        x = s.share(numpy.full(400000, 900.0))
        with pytest.raises(tacit.ConfigError, match="a value left the declared bound"):
            (x * x).sum().reveal("3.24e11, and at 26 fraction bits the ring has room for 6.9e10")


def test_a_product_that_could_wrap_is_refused_and_the_simulation_goes_on():
    with tacit.mpc.simulate(parties=2, bound=2**16) as s:
        x = s.share(numpy.full((1, 40), 3.0))
        with pytest.raises(tacit.ConfigError, match="x . y: by the bounds of its operands, a result may be as large as"):
            x @ x.T
        small = s.share([[3.0, 4.0]], bound=8)
        numpy.testing.assert_array_equal(seen(small * small), [[9.0, 16.0]])


def test_a_simulation_that_has_ended_says_why():
    with tacit.mpc.simulate(parties=2) as s:
        x = s.share([1.0])
    cost = s.cost()
    for call in [lambda: x + 1, lambda: s.share([1.0]), lambda: x.reveal("too late")]:
        with pytest.raises(tacit.ConfigError, match="the simulation has ended .it was closed.; open another one"):
            call()
    s.close()
    assert s.cost() == cost and s.cost().by_protocol == cost.by_protocol


# Threads, processes, signals.


def test_no_thread_is_left_by_a_simulation_that_ends_in_any_way():
    gc.collect()
    before = threads()
    with tacit.mpc.simulate(parties=5) as s:
        assert threads() == before + 6
        x = s.share([1.0])
    assert threads() == before
    with pytest.raises(KeyError, match="of the user"), tacit.mpc.simulate(parties=3) as s:
        raise KeyError("of the user")
    assert threads() == before
    with pytest.raises(tacit.ConfigError, match="KeyError left its with statement"):
        s.share([1.0])
    s = tacit.mpc.simulate(parties=3)
    x = s.share([1.0])
    del s, x
    gc.collect()
    assert threads() == before


def run(program, **options):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, **options)


def test_a_program_that_forgets_to_close_ends_quietly():
    ended = run("import tacit\ns = tacit.mpc.simulate(parties=3)\nx = s.share([1.0])\nprint((x + 1).reveal('r'))")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "[2.]\n", "")


def test_without_memory_for_its_threads_a_simulation_is_refused_and_python_goes_on():
    program = """
import resource, tacit
tacit.mpc.simulate(parties=1).close()  # everything is loaded
now = 1024 * int(next(line for line in open("/proc/self/status") if line.startswith("VmSize")).split()[1])
resource.setrlimit(resource.RLIMIT_AS, (now + 2**27, resource.RLIM_INFINITY))
try:
    tacit.mpc.simulate(parties=60)
except (tacit.ConfigError, MemoryError) as error:
    print(type(error).__name__)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
with tacit.mpc.simulate(parties=2) as s:
    print((s.share([1.0]) + 1).reveal("it works again"))
"""
    ended = run(program)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ConfigError\n[2.]\n", "")


def test_a_fork_may_not_use_the_simulation_and_does_not_harm_it(pair):
    x = pair.share([1.0, 2.0])
    child = os.fork()
    if child == 0:
        try:
            x + 1
        except tacit.ConfigError as error:
            os._exit(0 if "a fork has none of its threads" in str(error) else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    numpy.testing.assert_array_equal(seen(x + 1), [2.0, 3.0])


def test_a_fork_that_ends_as_a_program_ends_is_quiet():
    ended = run("import os, sys, tacit\ns = tacit.mpc.simulate(parties=2)\nx = s.share([1.0])\nchild = os.fork()\n"
                "if child == 0: sys.exit(7)\nprint(os.waitpid(child, 0)[1] >> 8, (x + 1).reveal('r'))")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "7 [2.]\n", "")


def test_ctrl_c_is_heard_while_a_kernel_runs():
    s = tacit.mpc.simulate(parties=3, record=False)
    x = s.share(numpy.ones((1500, 1500)))
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.3, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            x @ x
    assert time.monotonic() - sent[0] < 30  # a second, if nothing else runs
    with pytest.raises(tacit.ConfigError, match="it was interrupted in the step \"matmul\""):
        x + 1
    before = threads()
    s.close()
    assert threads() == before - 4


def test_other_threads_of_python_run_while_a_product_is_computed():
    turns, stop = 0, threading.Event()

    def count():
        nonlocal turns
        while not stop.is_set():
            turns += 1
            time.sleep(0.001)

    with tacit.mpc.simulate(parties=2, record=False) as s:
        x = s.share(numpy.ones((800, 800)))
        other = threading.Thread(target=count)
        other.start()
        before = turns
        for _ in range(3):
            x @ x
        turned = turns - before
        stop.set()
        other.join()
    assert turned > 10  # a product that kept the interpreter's lock would let it turn between two products at most


def test_threads_of_python_may_share_a_simulation(pair):
    wrong = []

    def work(seed):
        x = numbers((4, 4), seed)
        for _ in range(10):
            if not numpy.array_equal(seen(pair.share(x) * pair.share(x)), x * x):
                wrong.append(seed)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert wrong == []
