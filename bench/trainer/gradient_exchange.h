// GradientExchange — combines a rank's gradients with the other ranks', between the backward pass and the change of
// the weights.
//
//   for each step:
//     exchange.ready(p, gradient);   // in hooks of the backward pass; as often as the rank has parts of a batch
//     exchange.finish();             // waits as long as the way requires
//     exchange.gradient(p, out);     // the gradient to apply, for each parameter p
// At the end of an epoch, end_epoch() returns true if gradients have arrived that are still to be applied.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/trainer/trainer_options.h"
#include "net/mesh.h"
#include "net/synchronise/gradient_sum.h"

namespace tacit::bench {

class GradientExchange {
 public:
  virtual ~GradientExchange() = default;

  virtual void begin_epoch(std::int64_t /*steps*/) {}
  virtual void ready(std::size_t parameter, std::span<const float> gradient) = 0;
  virtual void finish() = 0;
  virtual void gradient(std::size_t parameter, std::span<float> out) const = 0;
  virtual bool end_epoch() { return false; }

  virtual net::SyncTimes times() const { return {}; }     // in the last step
  virtual std::int64_t oldest_step() const { return 0; }  // async: the greatest lateness
};

struct ParameterList {
  std::vector<std::int64_t> sizes;
  std::vector<std::string> names;
};

// For one process. Several parts of a batch are added in the ranks' fixed point, so the sum has the same bits as with
// one rank for each part.
std::unique_ptr<GradientExchange> alone(const TrainerOptions& options, const ParameterList& parameters);
// The synchronous ways and async. All ranks call it at the same time. Throws ConfigError for an unknown way.
std::unique_ptr<GradientExchange> over_mesh(net::Mesh& mesh, const TrainerOptions& options,
                                            const ParameterList& parameters);

}  // namespace tacit::bench
