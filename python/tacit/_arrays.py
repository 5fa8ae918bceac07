"""Arguments of users: arrays and numbers, checked before anything is sent or shared. No message contains an element."""

import numpy

from tacit.errors import ConfigError


def real_array(value, what, most_dimensions=None):
    """``value`` as a numpy array of finite real numbers. An array is not copied."""
    if hasattr(value, "detach") and hasattr(value, "device"):  # a tensor of torch
        if value.device.type != "cpu":
            raise ConfigError(f"{what}: the tensor is on the device {value.device}; expected one on the CPU: pass "
                              f"tensor.cpu()")
        value = value.detach().numpy()
    if isinstance(value, numpy.ma.MaskedArray) and numpy.ma.is_masked(value):
        raise ConfigError(f"{what}: {numpy.ma.count_masked(value)} of {value.size} elements are masked; expected numbers "
                          f"alone: fill these elements, for example with array.filled(0)")
    try:
        array = numpy.asarray(value)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{what}: {type(value).__name__} is not an array of numbers ({error})") from None
    if array.dtype.kind not in "bifu":
        raise ConfigError(f"{what}: the elements have the type {array.dtype}; expected real numbers: convert them, for "
                          f"example with array.astype(float)")
    if array.size == 0:
        raise ConfigError(f"{what}: the array of shape {array.shape} has no elements; expected at least one")
    if most_dimensions is not None and array.ndim > most_dimensions:
        raise ConfigError(f"{what}: the array has {array.ndim} dimensions; expected at most {most_dimensions}: reshape it")
    if array.dtype.kind == "f" and not numpy.isfinite(array).all():
        count = int(numpy.size(array) - numpy.isfinite(array).sum())
        raise ConfigError(f"{what}: {count} of {array.size} elements are NaN or infinite; expected finite numbers: replace "
                          f"or drop these elements")
    return array


def within(array, bound, what, remedy):
    """Refuses numbers beyond a public bound."""
    beyond = int((numpy.abs(array.astype(numpy.float64)) > bound).sum())
    if beyond:
        raise ConfigError(f"{what}: {beyond} of {array.size} elements lie beyond the declared bound of {bound:g}; {remedy}")


def whole_number(value, what, least, most):
    try:
        number = value.__index__()
    except AttributeError:
        number = None
    if number is None or isinstance(value, bool) or not least <= number <= most:
        raise ConfigError(f"{what} is {value!r}; expected a whole number from {least} to {most}")
    return number


def positive_number(value, what, most):
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 < number <= most:  # also NaN
        raise ConfigError(f"{what} is {value!r}; expected a number above 0, and at most {most:g}")
    return number


def reason_text(reason):
    if not isinstance(reason, str) or not reason.strip():
        raise ConfigError(f"reveal: the reason is {reason!r}; expected a text that says why these values may be seen, such "
                          f"as \"the loss\": the account of reveals keeps it")
    return reason
