#include "mpc/session/cost.h"

#include <map>
#include <utility>
#include <vector>

#include "mpc/correlations/dealt_message.h"
#include "mpc/correlations/pairwise_correlations.h"
#include "mpc/correlations/request_notes.h"
#include "mpc/ot/leakage_units.h"
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
  made_leakage = capped_sum(made_leakage, other.made_leakage);
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
  made_leakage -= other.made_leakage;
  return *this;
}

namespace {

// A program opens tensors of a few shapes over and over, and the cost of large ones takes a walk through all their messages. Each thread
// keeps the last costs.
net::Cost known_cost(net::AllReduce algorithm, std::span<const net::WordShape> tensors, int parties, int rank) {
  constexpr std::size_t kMostKept = 4096;
  thread_local std::map<std::vector<std::int64_t>, net::Cost> kept;
  std::vector<std::int64_t> name = {static_cast<std::int64_t>(algorithm), parties, rank};
  name.reserve(name.size() + 2 * tensors.size());
  for (const net::WordShape& tensor : tensors) name.insert(name.end(), {tensor.count, tensor.bits});
  if (const auto known = kept.find(name); known != kept.end()) return known->second;
  if (kept.size() >= kMostKept) kept.clear();
  return kept.emplace(std::move(name), net::all_reduce_cost(algorithm, tensors, parties, rank)).first->second;
}

}  // namespace

Cost opening_cost(std::span<const net::WordShape> tensors, const CostSetting& setting) {
  TACIT_CHECK(setting.plan != nullptr);
  const net::AllReduce algorithm = setting.plan->choose(net::packed_bytes(tensors));
  const net::Cost cost = known_cost(algorithm, tensors, setting.parties, setting.rank);
  return {.rounds = cost.rounds, .bytes = cost.bytes, .messages = cost.messages};
}

namespace {

Cost cost_of_dealing(std::span<const net::WordShape> tensors) {
  std::int64_t bytes = kDealtTagBytes;
  for (const net::WordShape& tensor : tensors) bytes += net::packed_bytes(tensor.count, tensor.bits);
  return {.dealt_bytes = bytes, .dealt_messages = 1};
}

template <typename Request>
Cost cost_of_making(const Request& request, const CostSetting& setting) {
  const MadeCost made = setting.notes != nullptr ? setting.notes->note(request)
                                                 : made_cost(request, setting.parties, setting.rank, setting.from);
  if (is_ahead(setting.from)) {
    return {.bytes = made.bytes, .made_bytes = made.bytes, .made_leakage = made.leakage};
  }
  return {.rounds = made.rounds,
          .bytes = made.bytes,
          .messages = made.messages,
          .made_rounds = made.rounds,
          .made_bytes = made.bytes,
          .made_leakage = made.leakage};
}

}  // namespace

Cost correlation_cost(const WordRequest& request, const CostSetting& setting) {
  if (setting.from != CorrelationsFrom::kDealer) return cost_of_making(request, setting);
  return std::visit(
      [](const auto& one) {
        std::vector<net::WordShape> dealt;
        for (const int width : one.widths()) dealt.push_back(word_shape(one.shape(), width));
        return cost_of_dealing(dealt);
      },
      request);
}

Cost correlation_cost(const BitRequest& request, const CostSetting& setting) {
  if (setting.from != CorrelationsFrom::kDealer) return cost_of_making(request, setting);
  return std::visit(
      [](const auto& one) {
        return cost_of_dealing(std::vector(static_cast<std::size_t>(one.count), bit_shape(one.shape())));
      },
      request);
}

}  // namespace tacit::mpc
