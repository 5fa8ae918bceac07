// The classes of tacit._core behind tacit.net: a mesh, and a sum of gradients over it.
#pragma once

#include <pybind11/pybind11.h>

namespace tacit::python {

void define_net(pybind11::module_& module);

}  // namespace tacit::python
