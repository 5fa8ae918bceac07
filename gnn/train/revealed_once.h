// RevealedOnce — the shares that were revealed of a checkpoint's state. What is revealed again is the same share: a
// value that is rounded anew each time tells bits below its last place (mpc/README.md).
#pragma once

#include <optional>
#include <string>

#include "mpc/session/session.h"

namespace tacit::gnn {

class RevealedOnce {
 public:
  virtual ~RevealedOnce() = default;

  // The share that was revealed as `name` of the state after `epoch`, where all parties hold it. Every rank makes the
  // same calls and gets the same answer.
  virtual std::optional<mpc::Share> find(mpc::Session& session, std::int64_t epoch, const std::string& name) = 0;

  // This share is about to be revealed for the first time, or a checkpoint of its state is about to be written.
  virtual void keep(std::int64_t epoch, const std::string& name, const mpc::Share& share) = 0;
};

}  // namespace tacit::gnn
