// The messages that a rank has seen, as a list of tuples: sender, step, bytes.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "python/bindings/recorded_mesh.h"

namespace tacit::python {

inline pybind11::list as_python(const std::vector<SeenMessage>& messages) {
  pybind11::list list;
  for (const SeenMessage& message : messages) {
    list.append(pybind11::make_tuple(message.from, message.step, pybind11::bytes(message.bytes)));
  }
  return list;
}

}  // namespace tacit::python
