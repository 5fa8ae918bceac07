// The classes of tacit._core behind tacit.mpc: a simulation, and a shared matrix.
#pragma once

#include <pybind11/pybind11.h>

namespace tacit::python {

void define_mpc(pybind11::module_& module);

}  // namespace tacit::python
