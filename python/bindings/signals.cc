#include "python/bindings/signals.h"

#include <pybind11/pybind11.h>

namespace tacit::python {

void hear_signals() {
  const pybind11::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

}  // namespace tacit::python
