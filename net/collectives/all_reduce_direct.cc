#include <algorithm>

#include "net/collectives/all_reduce_algorithms.h"
#include "net/collectives/cut.h"
#include "net/collectives/segment_flow.h"

namespace tacit::net {

// direct: every party sends its whole tensors to every other party.
//
// Rounds      1
// Sends       k bits per element to each peer
Cost direct_cost(std::span<const WordShape> tensors, int parties) {
  const std::int64_t peers = parties - 1;
  return {
      .rounds = 1, .bytes = peers * packed_bytes(tensors), .messages = peers * std::ssize(cut_into_segments(tensors))};
}

void all_reduce_direct(Group& group, Tensors tensors, const BeforeUse& before_use) {
  group.count_rounds(1);
  const Segments segments(tensors);
  std::vector<TensorReceiver> receivers;
  for (const int peer : peers_before(group)) receivers.emplace_back(group, peer, segments, SegmentReceiver::Use::kAdd);
  SegmentSender sender(group, peers_after(group));
  for (std::int64_t s = 0; s < segments.count(); ++s) {
    while (sender.sent() < std::min(segments.count(), s + kSegmentsUnderWay)) {
      if (before_use) before_use(segments[sender.sent()]);
      sender.send(segments[sender.sent()]);
    }
    for (TensorReceiver& receiver : receivers) receiver.wait_for_next();
    sender.wait_until_left(s + 1);  // the sum will overwrite this party's own words
    for (TensorReceiver& receiver : receivers) receiver.take_next();
  }
}

}  // namespace tacit::net
