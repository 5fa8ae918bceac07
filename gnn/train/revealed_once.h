// RevealedOnce — keeps the share of each value that is revealed of a checkpoint's state, for a
// later reveal of the same value. If the value were computed and rounded anew each time, the
// reveals would disclose bits below its last place (mpc/README.md).
#pragma once

#include <optional>
#include <string>

#include "gnn/arithmetic/tensor.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

class RevealedOnce {
 public:
  virtual ~RevealedOnce() = default;

  // The tensor with the shares that were revealed as `name` of the state after `epoch`, if all parties hold them. Every
  // rank makes the same calls and gets the same answer.
  virtual std::optional<Tensor> find(mpc::Session& session, std::int64_t epoch, const std::string& name) = 0;

  // This tensor is about to be revealed for the first time, or a checkpoint of its state is about to be written.
  virtual void keep(std::int64_t epoch, const std::string& name, const Tensor& told) = 0;
};

}  // namespace tacit::gnn
