# Made stored.npz and deflated.npz for npz_test.cc, with Debian 12's python3-numpy (1.24.2).
import numpy

arrays = {
    "bool": numpy.array([True, False, True]),
    "uint8": numpy.array([0, 255], numpy.uint8),
    "int32": numpy.array([-(2**31), 2**31 - 1], numpy.int32),
    "int64": numpy.array([-(2**40), 2**40], numpy.int64),
    "float32": numpy.array([0.5, -1.25], numpy.float32),
    "float64": numpy.array([0.1, -1e300]),
    "big_endian": numpy.array([1.5, -2], ">f4"),
    "columns": numpy.asfortranarray(numpy.arange(6).reshape(2, 3)),
    "scalar": numpy.array(42),
    "empty": numpy.empty((0, 4), numpy.float32),
    "objects": numpy.array([{}], object),
    "structured": numpy.zeros(1, [("a", "<f4")]),
    "cube": numpy.zeros((1, 2, 3)),
}
numpy.savez("stored.npz", **arrays)
numpy.savez_compressed("deflated.npz", **arrays)
