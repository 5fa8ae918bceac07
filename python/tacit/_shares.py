"""Share: the arithmetic of tacit.mpc on shares, and everything that a share refuses."""

import math

import numpy

from tacit import _arrays, _core
from tacit.errors import ConfigError


def matrix(array):
    """A row for a vector, one element for a number."""
    return numpy.ascontiguousarray(numpy.atleast_2d(array), dtype=numpy.float64)


def matrix_shape(shape):
    return (1,) * (2 - len(shape)) + tuple(shape)


def require_share(share, what, simulation):
    if not isinstance(share, Share):
        raise ConfigError(f"{what}: {type(share).__name__} is not a share; expected one: s.share(x)")
    if share._simulation is not simulation:
        raise ConfigError(f"{what}: the share belongs to another simulation; expected shares of one: share both arrays in "
                          f"the same one")


def _common_shape(left, right, what):
    try:
        shape = numpy.broadcast_shapes(left, right)
    except ValueError:
        raise ConfigError(f"{what}: the shapes {tuple(left)} and {tuple(right)} do not fit; expected equal shapes, or a "
                          f"single row, column or element") from None
    if len(shape) > 2:
        raise ConfigError(f"{what}: the result would have {len(shape)} dimensions; expected at most 2")
    return shape


_SECRET = "the value is secret"


class Share:
    """A share of an array of at most two dimensions. Its shape is public, its elements are not.

    ``+ - *`` work element by element, with another share, an array or a number; ``@`` multiplies matrices; ``> >= < <=``
    give shares of 0 and 1. Rows and columns are repeated as numpy does.
    """

    __module__ = "tacit.mpc"  # where users find it
    __slots__ = ("_simulation", "_core", "shape", "__weakref__")

    def __init__(self, simulation, core, shape):
        self._simulation = simulation
        self._core = core
        self.shape = tuple(shape)

    # The public part.

    @property
    def ndim(self):
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self):
        """The number of elements."""
        return math.prod(self.shape)

    def __len__(self):
        if not self.shape:
            raise ConfigError("len: a single number has no length")
        return self.shape[0]

    def __repr__(self):
        return f"<tacit.mpc.Share of shape {self.shape}>"

    # The secret part: every conversion to a value is refused.

    def _refuse(self, what, remedy):
        raise ConfigError(f"{what}: {_SECRET}; {remedy}")

    def __str__(self):
        self._refuse("a share cannot be printed", "print share.reveal(\"the reason\"), or repr(share) for its shape")

    def __format__(self, form):
        return str(self)

    def __bool__(self):
        self._refuse("a share cannot decide an if or a while", "the branch would tell it to everybody: reveal the bit with "
                     "a reason, or compute both branches and multiply by a share of 0 and 1, such as (x > 0)")

    def __eq__(self, other):
        self._refuse("shares cannot be compared by == and !=", "compare by > >= < <=, which gives a share of 0 and 1")

    __ne__ = __eq__
    __hash__ = object.__hash__

    def _no_number(self):
        self._refuse("a share cannot become a number", "use share.reveal(\"the reason\")")

    def __float__(self):
        self._no_number()

    def __int__(self):
        self._no_number()

    def __complex__(self):
        self._no_number()

    def __index__(self):
        self._no_number()

    def __array__(self, *_, **__):
        self._refuse("a share cannot become an array", "use share.reveal(\"the reason\")")

    def __array_function__(self, function, *_):
        self._refuse(f"numpy.{function.__name__} cannot read a share", "use the methods of the share: sum, mean, relu, "
                     "sigmoid, softmax, T")

    def __array_ufunc__(self, ufunc, method, *operands, **options):
        operation = _OPERATIONS.get(ufunc.__name__)
        if operation is None or method != "__call__" or options:
            self._refuse(f"numpy.{ufunc.__name__} cannot read a share",
                         "use + - * @ > >= < <=, and the methods sum, mean, relu, sigmoid, softmax")
        return operation(*operands)

    def __reduce_ex__(self, protocol):
        self._refuse("a share cannot be copied or pickled", "a share belongs to the parties of its simulation, and has no meaning "
                     "in a file or in another process")

    # Arithmetic.

    def _like(self, core, shape=None):
        return Share(self._simulation, core, self.shape if shape is None else shape)

    def _call(self, name, *arguments):
        return getattr(self._simulation._core, name)(self._core, *arguments)

    def _stretched(self, shape):
        if matrix_shape(self.shape) == matrix_shape(shape):
            return self._like(self._core, shape)
        return self._like(self._call("stretched", matrix_shape(shape)), shape)

    def _with(self, other, what, of_shares, of_numbers):
        """Operates on the elements of two shares, or of this share and a matrix of public numbers."""
        if isinstance(other, Share):
            require_share(other, what, self._simulation)
            shape = _common_shape(self.shape, other.shape, what)
            return of_shares(self._stretched(shape), other._stretched(shape))
        numbers = _arrays.real_array(other, what, most_dimensions=2)
        shape = _common_shape(self.shape, numbers.shape, what)
        return of_numbers(self._stretched(shape), numpy.broadcast_to(matrix(numbers), matrix_shape(shape)))

    def __add__(self, other):
        return self._with(other, "x + y", lambda x, y: x._like(x._call("add", y._core)),
                          lambda x, numbers: x._like(x._call("plus_public", numbers)))

    __radd__ = __add__

    def __sub__(self, other):
        return self._with(other, "x - y", lambda x, y: x._like(x._call("subtract", y._core)),
                          lambda x, numbers: x._like(x._call("plus_public", -numbers)))

    def __rsub__(self, other):
        return -self + other

    def __neg__(self):
        return self._like(self._call("negative"))

    def __pos__(self):
        return self

    def __mul__(self, other):
        if not isinstance(other, Share) and numpy.ndim(other) == 0:
            number = _arrays.real_array(other, "x * number")
            return self._like(self._call("scaled", float(number)))
        return self._with(other, "x * y", lambda x, y: x._like(x._call("multiply", y._core)),
                          lambda x, numbers: x._like(x._call("times_public", numbers)))

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, Share):
            raise ConfigError("x / y: a share cannot divide; expected a number or an array: multiply by the reciprocal "
                              "where it is public")
        numbers = _arrays.real_array(other, "x / numbers", most_dimensions=2).astype(numpy.float64)
        if not numbers.all():
            raise ConfigError("x / numbers: a divisor is zero; expected numbers other than zero")
        return self * (1.0 / numbers)

    def __rtruediv__(self, other):
        raise ConfigError("number / x: a share cannot divide; expected a number or an array as the divisor")

    def __pow__(self, exponent):
        if isinstance(exponent, Share) or exponent != 2:
            raise ConfigError("x ** y: expected the exponent 2; write other powers as products")
        return self * self

    def __matmul__(self, other):
        if isinstance(other, Share):
            require_share(other, "x @ y", self._simulation)
            shape = _product_shape(self.shape, other.shape)
            column = other if other.ndim == 2 else other._turned()
            return self._like(self._call("matmul", column._core), shape)._as_row()
        numbers = _arrays.real_array(other, "x @ matrix", most_dimensions=2)
        shape = _product_shape(self.shape, numbers.shape)
        right = matrix(numbers) if numbers.ndim == 2 else matrix(numbers).T
        return self._like(self._call("times_public_matrix", right), shape)._as_row()

    def __rmatmul__(self, other):
        numbers = _arrays.real_array(other, "matrix @ x", most_dimensions=2)
        shape = _product_shape(numbers.shape, self.shape)
        column = self if self.ndim == 2 else self._turned()
        return self._like(column._call("public_matrix_times", matrix(numbers)), shape)._as_row()

    def _turned(self):
        """With the transposed matrix behind it."""
        return self._like(self._call("transposed"))

    def _as_row(self):
        """A vector is a row, also if it was computed as a column."""
        return self._turned() if self.ndim == 1 and self._core.shape[0] != 1 else self

    # Comparisons. The result is a share of 1 for each element with a true comparison, and of 0 for each other element.

    def __ge__(self, other):
        return self._compared(other, ">=", strictly=False)

    def __gt__(self, other):
        return self._compared(other, ">", strictly=True)

    def __lt__(self, other):
        return self._compared(other, "<", strictly=False)._opposite()

    def __le__(self, other):
        return self._compared(other, "<=", strictly=True)._opposite()

    def _opposite(self):
        return self._like(self._call("opposite"))

    def _at_least(self, units):
        return self._like(self._call("at_least", units))

    def _compared(self, other, what, strictly):
        """x > y, or x >= y."""
        what = f"x {what} y"
        if isinstance(other, Share):
            require_share(other, what, self._simulation)
            return (other - self)._at_least(0)._opposite() if strictly else (self - other)._at_least(0)
        limits = _arrays.real_array(other, what, most_dimensions=2).astype(numpy.float64)
        # In units of the last fraction bit, rounded so that the answer is right for every shared number. No number of the
        # simulation reaches the largest limit.
        most = self._simulation.bound + 1
        units = numpy.clip(limits, -most, most) * 2.0**self._simulation.fraction_bits
        units = numpy.floor(units) + 1 if strictly else numpy.ceil(units)
        if units.ndim == 0:
            return self._at_least(int(units))
        return (self - units * 2.0**-self._simulation.fraction_bits)._at_least(0)

    # Functions.

    def relu(self):
        """max(x, 0), exactly."""
        return self._like(self._call("relu"))

    def sigmoid(self):
        """1 / (1 + exp(-x)), within 2**-10 for up to 6 parties."""
        return self._like(self._call("sigmoid"))

    def softmax(self, axis=-1):
        """The softmax along an axis of at most 1024 elements, within 2**-10 for up to 6 parties."""
        axis = self._axis(axis, "softmax")
        count = self.shape[axis] if self.shape else 1
        if count > _core.MOST_CLASSES:
            raise ConfigError(f"softmax: the axis has {count} elements; expected at most {_core.MOST_CLASSES}")
        along_columns = self.ndim == 2 and axis == 0
        x = self.T if along_columns else self
        result = x._like(x._call("softmax"))
        return result.T if along_columns else result

    def sum(self, axis=None):
        """The sum of all elements, or along an axis."""
        axis = self._axis(axis, "sum")
        if axis is None or self.ndim < 2:
            row = self._like(self._call("column_sums")) if matrix_shape(self.shape)[0] > 1 else self
            return row._like(row._call("row_sums"), ())
        name = "column_sums" if axis == 0 else "row_sums"
        return self._like(self._call(name), (self.shape[1 - axis],))._as_row()

    def mean(self, axis=None):
        """The mean of all elements, or along an axis."""
        sums = self.sum(axis)
        return sums * (sums.size / self.size)

    def _axis(self, axis, what):
        if axis is None:
            return None
        if not self.shape and axis in (0, -1):
            return 0
        return _arrays.whole_number(axis, f"{what}: axis", -self.ndim, self.ndim - 1) % self.ndim

    @property
    def T(self):
        """The transpose."""
        return self if self.ndim < 2 else self._like(self._call("transposed"), self.shape[::-1])

    def __getitem__(self, key):
        """Rows and columns: numbers, and slices without a step."""
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) > self.ndim:
            raise ConfigError(f"x[...]: {len(keys)} indices for a share of {self.ndim} dimensions")
        result, shape = self, []
        for axis, (size, one) in enumerate(zip(self.shape, keys + (slice(None),) * (self.ndim - len(keys)))):
            begin, end, kept = _range(one, size)
            if kept:
                shape.append(end - begin)
            if (begin, end) != (0, size):
                name = "rows" if axis == 0 and self.ndim == 2 else "columns"
                result = result._like(result._call(name, (begin, end)))
        return result._like(result._core, shape)._as_row()

    def reveal(self, reason, to=None):
        """The value, for all parties or only the party ``to``. The account of reveals keeps the reason.

        A simulation plays all parties, so the array is returned in both cases.
        """
        return self._simulation.reveal([self], reason, to)[0]


def _product_shape(left, right):
    if not left or not right:
        raise ConfigError("x @ y: an operand is a single number; expected vectors or matrices: use *")
    if left[-1] != right[0]:
        raise ConfigError(f"x @ y: the shapes {tuple(left)} and {tuple(right)} do not fit: the left operand has {left[-1]} "
                          f"columns, the right one {right[0]} rows")
    return tuple(left[:-1]) + tuple(right[1:])


def _range(key, size):
    """begin, end, and whether the axis is kept."""
    if isinstance(key, slice):
        begin, end, step = key.indices(size)
        if step != 1 or end <= begin:
            raise ConfigError(f"x[...]: expected a slice of at least one element, without a step, of {size} elements")
        return begin, end, True
    try:
        number = key.__index__()
    except (AttributeError, ConfigError):
        raise ConfigError("x[...]: expected numbers and slices; a share or a list of indices would need another protocol"
                          ) from None
    if not -size <= number < size:
        raise IndexError(f"x[...]: {number} is not an index of {size} elements")
    return number % size, number % size + 1, False


_OPERATIONS = {
    "add": lambda x, y: y + x if isinstance(y, Share) else x + y,
    "subtract": lambda x, y: y.__rsub__(x) if not isinstance(x, Share) else x - y,
    "multiply": lambda x, y: y * x if isinstance(y, Share) else x * y,
    "divide": lambda x, y: y.__rtruediv__(x) if not isinstance(x, Share) else x / y,
    "matmul": lambda x, y: y.__rmatmul__(x) if not isinstance(x, Share) else x @ y,
    "negative": lambda x: -x,
    "positive": lambda x: x,
    "greater": lambda x, y: y < x if isinstance(y, Share) else x > y,
    "greater_equal": lambda x, y: y <= x if isinstance(y, Share) else x >= y,
    "less": lambda x, y: y > x if isinstance(y, Share) else x < y,
    "less_equal": lambda x, y: y >= x if isinstance(y, Share) else x <= y,
    "equal": lambda x, y: (x if isinstance(x, Share) else y).__eq__(None),
    "not_equal": lambda x, y: (x if isinstance(x, Share) else y).__eq__(None),
}
