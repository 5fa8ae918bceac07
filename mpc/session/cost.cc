#include "mpc/session/cost.h"

#include <vector>

#include "mpc/correlations/dealt_message.h"
#include "mpc/correlations/pairwise_correlations.h"
#include "net/collectives/cut.h"

namespace tacit::mpc {

Cost& Cost::operator+=(const Cost& other) {
  rounds += other.rounds;
  bytes += other.bytes;
  messages += other.messages;
  dealt_bytes += other.dealt_bytes;
  dealt_messages += other.dealt_messages;
  made_rounds += other.made_rounds;
  made_bytes += other.made_bytes;
  return *this;
}

Cost& Cost::operator-=(const Cost& other) {
  rounds -= other.rounds;
  bytes -= other.bytes;
  messages -= other.messages;
  dealt_bytes -= other.dealt_bytes;
  dealt_messages -= other.dealt_messages;
  made_rounds -= other.made_rounds;
  made_bytes -= other.made_bytes;
  return *this;
}

Cost opening_cost(std::span<const net::WordShape> tensors, const CostSetting& setting) {
  TACIT_CHECK(setting.plan != nullptr);
  const net::AllReduce algorithm = setting.plan->choose(net::packed_bytes(tensors));
  const net::Cost cost = net::all_reduce_cost(algorithm, tensors, setting.parties, setting.rank);
  return {.rounds = cost.rounds, .bytes = cost.bytes, .messages = cost.messages};
}

namespace {

Cost cost_of_dealing(std::span<const net::WordShape> tensors) {
  std::int64_t bytes = kDealtTagBytes;
  for (const net::WordShape& tensor : tensors) bytes += net::packed_bytes(tensor.count, tensor.bits);
  return {.dealt_bytes = bytes, .dealt_messages = 1};
}

Cost cost_of_making(const MadeCost& made) {
  return {.rounds = made.rounds,
          .bytes = made.bytes,
          .messages = made.messages,
          .made_rounds = made.rounds,
          .made_bytes = made.bytes};
}

}  // namespace

Cost correlation_cost(const WordRequest& request, const CostSetting& setting) {
  if (setting.pairwise) return cost_of_making(made_cost(request, setting.parties, setting.rank));
  return std::visit(
      [](const auto& one) {
        std::vector<net::WordShape> dealt;
        for (const int width : one.widths()) dealt.push_back(word_shape(one.shape(), width));
        return cost_of_dealing(dealt);
      },
      request);
}

Cost correlation_cost(const BitRequest& request, const CostSetting& setting) {
  if (setting.pairwise) return cost_of_making(made_cost(request, setting.parties, setting.rank));
  return std::visit(
      [](const auto& one) {
        return cost_of_dealing(std::vector(static_cast<std::size_t>(one.count), bit_shape(one.shape())));
      },
      request);
}

}  // namespace tacit::mpc
