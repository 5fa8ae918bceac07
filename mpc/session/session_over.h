// SessionOver is a Session that runs every operation's side for one kind of context: Party, Dealer,
// Clear or Planner.
#pragma once

#include "mpc/session/operation.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

template <typename Context>
class SessionOver : public Session {
 protected:
  using Session::Session;
  virtual Context& context() = 0;

  void begin(std::int64_t operation) override { context().begin(operation); }
  Waited waited() override { return context().waited(); }
  void perform(Operation& operation) override { operation.run(context()); }
};

}  // namespace tacit::mpc
