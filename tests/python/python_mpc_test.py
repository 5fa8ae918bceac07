"""tacit.mpc: every operation is compared with numpy at 2, 3 and 5 parties."""

import numpy
import pytest
import tacit
from shares import PARTIES, UNIT, numbers, roundings, seen

SHAPES = [(1, 1), (1, 7), (6, 1), (3, 5), (33, 2)]

pytestmark = pytest.mark.filterwarnings("error")


# Against numpy.


@pytest.mark.parametrize("shape", SHAPES + [(), (5,)])
def test_a_shared_array_is_revealed_as_it_was(s, shape):
    x = numbers(shape)
    for owner in range(s.parties):
        result = seen(s.share(x, owner=owner))
        assert result.shape == shape and result.dtype == numpy.float64
        numpy.testing.assert_array_equal(result, x)


@pytest.mark.parametrize("shape", SHAPES)
def test_sums_and_differences_are_exact(s, shape):
    x, y = numbers(shape, 1), numbers(shape, 2)
    a, b = s.share(x), s.share(y, owner=s.parties - 1)
    for got, expected in [(a + b, x + y), (a - b, x - y), (-a, -x), (+a, x), (a + y, x + y), (y + a, x + y),
                          (a - y, x - y), (y - a, y - x), (a + 1.5, x + 1.5), (2 - a, 2 - x), (a + a, x + x)]:
        assert got.shape == shape
        numpy.testing.assert_array_equal(seen(got), expected)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_product_that_is_revealed_is_exact(s, shape):
    x, y = numbers(shape, 1), numbers(shape, 2)
    a, b = s.share(x), s.share(y, owner=1)
    for got, expected in [(a * b, x * y), (a * a, x * x), (a**2, x * x), (a * y, x * y), (y * a, x * y),
                          (a * 3, x * 3), (-2 * a, x * -2), (numpy.float64(2) * a, x * 2), (a * b + a * a, x * y + x * x)]:
        numpy.testing.assert_array_equal(seen(got), expected)


@pytest.mark.parametrize("rows, inner, columns", [(1, 1, 1), (1, 7, 1), (7, 1, 5), (3, 4, 5), (2, 33, 3)])
def test_matrix_products_are_exact_in_every_orientation(s, rows, inner, columns):
    x, y = numbers((rows, inner), 1), numbers((inner, columns), 2)
    a, b = s.share(x), s.share(y, owner=1)
    at, bt = s.share(x.T.copy()), s.share(y.T.copy())
    for got in [a @ b, at.T @ b, a @ bt.T, (bt @ at).T, x @ b, a @ y, (bt @ x.T).T, (y.T @ at).T]:
        assert got.shape == (rows, columns)
        numpy.testing.assert_allclose(seen(got), x @ y, rtol=0, atol=1e-12)


def test_vectors_are_rows_on_the_left_of_a_product_and_columns_on_its_right(s):
    x, v, w = numbers((3, 4)), numbers((4,), 2), numbers((3,), 3)
    a, b, c = s.share(x), s.share(v), s.share(w)
    for got, expected in [(a @ b, x @ v), (c @ a, w @ x), (b @ b, v @ v), (x @ b, x @ v), (a @ v, x @ v), (w @ a, w @ x),
                          (c @ x, w @ x), (v @ b, v @ v)]:
        assert got.shape == expected.shape
        numpy.testing.assert_allclose(seen(got), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("left, right", [((3, 4), (4,)), ((3, 4), (1, 4)), ((3, 4), (3, 1)), ((3, 4), ()), ((3, 1), (1, 4)),
                                         ((1, 4), (3, 1)), ((4,), (3, 1))])
def test_rows_columns_and_single_elements_are_repeated_as_numpy_does(s, left, right):
    x, y = numbers(left, 1), numbers(right, 2)
    a, b = s.share(x), s.share(y)
    for got, expected in [(a + b, x + y), (b - a, y - x), (a * b, x * y), (a + y, x + y), (x * b, x * y), (x - b, x - y),
                          (a > b, x > y), (a <= y, x <= y)]:
        assert got.shape == expected.shape
        numpy.testing.assert_array_equal(seen(got), expected)


def test_a_chain_of_products_is_rounded_once_for_each_product(s):
    x, y, z = (numbers((4, 6), seed, 2) for seed in (1, 2, 3))
    a, b, c = s.share(x), s.share(y), s.share(z)
    got = seen(a * b * c + a)
    assert numpy.abs(got - (x * y * z + x)).max() <= 2 * roundings(s)


def test_numbers_and_arrays_that_are_no_multiple_of_a_unit_scale_within_a_rounding(s):
    x, factors = numbers((5, 3), 1), numpy.random.default_rng(3).uniform(-2, 2, (5, 3))
    a = s.share(x)
    for factor in [0.1, -1 / 3, 1e-5, 0.0, 7.25]:
        assert numpy.abs(seen(a * factor) - x * factor).max() <= roundings(s) + 8 * abs(factor) * 2**-20
    assert numpy.abs(seen(a * factors) - x * factors).max() <= 4 * UNIT
    assert numpy.abs(seen(a / 3) - x / 3).max() <= roundings(s) + 8 * 2**-20
    numpy.testing.assert_array_equal(seen(a / 4 * 4 - a) * 0, 0)


def test_arrays_of_factors_keep_as_many_bits_as_numbers(s):
    x = numbers((4, 3), 1, 900)
    a, parts, deviations = s.share(x), numpy.full(4, 1 / 7000), numpy.array([1000.0, 3e5, 7.0])
    assert numpy.abs(seen(parts @ a) - parts @ x).max() <= 4 * 900 * 2**-20 / 7000 + 1e-9
    assert numpy.abs(seen(a / deviations) - x / deviations).max() <= 900 / 7 * 2**-20 + UNIT
    numpy.testing.assert_allclose(seen(s.share([1000.0]) / numpy.array([1000.0])), 1, rtol=0, atol=2e-6)


def test_numbers_below_half_a_unit_are_rounded_to_zero(s):
    x = numbers((3,), 1)
    a, tiny = s.share(x), numpy.array([1.0, 1e-12, 1e-5])
    numpy.testing.assert_array_equal(seen(a + 1e-5), x)
    numpy.testing.assert_array_equal(seen(a - tiny), x - [1, 0, 0])
    numpy.testing.assert_array_equal(seen(a * 1e-300), 0)
    assert numpy.abs(seen(a * 1e-12)).max() <= roundings(s)
    assert numpy.abs(seen(a * tiny) - x * tiny).max() <= UNIT


@pytest.mark.parametrize("rows", [10, 70000])
def test_a_mean_has_the_bound_of_its_elements(s, rows):
    x = numpy.random.default_rng(1).uniform(0, 900, rows)
    a, near = s.share(x), {"rtol": 0, "atol": 2e-3}
    mean = a.mean()
    numpy.testing.assert_allclose(seen(mean), x.mean(), **near)
    for got, expected in [(mean.relu(), x.mean()), (mean > 0, 1), (mean * 0.5, x.mean() / 2), (a.relu().mean(), x.mean()),
                          ((s.share(x / 300, bound=4) ** 2).mean(), (x / 300 * x / 300).mean()),
                          ((a + a) * 0.5 > x.mean(), x > x.mean())]:
        numpy.testing.assert_allclose(seen(got), expected, **near)


@pytest.mark.parametrize("shape", SHAPES + [(5,)])
def test_comparisons_are_exact_at_the_edge_too(s, shape):
    x = numbers(shape, 1, 2)
    y = x + numpy.random.default_rng(2).integers(-1, 2, shape) * UNIT  # a unit less, equal, or a unit more
    a, b = s.share(x), s.share(y)
    for got, expected in [(a > b, x > y), (a >= b, x >= y), (a < b, x < y), (a <= b, x <= y), (a > y, x > y),
                          (a >= y, x >= y), (y < a, x > y), (y >= a, x <= y)]:
        numpy.testing.assert_array_equal(seen(got), expected)


def test_comparisons_with_a_number_between_two_units_are_right(s):
    x = numpy.array([-1.0, -UNIT, 0.0, UNIT, 2 * UNIT, 1.0])
    a = s.share(x)
    for limit in [0, UNIT, 0.4 * UNIT, -0.4 * UNIT, 1.0, -1.0, 5000.0, -5000.0]:
        for got, expected in [(a > limit, x > limit), (a >= limit, x >= limit), (a < limit, x < limit),
                              (a <= limit, x <= limit), (limit < a, x > limit)]:
            numpy.testing.assert_array_equal(seen(got), expected)


@pytest.mark.parametrize("shape", SHAPES + [(), (5,)])
def test_functions_of_elements(s, shape):
    x = numbers(shape, 4, 8)
    a = s.share(x)
    numpy.testing.assert_array_equal(seen(a.relu()), numpy.maximum(x, 0))
    assert numpy.abs(seen(a.sigmoid()) - 1 / (1 + numpy.exp(-x))).max() <= 2**-10
    assert a.sigmoid().shape == shape


def test_a_sigmoid_far_from_zero_is_0_or_1_within_its_error(s):
    x = numpy.array([-1000.0, -30, 0, 30, 1000])
    assert numpy.abs(seen(s.share(x).sigmoid()) - [0, 0, 0.5, 1, 1]).max() <= 2**-10


@pytest.mark.parametrize("shape", SHAPES + [(5,), (2, 12)])
def test_softmax_along_both_axes(s, shape):
    x = numbers(shape, 5, 20)
    a = s.share(x)
    for axis in range(len(shape)):
        e = numpy.exp(x - x.max(axis, keepdims=True))
        got = seen(a.softmax(axis))
        assert got.shape == shape and numpy.abs(got - e / e.sum(axis, keepdims=True)).max() <= 2**-10


@pytest.mark.parametrize("shape", SHAPES + [(5,), ()])
def test_sums_and_means(s, shape):
    x = numbers(shape, 6)
    a = s.share(x)
    for axis in [None] + list(range(len(shape))) + ([-1] if shape else []):
        assert a.sum(axis).shape == x.sum(axis).shape
        numpy.testing.assert_allclose(seen(a.sum(axis)), x.sum(axis), rtol=0, atol=1e-12)
        assert numpy.abs(seen(a.mean(axis)) - x.mean(axis)).max() <= roundings(s) + 2**-18 * 4


def test_rows_columns_and_elements(s):
    x = numbers((4, 6))
    a, v = s.share(x), s.share(x[0])
    for key in [0, -1, (1, 2), (slice(None), 3), (slice(1, 3), slice(2, 5)), slice(2, None), (2, slice(0, 2)),
                (slice(None), slice(-2, None))]:
        assert a[key].shape == x[key].shape
        numpy.testing.assert_array_equal(seen(a[key]), x[key])
    numpy.testing.assert_array_equal(seen(v[2]), x[0, 2])
    numpy.testing.assert_array_equal(seen(v[1:4]), x[0, 1:4])
    numpy.testing.assert_array_equal(seen(a.T[2]), x.T[2])
    numpy.testing.assert_array_equal([seen(row) for row in a], x)
    with pytest.raises(IndexError, match="4 is not an index of 4 elements"):
        a[4]


def test_a_bit_times_a_value_chooses_exactly(s):
    x, y = numbers((5, 4), 1), numbers((5, 4), 2)
    a, b = s.share(x), s.share(y)
    bits = a > b
    numpy.testing.assert_array_equal(seen(bits * a), numpy.where(x > y, x, 0))
    numpy.testing.assert_array_equal(seen(bits * (a - b) + b), numpy.maximum(x, y))
    numpy.testing.assert_array_equal(seen(bits.sum()), (x > y).sum())
    numpy.testing.assert_array_equal(seen(bits + 0.5), (x > y) + 0.5)
    assert numpy.abs(seen(bits.mean()) - (x > y).mean()) <= roundings(s) + 2**-19


def test_several_shares_are_revealed_with_one_reason(s):
    x, y = numbers((2, 3), 1), numbers((4,), 2)
    before = {line.reason: line for line in s.reveals()}
    got = s.reveal([s.share(x), s.share(y)], "two at once", to=1)
    assert "two at once" not in before
    line = next(line for line in s.reveals() if line.reason == "two at once")
    assert (line.to, line.times, line.elements) == (1, 2, 10)
    for values, expected in zip(got, (x, y)):
        numpy.testing.assert_array_equal(values, expected)


def test_finer_numbers(pair):
    x = numpy.random.default_rng(8).uniform(-1, 1, (3, 4))
    with tacit.mpc.simulate(parties=3, fraction_bits=16, bound=16) as fine:
        assert numpy.abs(seen(fine.share(x)) - x).max() <= 2.0**-17
        e = numpy.exp(x)
        assert numpy.abs(seen(fine.share(x).softmax()) - e / e.sum(1, keepdims=True)).max() <= 2**-10
        assert numpy.abs(seen((fine.share(x) @ fine.share(x.T.copy())).relu()) - numpy.maximum(x @ x.T, 0)).max() <= 2**-13


@pytest.mark.parametrize("bound", [0.5, 1, 30, 2.0**16])
def test_every_bound_has_room_for_every_function(bound):
    x = numpy.array([[-bound, -bound / 3, 0.0], [bound / 4, bound / 2, bound]])
    with tacit.mpc.simulate(parties=3, bound=bound) as s:
        a = s.share(x)
        numpy.testing.assert_array_equal(seen(a.relu()), numpy.maximum(numpy.round(x / UNIT) * UNIT, 0))
        e = numpy.exp(x - x.max(1, keepdims=True))
        assert numpy.abs(seen(a.softmax()) - e / e.sum(1, keepdims=True)).max() <= 2**-10
        assert numpy.abs(seen(a.sigmoid()) - 0.5 * (1 + numpy.tanh(x / 2))).max() <= 2**-10
        numpy.testing.assert_array_equal(seen(a >= bound / 2), x >= bound / 2)


@pytest.mark.parametrize("bound", [1 - 1e-6, 4 - 1e-5, 0.7, 2.0**-5 - 1e-6, 1000 + 24 - 1e-5, 1.0, 64.0])
@pytest.mark.parametrize("parties", [2, 3, 5])
def test_rounding_at_a_bound_breaks_nothing(bound, parties):
    x = bound * numpy.array([1.0, -1.0, 1.0, -1.0] * 10)
    with tacit.mpc.simulate(parties=parties, bound=bound) as s:
        a = s.share(x)
        error = roundings(s, 2) * max(1.0, bound)
        numpy.testing.assert_array_equal(seen(a >= 0), x >= 0)
        assert numpy.abs(seen(a.relu()) - numpy.maximum(x, 0)).max() <= UNIT / 2
        for factor in [1.0 - 1e-7, -0.999, 0.5]:
            for got, expected in [((a * factor).relu(), x * factor), ((a * (factor * numpy.ones(40))).relu(), x * factor)]:
                assert numpy.abs(seen(got) - numpy.maximum(expected, 0)).max() <= error
        if bound >= 1:
            assert numpy.abs(seen((a * (1 / bound) * (a > 0)).relu()) - (x > 0)).max() <= error / bound
        one = s.share(numpy.full(40, min(1.0, bound)), bound=min(1.0, bound))
        product = (a * one).relu()
        assert numpy.abs(seen(product) - numpy.maximum(x, 0) * min(1.0, bound)).max() <= error


# The two suites that this project exists for.


@pytest.mark.parametrize("parties", PARTIES)
def test_zero_products_are_zero(parties):
    anything = numpy.random.default_rng(1).uniform(-1000, 1000, (500, 40))
    with tacit.mpc.simulate(parties=parties) as s:
        zero, x = s.share(numpy.zeros((500, 40))), s.share(anything, owner=1)
        for product in [zero * x, x * zero, zero * zero, zero.T @ x, x.T @ zero, x @ numpy.zeros((40, 3)), x * 0]:
            assert not product.reveal("a product by zero").any()
        for rounded in [zero * x * x, (zero * x).relu(), (zero.T @ x) @ x.T[:, :5]]:  # n/2 units, and never a wrap
            assert numpy.abs(rounded.reveal("a rounded product by zero")).max() <= 1000 * parties / 2 * UNIT * 20


@pytest.mark.parametrize("parties", PARTIES)
def test_a_loss_that_should_fall_does_not_explode(parties):
    random = numpy.random.default_rng(2)
    x, true = random.normal(size=(60, 4)), numpy.array([0.5, -1.0, 2.0, 0.25])
    y, plain, losses, expected = x @ true, numpy.zeros(4), [], []
    with tacit.mpc.simulate(parties=parties, record=False) as s:
        a, b, w = s.share(x), s.share(y, owner=1), s.share(numpy.zeros(4))
        for _ in range(300):
            error, plain_error = a @ w - b, x @ plain - y
            w, plain = w - a.T @ error * (0.1 / 60), plain - x.T @ plain_error * (0.1 / 60)
            losses.append((error**2).mean())
            expected.append((plain_error**2).mean())
        losses = numpy.array(s.reveal(losses, "the loss of each step"))
        assert numpy.abs(losses - expected).max() <= 0.002 * expected[0] and losses[-1] < losses[0] / 100
        assert numpy.abs(w.reveal("the model") - true).max() < 0.01
