// Cost — what a step costs, known before it runs. Every protocol states its own as code; tests hold it to that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mpc/session/values.h"
#include "net/collectives/all_reduce_plan.h"

namespace tacit::mpc {

struct Cost {
  std::int64_t rounds = 0;
  std::int64_t bytes = 0;        // of payload that this party sends to the other parties
  std::int64_t messages = 0;     // of them
  std::int64_t dealt_bytes = 0;  // that the dealer sends, to all parties together
  std::int64_t dealt_messages = 0;

  bool operator==(const Cost&) const = default;
  Cost& operator+=(const Cost& other);
  Cost& operator-=(const Cost& other);
  friend Cost operator+(Cost a, const Cost& b) { return a += b; }
  friend Cost operator-(Cost a, const Cost& b) { return a -= b; }
};

// Who asks. The plan decides how an opening travels: direct, or in two phases, and so on.
struct CostSetting {
  int parties = 1;
  int rank = 0;
  const net::AllReducePlan* plan = nullptr;
};

// What of a tensor a cost depends on.
struct Spec {
  Shape shape;
  Format format;

  Spec(Shape s, Format f) : shape(s), format(f) {}
  Spec(const Value& value) : shape(value.shape()), format(value.format()) {}
};

// One opening of all these together.
Cost opening_cost(std::span<const net::WordShape> tensors, const CostSetting& setting);
inline net::WordShape word_shape(Shape shape, int bits) { return {shape.size(), bits}; }
inline net::WordShape bit_shape(Shape shape) { return {BitTensor::words_for(shape.size()), kWordBits}; }

// One message of the dealer's: a tag and these. It goes to one of the parties.
Cost dealing_cost(std::span<const net::WordShape> tensors);

}  // namespace tacit::mpc
