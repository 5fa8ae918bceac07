"""Clipping and noise of sums of gradients: the length, the noise's distribution, its account, and refusals."""

import math
import os
import subprocess
import sys

import numpy
import pytest
import ranks
import small_data
import tacit

PARTIES = [1, 2, 3, 5]
SHAPES = [(3, 4), (1,), (7, 1, 2), (1009,), (2, 500)]
ELEMENTS = sum(math.prod(shape) for shape in SHAPES)


def gradients_of(rank, step=0, length=None, shapes=SHAPES):
    """Gradients from a normal distribution, or scaled to a length over all parameters."""
    random = numpy.random.default_rng([rank, step])
    made = [random.normal(size=shape).astype(numpy.float32) for shape in shapes]
    scale = 1 if length is None else length / length_of(made)
    return [(scale * one).astype(numpy.float32) for one in made]


def length_of(arrays):
    return math.sqrt(sum(float((one.astype(float)**2).sum()) for one in arrays))


def sum_of(mesh, gradients, shapes=SHAPES, steps=1, **options):
    """The sums of so many steps with the same gradients: the mean times the parties, in double precision."""
    sums = mesh.gradients(shapes, secure=True, **options)
    made = []
    for _ in range(steps):
        for p in reversed(range(len(shapes))):
            sums.ready(p, gradients[p])
        sums.finish()
        made.append([mesh.parties * sums.mean(p).astype(float) for p in range(len(shapes))])
    return made


# Clipping.


@pytest.mark.parametrize("parties", PARTIES)
def test_a_longer_gradient_is_scaled_to_the_clip_and_a_shorter_one_stays(parties):
    lengths = [0.25, 40.0, 1e-3, 1e6, 0.999]
    own = [gradients_of(rank, length=lengths[rank]) for rank in range(parties)]
    factors = [min(1, 1 / length) for length in lengths]
    expected = [sum(factors[rank] * own[rank][p].astype(float) for rank in range(parties)) for p in range(len(SHAPES))]
    for (got,) in ranks.results_of(parties, lambda mesh: sum_of(mesh, own[mesh.rank], clip=1.0)):
        for ours, right in zip(got, expected):
            assert ours.shape == right.shape and numpy.abs(ours - right).max() < 3e-6


@pytest.mark.parametrize("bits, value, elements", [(10, 0.6, 10_000), (10, 0.999, 100_000), (4, 0.51, 1000),
                                                   (22, 0.5001, 50_000)])
def test_rounding_makes_no_gradient_longer_than_the_clip(bits, value, elements):
    # Each element rounds up to a whole unit, which alone would make the gradient longer than the clip.
    unit = 2.0**-bits
    gradient = [numpy.full(elements, value * unit, numpy.float32)]
    clip = length_of(gradient) * 1.0001
    ((got,),) = ranks.results_of(1, lambda mesh: sum_of(mesh, gradient, [(elements,)], clip=clip, fraction_bits=bits))
    assert length_of(got) <= clip and numpy.abs(got[0] - gradient[0]).max() < unit
    wide = [numpy.full(elements, 100.4 * unit, numpy.float32)]  # so much longer than a unit that little is lost
    clip = length_of(wide) * 1.0001
    ((got,),) = ranks.results_of(1, lambda mesh: sum_of(mesh, wide, [(elements,)], clip=clip, fraction_bits=bits))
    assert 0.99 * length_of(wide) < length_of(got) <= clip


def test_without_noise_a_clip_that_nothing_reaches_changes_nothing():
    def program(mesh):
        own = gradients_of(mesh.rank)
        return sum_of(mesh, own, clip=200.0, fraction_bits=20), sum_of(mesh, own, fraction_bits=20)

    for clipped, plain in ranks.results_of(3, program):
        for ours, right in zip(clipped[0], plain[0]):
            numpy.testing.assert_array_equal(ours, right)


# Noise.


def misfits(noise, deviation):
    """Mean, variance and kurtosis of the noise, and the correlation of neighbours, in their standard deviations."""
    z = noise / deviation
    n = z.size
    return {"mean": z.mean() * math.sqrt(n), "variance": ((z**2).mean() - 1) * math.sqrt(n / 2),
            "kurtosis": ((z**4).mean() - 3) * math.sqrt(n / 96), "neighbours": (z[1:] * z[:-1]).mean() * math.sqrt(n - 1)}


WIDE = [(50_000,), (1,), (300, 100), (7, 3, 999)]
NOTHING = [numpy.zeros(shape) for shape in WIDE]
MOST = 7  # standard deviations: of the ninety misfits of a run, one in a billion runs has a larger one


@pytest.mark.parametrize("parties", PARTIES)
def test_the_sum_has_gaussian_noise_of_the_stated_deviation(parties):
    clip, noise = 0.5, 3.0
    options = {"steps": 2, "clip": clip, "noise": noise, "fraction_bits": 20}
    results = ranks.results_of(parties, lambda mesh: sum_of(mesh, NOTHING, WIDE, **options))
    first, second = (numpy.concatenate([one.reshape(-1) for one in step]) for step in results[0])
    for step in (first, second):
        for what, misfit in misfits(step, noise * clip).items():
            assert abs(misfit) < MOST, (what, misfit)
    assert abs(misfits(first * second, (noise * clip)**2)["mean"]) < MOST  # the steps have noise of their own
    assert abs(misfits(first, 1.03 * noise * clip)["variance"]) > MOST  # three percent more or less would be found
    for other in results[1:]:
        for ours, right in zip(other, results[0]):
            for a, b in zip(ours, right):
                numpy.testing.assert_array_equal(a, b)


def test_noise_comes_on_top_of_the_clipped_gradients():
    gradients = [gradients_of(rank, length=30.0, shapes=WIDE) for rank in range(3)]
    expected = sum(numpy.concatenate([one.reshape(-1) for one in own]).astype(float) / 30 for own in gradients)
    for (step,) in ranks.results_of(3, lambda mesh: sum_of(mesh, gradients[mesh.rank], WIDE, clip=1.0, noise=0.1)):
        noise = numpy.concatenate([one.reshape(-1) for one in step]) - expected
        for what, misfit in misfits(noise, 0.1).items():
            assert abs(misfit) < MOST, (what, misfit)


@pytest.mark.parametrize("parties, noisy", [(2, 1), (3, 1), (3, 2), (5, 4)])
def test_every_rank_adds_its_part_so_that_some_leave_the_stated_rest(parties, noisy):
    clip, noise = 1.0, 2.0

    def program(mesh):  # the compiled part does not compare the noise of ranks
        core = tacit._core.gradients(mesh._core, [100_000], 10**6, True, 20, [], clip, noise if mesh.rank < noisy else 0.0)
        core.ready(0, numpy.zeros(100_000, numpy.float32))
        core.finish()
        return parties * core.mean(0, 100_000).astype(float)

    for left in ranks.results_of(parties, program):
        for what, misfit in misfits(left, noise * clip * math.sqrt(noisy / parties)).items():
            assert abs(misfit) < MOST, (what, misfit)


def test_noise_is_whole_units_down_to_the_last_bit():
    nothing, options = [numpy.zeros(40_000)], {"clip": 1.0, "noise": 0.5, "fraction_bits": 20}
    ((step,),) = ranks.results_of(1, lambda mesh: sum_of(mesh, nothing, [(40_000,)], **options))
    units = step[0] * 2**20
    numpy.testing.assert_array_equal(units, numpy.rint(units))
    ones = (units.astype(int)[:, None] >> numpy.arange(16)) & 1
    assert numpy.abs(ones.mean(0) - 0.5).max() < MOST * 0.5 / 200  # no bit is stuck


def test_seeds_of_numpy_and_random_do_not_repeat_the_noise():
    import random

    def noise():
        numpy.random.seed(1)
        random.seed(1)
        return ranks.results_of(1, lambda mesh: sum_of(mesh, [numpy.zeros(50)], [(50,)], clip=1.0, noise=1.0))[0][0][0]

    assert (noise() != noise()).all()


# The account.


def of_command(noise, steps, delta):
    told = small_data.command("privacy", "account", "--noise", noise, "--rate", 1, "--steps", steps, "--delta", delta)
    return told["adversaries"][0]["epsilon"] if "adversaries" in told else told["epsilon"]


@pytest.mark.parametrize("parties", [1, 2, 4])
def test_epsilon_is_the_accountants_for_each_adversary(parties):
    def program(mesh):
        sums = mesh.gradients([(3, 5)], secure=True, clip=0.3, noise=4.0)
        before = sums.epsilon(1e-5)
        for _ in range(7):
            sums.ready(0, numpy.zeros((3, 5)))
            sums.finish()
        return before, sums.epsilon(1e-5), sums.epsilon(1e-5, steps=100)

    expected = {"everyone who sees the revealed values": 4.0}
    if parties > 1:
        expected["1 party, not the owner"] = 4.0 * math.sqrt((parties - 1) / parties)
    if parties > 2:
        expected[f"{parties - 1} parties together, none the owner"] = 4.0 / math.sqrt(parties)
    for before, after, planned in ranks.results_of(parties, program):
        assert before == dict.fromkeys(expected, 0)
        assert after == {who: pytest.approx(of_command(noise, 7, 1e-5), rel=1e-4) for who, noise in expected.items()}
        assert planned == {who: pytest.approx(of_command(noise, 100, 1e-5), rel=1e-4) for who, noise in expected.items()}
        assert list(planned.values()) == sorted(planned.values())


def test_a_coalition_that_leaves_too_little_noise_has_no_bound():
    def program(mesh):
        return mesh.gradients([(3,)], secure=True, clip=1.0, noise=0.06).epsilon(1e-5, steps=1)

    for told in ranks.results_of(4, program):
        everyone, one, most = told.values()
        assert everyone < one and math.isfinite(one) and most == math.inf


def test_on_a_coarse_grid_the_bound_by_renyi_divergences_is_told():
    units, delta, steps = math.floor(0.01 * 2**16), 1e-5, 10
    more = steps * 6.05 * 100_000 / units**2 / 2.0**2  # what the grid adds to the other bound (gnn/privacy/mechanism.h)
    assert more > 3
    orders = [*(1 + i / 10 for i in range(1, 100)), *range(11, 64)]  # gnn/privacy/renyi.h: the noise is a discrete Gaussian
    renyi = min(steps * order / (2 * 2.0**2) + math.log1p(-1 / order) - math.log(delta * order) / (order - 1)
                for order in orders)

    def program(mesh):
        coarse, fine = (mesh.gradients([(100_000,)], secure=True, clip=0.01, noise=2.0, fraction_bits=bits)
                        for bits in (16, 26))
        return [list(told.values())[0] for told in (coarse.epsilon(delta, steps), fine.epsilon(delta, steps))]

    coarse, fine = ranks.results_of(1, program)[0]
    assert fine < coarse < fine + more
    assert coarse == pytest.approx(renyi, rel=1e-6)


# Refusals.


@pytest.mark.parametrize("options, sentence", [
    ({"clip": -1.0}, "gradients: clip is -1.0; expected a number above 0"),
    ({"clip": 0}, "gradients: clip is 0; expected a number above 0"),
    ({"clip": float("nan")}, "gradients: clip is nan; expected a number above 0"),
    ({"clip": "much"}, "gradients: clip is 'much'; expected a number above 0"),
    ({"clip": 1, "noise": -0.5}, "gradients: noise is -0.5; expected a number above 0"),
    ({"clip": 1, "noise": float("inf")}, "gradients: noise is inf; expected a number above 0"),
    ({"noise": 1.0}, "noise=1 is given without clip; expected clip=..., the largest length of a party's gradient"),
    ({"clip": 1, "noise": 1.0, "secure": False}, "noise=1 is given without secure=True"),
    ({"clip": 100, "noise": 2.0}, "clip 100 and noise 2 do not fit the words of a sum with 22 fraction bits and 1 ranks; "
                                  "expected other fraction_bits, such as 19"),
    ({"clip": 1e-7, "noise": 1.0}, "are too small for the units of a sum with 22 fraction bits and 1 ranks; expected other "
                                   "fraction_bits, such as 30"),
    ({"clip": 1e-12}, "a word of 32 bits holds both with no number of fraction bits"),
    ({"clip": 1, "noise": 1e6}, "expected other fraction_bits, such as 7"),
])
def test_settings_that_make_no_sense_are_refused_and_the_mesh_stays_open(options, sentence):
    (mesh,) = tacit.net.in_memory(1)
    with mesh:
        with pytest.raises(tacit.ConfigError) as refused:
            mesh.gradients([(3,)], **{"secure": True, **options})
        assert sentence in str(refused.value)
        assert len(sum_of(mesh, [numpy.zeros(3)], [(3,)], clip=1.0, noise=1.0)) == 1


def test_the_fraction_bits_that_a_refusal_names_are_taken():
    for parties in (1, 3):
        def program(mesh):
            with pytest.raises(tacit.ConfigError) as refused:
                mesh.gradients([(30_000,)], secure=True, clip=100.0, noise=5.0, fraction_bits=28)
            named = int(str(refused.value).rsplit(" ", 1)[1])
            with pytest.raises(tacit.ConfigError, match="do not fit"):
                mesh.gradients([(30_000,)], secure=True, clip=100.0, noise=5.0, fraction_bits=named + 1)
            return sum_of(mesh, [numpy.zeros(30_000)], [(30_000,)], clip=100.0, noise=5.0, fraction_bits=named)

        for (step,) in ranks.results_of(parties, program):
            assert abs(misfits(step[0], 500.0)["variance"]) < MOST


@pytest.mark.parametrize("options, sentence", [
    (lambda rank: {"clip": 1.0 + rank // 2}, "gradients: rank 2 has clip=2.0, and rank 0 clip=1.0; expected the same clip at "
                                             "every rank"),
    (lambda rank: {"clip": 1.0, "noise": 1.0 + rank // 2}, "gradients: rank 2 has noise=2.0, and rank 0 noise=1.0"),
    (lambda rank: {"clip": 1.0} if rank != 1 else {}, "gradients: rank 1 has clip=None, and rank 0 clip=1.0"),
    (lambda rank: {"secure": rank != 1}, "gradients: rank 1 has secure=False, and rank 0 secure=True; expected the same secure "
                                         "at every rank"),
])
def test_ranks_that_clip_or_add_differently_are_named_at_every_rank(options, sentence):
    for result in ranks.threads(3, lambda mesh: mesh.gradients([(3,)], **{"secure": True, **options(mesh.rank)})):
        assert isinstance(result, tacit.ConfigError) and sentence in str(result), result


def test_a_step_with_a_gradient_that_is_no_number_twice_or_missing_is_refused():
    (mesh,) = tacit.net.in_memory(1)
    with mesh:
        sums = mesh.gradients([(2,), (3,)], secure=True, clip=1.0, noise=1.0, names=["weight", "bias"])
        for gradient in ([float("nan"), 1], [float("inf"), 1]):
            with pytest.raises(tacit.ConfigError, match=r"parameter 0 \(weight\): 1 of 2 elements are NaN or infinite"):
                sums.ready(0, gradient)
        sums.ready(0, [1, 2])
        with pytest.raises(tacit.ConfigError, match="parameter 0 came twice in a step"):
            sums.ready(0, [1, 2])
        with pytest.raises(tacit.ConfigError, match=r"finish\(\) was called before ready\(\) for parameter 1"):
            sums.finish()
        sums.ready(1, [1, 2, 3])
        sums.finish()
        assert list(sums.epsilon(1e-5)) == list(sums.epsilon(1e-5, steps=1))
        assert sums.epsilon(1e-5) == sums.epsilon(1e-5, steps=1)
        for delta in (0, 1.5, float("nan"), 1e-40):
            with pytest.raises(tacit.ConfigError, match="delta"):
                sums.epsilon(delta)
        with pytest.raises(tacit.ConfigError, match="epsilon: the sum has no noise; expected noise="):
            mesh.gradients([(2,)], secure=True, clip=1.0).epsilon(1e-5)


# Threads and processes.


def test_no_thread_is_left_and_the_account_stays():
    before = len(os.listdir("/proc/self/task"))
    (mesh,) = tacit.net.in_memory(1)
    with mesh:
        sums = mesh.gradients([(2000,)], secure=True, clip=1.0, noise=1.0)
        sums.ready(0, numpy.zeros(2000))
        sums.finish()
        told = sums.epsilon(1e-5)
    assert len(os.listdir("/proc/self/task")) == before
    with pytest.raises(tacit.ConfigError, match="the sum of gradients was closed"):
        sums.finish()
    assert sums.epsilon(1e-5) == told


def test_a_fork_of_a_program_with_noise_ends_quietly():
    program = """
import os, sys, numpy, tacit.net
(mesh,) = tacit.net.in_memory(1)
sums = mesh.gradients([(2000,)], secure=True, clip=1.0, noise=1.0)
sums.ready(0, numpy.zeros(2000))
child = os.fork()
if child == 0:
    try:
        sums.ready(0, numpy.zeros(2000))
    except tacit.ConfigError as error:
        sys.exit(7 if "a fork has none of its threads" in str(error) else 8)
print(os.waitpid(child, 0)[1] >> 8)
sums.finish()
mesh.close()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "7\n", "")
