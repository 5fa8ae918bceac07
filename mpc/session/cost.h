// Cost is the communication of a step, known before the step runs. Every protocol states its cost
// as code, and every test run compares it with the measured traffic.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mpc/correlations/correlations.h"
#include "mpc/ot/pair_network.h"
#include "mpc/session/values.h"
#include "net/collectives/all_reduce_plan.h"

namespace tacit::mpc {

class RequestNotes;

struct Cost {
  std::int64_t rounds = 0;
  std::int64_t bytes = 0;        // payload that this party sends to the other parties
  std::int64_t messages = 0;     // messages with this payload
  std::int64_t dealt_bytes = 0;  // bytes that the dealer sends, to all parties together
  std::int64_t dealt_messages = 0;
  // Without a dealer: the part of `rounds` and `bytes` that makes correlations.
  std::int64_t made_rounds = 0;
  std::int64_t made_bytes = 0;
  // A bound of the information about this party's masks in its lattice answers, in the units of mpc/ot/leakage_units.h.
  std::int64_t made_leakage = 0;

  bool operator==(const Cost&) const = default;
  Cost& operator+=(const Cost& other);
  Cost& operator-=(const Cost& other);
  friend Cost operator+(Cost a, const Cost& b) { return a += b; }
  friend Cost operator-(Cost a, const Cost& b) { return a -= b; }
};

// The rank and the plan for which a cost is computed. The plan decides how an opening travels:
// directly, in two phases, or otherwise.
struct CostSetting {
  int parties = 1;
  int rank = 0;
  const net::AllReducePlan* plan = nullptr;
  CorrelationsFrom from = CorrelationsFrom::kDealer;
  RequestNotes* notes = nullptr;  // if correlations are made ahead; null: without notes, for rounds and messages alone
};

// The properties of a tensor that determine a cost.
struct Spec {
  Shape shape;
  Format format;

  Spec(Shape s, Format f) : shape(s), format(f) {}
  Spec(const Value& value) : shape(value.shape()), format(value.format()) {}
};

// The cost of one opening of all these tensors together.
Cost opening_cost(std::span<const net::WordShape> tensors, const CostSetting& setting);
inline net::WordShape word_shape(Shape shape, int bits) { return {shape.size(), bits}; }
inline net::WordShape bit_shape(Shape shape) { return {BitTensor::words_for(shape.size()), kWordBits}; }

// The cost of a correlation, from the public part of its request: one message from the dealer to one party, with a tag; or what
// this party sends to the others to make it. A correlation that is made ahead has no rounds and messages here: other
// correlations share them (mpc/ahead/maker.h).
Cost correlation_cost(const WordRequest& request, const CostSetting& setting);
Cost correlation_cost(const BitRequest& request, const CostSetting& setting);

}  // namespace tacit::mpc
