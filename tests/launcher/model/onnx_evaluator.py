"""onnx_evaluator: computes an ONNX graph in numpy. It knows the operations in files of `tacit export`, as the ONNX operators'
documentation (opset 16) states them, and no others. Debian's onnx has a checker but no evaluator."""

import numpy
import onnx
from onnx import numpy_helper


def scattered(data, indices, updates, axis, reduction):
    assert axis == 0 and reduction == b"add" and indices.shape == updates.shape
    sums = data.copy()
    for column in range(data.shape[1]):
        numpy.add.at(sums[:, column], indices[:, column], updates[:, column])
    return sums


TYPES = {onnx.TensorProto.FLOAT: numpy.float32, onnx.TensorProto.DOUBLE: numpy.float64}
OPERATIONS = {
    "Add": lambda a, b: a + b,
    "ArgMax": lambda x, axis, keepdims: numpy.argmax(x, axis=axis, keepdims=bool(keepdims)),
    "Cast": lambda x, to: x.astype(TYPES[to]),
    "Clip": numpy.clip,
    "Concat": lambda *parts, axis: numpy.concatenate(parts, axis),
    "ConstantOfShape": lambda shape: numpy.zeros(shape, numpy.float32),
    "Div": lambda a, b: a / b,
    "Expand": lambda x, shape: numpy.broadcast_to(x, shape),
    "Gather": lambda x, index: x[index],
    "Gemm": lambda a, b, transB: a @ (b.T if transB else b),
    "Identity": lambda x: x,
    "Max": numpy.maximum,
    "Mul": lambda a, b: a * b,
    "ReduceMean": lambda x, axes, keepdims: x.mean(tuple(axes), keepdims=bool(keepdims)),
    "ReduceL1": lambda x, axes, keepdims: numpy.abs(x).sum(axis=tuple(axes), keepdims=bool(keepdims)),
    "ReduceMax": lambda x, keepdims: numpy.max(x, keepdims=bool(keepdims)),
    "ReduceSum": lambda x, axes, keepdims: x.sum(tuple(axes), keepdims=bool(keepdims)),
    "Relu": lambda x: numpy.maximum(x, 0),
    "ScatterElements": scattered,
    "Shape": lambda x: numpy.array(x.shape),
    "Sqrt": numpy.sqrt,
    "Sub": lambda a, b: a - b,
    "Unsqueeze": lambda x, axes: numpy.expand_dims(x, tuple(axes)),
}


def checked(path):
    """Returns the model after ONNX's own checks of the file, its operations and its shapes."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    return model


def evaluate(model, inputs):
    """Returns the outputs by their names."""
    declared = {one.name: one.type.tensor_type.elem_type for one in model.graph.input}
    assert declared.keys() == inputs.keys(), f"the graph has the inputs {sorted(declared)}"
    for name, value in inputs.items():
        expected = onnx.TensorProto.INT64 if value.dtype == numpy.int64 else onnx.TensorProto.FLOAT
        assert declared[name] == expected, f"{name} is {value.dtype}"
    values = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer} | inputs
    for node in model.graph.node:
        attributes = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
        values[node.output[0]] = OPERATIONS[node.op_type](*(values[name] for name in node.input), **attributes)
    return {one.name: values[one.name] for one in model.graph.output}
