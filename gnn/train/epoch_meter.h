// EpochMeter — the cost of an epoch, for its event: the session's stated cost, this process' usage, and the measured traffic.
#pragma once

#include <functional>

#include "gnn/train/epoch_event.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

class EpochMeter {
 public:
  // Begins to count. Both must outlive it. `traffic`: of this rank; empty if there is no mesh.
  EpochMeter(const mpc::Session& session, const std::function<net::Traffic()>& traffic)
      : session_(session), source_(traffic), cost_(session.stated()), usage_(times_so_far()) {
    if (source_) traffic_ = source_();
  }

  void tell(EpochEvent& event) const {
    event.cost = session_.stated() - cost_;
    event.usage = usage_so_far() - usage_;
    if (source_) event.traffic = source_() - traffic_;
  }

 private:
  const mpc::Session& session_;
  const std::function<net::Traffic()>& source_;
  mpc::Cost cost_;
  Usage usage_;
  net::Traffic traffic_;
};

}  // namespace tacit::gnn
