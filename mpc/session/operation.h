// Operation is one call of a protocol: its name, its cost, and its code for each interpreter of a
// session.
//
// The file of a protocol holds a class that derives from OperationOf<Result>, and exports the
// function that programs call. The function checks its arguments and passes the operation to
// Session::run. A program outside mpc/ can add a protocol in the same way: see
// docs/adding-a-protocol.md.
//
// An operation lives for one call only, so it may refer to its arguments instead of copying them.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "mpc/session/clear.h"
#include "mpc/session/dealer.h"
#include "mpc/session/party.h"
#include "mpc/session/planner.h"

namespace tacit::mpc {

class Operation {
 public:
  Operation() = default;
  virtual ~Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  // The name in profiles and plans. A string literal: profiles refer to it after the operation is gone.
  virtual std::string_view name() const = 0;
  // The traffic that one party sends, and the traffic that the dealer sends. Every test run
  // compares it with the measured traffic.
  virtual Cost cost(const CostSetting& setting) const = 0;

  virtual void run(Party& party) = 0;
  virtual void run(Dealer& dealer) = 0;
  virtual void run(Clear& clear) = 0;
  virtual void run(Planner& planner) = 0;
};

template <typename Result>
class OperationOf : public Operation {
 public:
  // The party's side. Party, dealer and plan must draw masks and dealt values in the same order.
  virtual Result at(Party& party) = 0;
  // The side of the dealer, who knows shapes and masks, and no values.
  virtual Result at(Dealer& dealer) = 0;
  // The reference: the same function of plain fixed-point values.
  virtual Result at(Clear& clear) = 0;
  // Shapes and formats of the result, without contents.
  virtual Result at(Planner& planner) = 0;

  void run(Party& party) final { set(at(party)); }
  void run(Dealer& dealer) final { set(at(dealer)); }
  void run(Clear& clear) final { set(at(clear)); }
  void run(Planner& planner) final { set(at(planner)); }

  void set(Result result) { result_.emplace(std::move(result)); }
  Result take() { return std::move(result_).value(); }

 private:
  std::optional<Result> result_;
};

}  // namespace tacit::mpc
