#include "mpc/session/cost.h"

#include "mpc/correlations/dealt_message.h"
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

Cost dealing_cost(std::span<const net::WordShape> tensors) {
  std::int64_t bytes = kDealtTagBytes;
  for (const net::WordShape& tensor : tensors) bytes += net::packed_bytes(tensor.count, tensor.bits);
  return {.dealt_bytes = bytes, .dealt_messages = 1};
}

}  // namespace tacit::mpc
