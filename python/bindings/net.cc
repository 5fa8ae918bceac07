#include "python/bindings/net.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "gnn/privacy/accountant.h"
#include "gnn/privacy/adversary.h"
#include "net/memory/memory_mesh.h"
#include "python/bindings/of_this_process.h"
#include "python/bindings/party_mesh.h"
#include "python/bindings/private_gradients.h"
#include "python/bindings/seen.h"
#include "python/bindings/signals.h"

namespace tacit::python {

namespace {

namespace py = pybind11;
using Handle = OfThisProcess<PartyMesh>;
using Unlocked = py::call_guard<py::gil_scoped_release>;
using Words = py::array_t<std::int64_t, py::array::c_style>;
using Floats = py::array_t<float, py::array::c_style>;

std::shared_ptr<Handle> handle_of(std::unique_ptr<net::Mesh> mesh, std::shared_ptr<Views> views = nullptr) {
  return std::make_shared<Handle>("the mesh",
                                  std::make_unique<PartyMesh>(std::move(mesh), std::move(views), hear_signals));
}

std::shared_ptr<Handle> join(const std::string& key, const std::string& roster, double deadline, double patience) {
  return handle_of(PartyMesh::join({key, roster, deadline, patience}, hear_signals));
}

// With a record, the views of all ranks are kept as long as any of the meshes.
std::vector<std::shared_ptr<Handle>> in_memory(int parties, double patience, bool record) {
  const net::MemoryMeshOptions options{.patience = std::chrono::milliseconds(std::llround(1e3 * patience))};
  std::vector<std::shared_ptr<Handle>> handles;
  const std::shared_ptr<Views> views = record ? std::make_shared<Views>(parties) : nullptr;
  for (auto& mesh : net::memory_mesh(parties, 0, options)) handles.push_back(handle_of(std::move(mesh), views));
  return handles;
}

Words sum(Handle& self, const Words& words, bool secure) {
  PartyMesh::Numbers own(words.data(), words.data() + words.size());
  {
    const py::gil_scoped_release unlocked;
    own = self->sum(std::move(own), secure);
  }
  Words result(std::vector<py::ssize_t>{static_cast<py::ssize_t>(own.size())});
  std::copy(own.begin(), own.end(), result.mutable_data());
  return result;
}

py::bytes broadcast(Handle& self, const py::bytes& bytes, int root) {
  std::string own = bytes;
  {
    const py::gil_scoped_release unlocked;
    own = self->broadcast(std::move(own), root);
  }
  return own;
}

py::list gather(Handle& self, const py::bytes& bytes, const PartyMesh::Numbers& sizes, int root) {
  std::vector<std::string> all;
  std::string own = bytes;
  {
    const py::gil_scoped_release unlocked;
    all = self->gather(std::move(own), sizes, root);
  }
  py::list result;
  for (const std::string& one : all) result.append(py::bytes(one));
  return result;
}

py::dict traffic_of(Handle& self) {
  const net::Traffic traffic = self->traffic();
  const net::PeerTraffic total = traffic.total();
  return py::dict(py::arg("rounds") = traffic.rounds, py::arg("bytes_sent") = total.payload_sent,
                  py::arg("bytes_received") = total.payload_received, py::arg("messages_sent") = total.messages_sent,
                  py::arg("wire_bytes_sent") = total.wire_sent, py::arg("wire_bytes_received") = total.wire_received);
}

// A sum of gradients, the mesh that it needs, and the rank's own clipping and noise, or null.
struct GradientsOver {
  std::shared_ptr<Handle> mesh;
  std::shared_ptr<net::GradientSum> sum;
  std::shared_ptr<PrivateGradients> own;

  GradientsOver(std::shared_ptr<Handle> over, std::shared_ptr<net::GradientSum> made,
                std::shared_ptr<PrivateGradients> clipped)
      : mesh(std::move(over)), sum(std::move(made)), own(std::move(clipped)) {}
  GradientsOver(const GradientsOver&) = delete;
  GradientsOver& operator=(const GradientsOver&) = delete;
  ~GradientsOver() {
    if (mesh->is_here()) return;
    new std::shared_ptr<net::GradientSum>(sum);  // a fork lacks the threads: leave them alone
    new std::shared_ptr<PrivateGradients>(own);
  }
  net::GradientSum& open() {
    static_cast<void>(**mesh);
    if (!sum) throw ConfigError("the sum of gradients was closed; open another one with mesh.gradients()");
    return *sum;
  }
};

std::unique_ptr<GradientsOver> gradients(const std::shared_ptr<Handle>& mesh, const std::vector<std::int64_t>& sizes,
                                         std::int64_t bucket_bytes, bool secure, int fraction_bits,
                                         const std::vector<std::string>& names, double clip, double noise) {
  const PrivacyOfRank privacy{clip, noise, fraction_bits};
  auto own = clip > 0 ? std::make_shared<PrivateGradients>(sizes, privacy, (*mesh)->parties()) : nullptr;
  net::SyncSettings settings{.way = secure ? net::SyncWay::kSecureSum : net::SyncWay::kBuckets,
                             .bucket_bytes = bucket_bytes,
                             .fraction_bits = fraction_bits,
                             .names = names};
  return std::make_unique<GradientsOver>(mesh, (*mesh)->gradient_sum(sizes, std::move(settings)), std::move(own));
}

void ready(GradientsOver& self, std::size_t parameter, const Floats& gradient) {
  const std::span<const float> values(gradient.data(), static_cast<std::size_t>(gradient.size()));
  const py::gil_scoped_release unlocked;
  net::GradientSum& sum = self.open();
  self.own ? self.own->ready(parameter, values) : sum.ready(parameter, values);
}

void finish(GradientsOver& self) {
  net::GradientSum& sum = self.open();
  if (self.own) {
    std::size_t parameter = 0;
    for (const std::vector<std::int32_t>& units : self.own->part()) {
      sum.ready(parameter++, std::span<const std::int32_t>(units));
    }
  }
  (*self.mesh)->finish(self.sum);
}

// The epsilon of all steps of a sum so far, or of `steps` steps: for everyone who sees the sums, and for ranks that
// pool their knowledge.
std::vector<std::pair<std::string, double>> epsilons(GradientsOver& self, double delta, std::int64_t steps) {
  if (!self.own || self.own->noise_left(0) == 0) throw ConfigError("epsilon: the sum has no noise; expected noise=...");
  gnn::check_delta(delta);
  const int parties = (*self.mesh)->parties();
  std::vector<gnn::Adversary> adversaries{{gnn::Observer::kOutsiders}};
  for (const int together : {1, parties - 1}) {
    if (together > adversaries.back().together && together < parties)
      adversaries.push_back({gnn::Observer::kParties, together});
  }
  std::vector<std::pair<std::string, double>> all;
  for (gnn::Adversary& one : adversaries) {
    one.noise = self.own->noise_left(one.together);
    const gnn::Mechanism mechanism{one.noise, one.rate, steps < 0 ? self.own->steps() : steps, 0, self.own->grid()};
    const bool counted = one.noise >= gnn::kLeastNoise || mechanism.steps == 0;
    all.emplace_back(gnn::describe(one), counted ? gnn::epsilon_of(std::span(&mechanism, 1), delta).told()
                                                 : std::numeric_limits<double>::infinity());
  }
  return all;
}

Floats mean(GradientsOver& self, std::size_t parameter, py::ssize_t size) {
  Floats result(std::vector<py::ssize_t>{size});
  self.open().mean(parameter, {result.mutable_data(), static_cast<std::size_t>(size)});
  return result;
}

std::pair<double, double> times_of(GradientsOver& self) {
  const auto seconds = [](std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); };
  const net::SyncTimes times = self.open().times();
  return {seconds(times.communicating), seconds(times.hidden)};
}

}  // namespace

void define_net(py::module_& module) {
  py::class_<Handle, std::shared_ptr<Handle>> mesh(module, "Mesh");
  mesh.def_property_readonly("rank", [](Handle& self) { return self->rank(); });
  mesh.def_property_readonly("parties", [](Handle& self) { return self->parties(); });
  mesh.def(
      "exchange", [](Handle& self, const PartyMesh::Numbers& own) { return self->exchange(own); }, Unlocked());
  mesh.def("sum", &sum);
  mesh.def("broadcast", &broadcast);
  mesh.def("gather", &gather);
  mesh.def("traffic", &traffic_of);
  mesh.def("view", [](Handle& self) { return as_python(self->view()); });
  mesh.def(
      "close", [](Handle& self) { self->close(); }, Unlocked());
  mesh.def(
      "abort",
      [](Handle& self, const std::string& reason, bool yours_to_fix) {
        self->abort(reason, yours_to_fix ? Exit::kConfig : Exit::kNet);
      },
      Unlocked());
  mesh.def("is_here", &Handle::is_here);
  module.def("join", &join, Unlocked());
  module.def("in_memory", &in_memory, Unlocked());

  py::class_<GradientsOver> sum(module, "Gradients");
  sum.def("ready", &ready);
  sum.def("finish", &finish, Unlocked());
  sum.def("epsilons", &epsilons, Unlocked());
  sum.def("mean", &mean);
  sum.def("times", &times_of);
  sum.def(
      "close",
      [](GradientsOver& self) {
        self.sum.reset();
        if (self.own) self.own->end();
      },
      Unlocked());
  module.def("gradients", &gradients, Unlocked());
}

}  // namespace tacit::python
