#include "python/bindings/mpc.h"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <utility>

#include "python/bindings/of_this_process.h"
#include "python/bindings/seen.h"
#include "python/bindings/signals.h"
#include "python/bindings/simulation.h"

namespace tacit::python {

namespace {

namespace py = pybind11;
using mpc::Matrix;
using Handle = OfThisProcess<Simulation>;
using Class = py::class_<Handle>;
using Unlocked = py::call_guard<py::gil_scoped_release>;

std::unique_ptr<Handle> opened(int parties, double bound, int fraction_bits, bool record, bool pairwise) {
  const SimulationOptions options{parties, bound, fraction_bits, record, pairwise};
  return std::make_unique<Handle>("the simulation", std::make_unique<Simulation>(options, hear_signals));
}

// A method `name` of one share, or of two.
template <typename Function>
void one(Class& simulation, const char* name, Function function) {
  simulation.def(
      name,
      [=](Handle& self, const Shared& x) {
        return self->compute(name, {x},
                             [=](const Seat& seat, const std::vector<Held*>& o) { return function(seat, *o[0]); });
      },
      Unlocked());
}
template <typename Function>
void two(Class& simulation, const char* name, Function function) {
  simulation.def(
      name,
      [=](Handle& self, const Shared& x, const Shared& y) {
        return self->compute(
            name, {x, y}, [=](const Seat& seat, const std::vector<Held*>& o) { return function(seat, *o[0], *o[1]); });
      },
      Unlocked());
}
// A method of a share and a public argument.
template <typename Argument, typename Function>
void with(Class& simulation, const char* name, Function function) {
  simulation.def(
      name,
      [=](Handle& self, const Shared& x, Argument argument) {
        return self->compute(
            name, {x}, [=](const Seat& seat, const std::vector<Held*>& o) { return function(seat, *o[0], argument); });
      },
      Unlocked());
}

void define_functions(Class& simulation) {
  two(simulation, "add", sum);
  two(simulation, "subtract", difference);
  two(simulation, "multiply", product);
  two(simulation, "matmul", matrix_product);
  one(simulation, "relu", relu);
  one(simulation, "sigmoid", sigmoid);
  one(simulation, "softmax", softmax);
  one(simulation, "column_sums", column_sums);
  one(simulation, "row_sums", row_sums);
  one(simulation, "opposite", [](const Seat& seat, const Held& x) { return opposite(seat, x); });
  one(simulation, "negative", [](const Seat&, const Held& x) { return negative(x); });
  one(simulation, "transposed", [](const Seat&, const Held& x) { return transposed(x); });
  with<double>(simulation, "scaled", scaled);
  with<std::int64_t>(simulation, "at_least", at_least);
  with<Matrix>(simulation, "plus_public", plus_public);
  with<Matrix>(simulation, "times_public", times_public);
  with<Matrix>(simulation, "times_public_matrix", times_public_matrix);
  with<Matrix>(simulation, "public_matrix_times",
               [](const Seat& seat, Held& x, const Matrix& left) { return public_matrix_times(seat, left, x); });
  using Range = std::pair<std::int64_t, std::int64_t>;
  with<Range>(simulation, "rows", [](const Seat&, const Held& x, Range r) { return rows(x, r.first, r.second); });
  with<Range>(simulation, "columns", [](const Seat&, const Held& x, Range r) { return columns(x, r.first, r.second); });
  with<Range>(simulation, "stretched", [](const Seat&, const Held& x, Range shape) {
    return stretched(x, {shape.first, shape.second});
  });
}

py::dict cost_of(Handle& self) {
  const SimulationCost cost = [&] {
    const py::gil_scoped_release unlocked;
    return self->cost();
  }();
  py::list protocols;
  for (const mpc::ProtocolCost& line : cost.by_protocol) {
    protocols.append(py::make_tuple(line.protocol, line.calls, line.cost.rounds, line.cost.bytes, line.cost.dealt_bytes,
                                    line.cost.made_rounds, line.cost.made_bytes));
  }
  return py::dict(py::arg("rounds") = cost.rounds, py::arg("bytes") = cost.bytes, py::arg("messages") = cost.messages,
                  py::arg("dealt_bytes") = cost.dealt_bytes, py::arg("by_protocol") = protocols,
                  py::arg("made_rounds") = cost.made_rounds, py::arg("made_bytes") = cost.made_bytes);
}

py::list reveals_of(Handle& self) {
  py::list lines;
  for (const mpc::Reveal& line : self->reveals()) {
    lines.append(py::make_tuple(line.reason, line.to.party, line.count, line.elements));
  }
  return lines;
}

}  // namespace

void define_mpc(py::module_& module) {
  py::class_<SharedMatrix, Shared>(module, "Shared").def_property_readonly("shape", [](const SharedMatrix& self) {
    return std::pair(self.shape.rows, self.shape.cols);
  });
  Class simulation(module, "Simulation");
  simulation.def(py::init(&opened), py::arg("parties"), py::arg("bound"), py::arg("fraction_bits"), py::arg("record"),
                 py::arg("pairwise"), Unlocked());
  simulation.def(
      "share", [](Handle& self, const Matrix& x, int owner, double bound) { return self->share(x, owner, bound); },
      Unlocked());
  define_functions(simulation);
  simulation.def(
      "reveal",
      [](Handle& self, const Operands& values, const std::string& reason, int to) {
        return self->reveal(values, reason, to);
      },
      Unlocked());
  simulation.def("cost", &cost_of);
  simulation.def("view", [](Handle& self, int rank) { return as_python(self->view(rank)); });
  simulation.def("reveals", &reveals_of);
  simulation.def(
      "close", [](Handle& self) { self->close(); }, Unlocked());
  simulation.def(
      "stop", [](Handle& self, const std::string& why) { self->stop(why); }, Unlocked());
  simulation.def("is_here", &Handle::is_here);
  module.attr("MOST_PARTIES") = SimulationOptions::kMostParties;
  module.def("most_bound", &SimulationOptions::most_bound);
  module.attr("MOST_CLASSES") = kMostClasses;
}

}  // namespace tacit::python
