#include "net/collectives/all_reduce_algorithms.h"
#include "net/collectives/cut.h"
#include "net/collectives/segment_flow.h"

namespace tacit::net {

namespace {

using Use = ArrivingSegment::Use;

constexpr int kRoot = 0;

void add_up_and_send_back(Group& group, const Segments& segments) {
  std::vector<TensorReceiver> receivers;
  for (const int peer : peers_before(group)) receivers.emplace_back(group, peer, segments, Use::kContribute);
  SegmentSender sender(group, peers_after(group));
  for (std::int64_t s = 0; s < segments.count(); ++s) {
    for (TensorReceiver& receiver : receivers) receiver.take_next();
    sender.send(segments[s]);
  }
  sender.finish();
}

// Receives the sum of a segment while later segments are still leaving.
void send_and_take_back(Group& group, const Segments& segments) {
  SegmentSender sender(group, {kRoot});
  SegmentReceiver receiver(group, kRoot);
  while (receiver.taken() < segments.count()) {
    if (sender.sent() < segments.count() && sender.sent() < receiver.posted() + kSegmentsUnderWay) {
      sender.send(segments[sender.sent()], Use::kContribute);
    } else if (receiver.posted() < segments.count() && receiver.may_post()) {
      sender.wait_until_left(receiver.posted() + 1);  // the sum goes where our own words are
      receiver.post(segments[receiver.posted()], Use::kStore);
    } else {
      receiver.take_next();
    }
  }
}

}  // namespace

// star: every party sends to rank 0, which adds up and sends the sum back. It is the naive baseline.
//
// Rounds      2
// Sends       k bits per element to rank 0, and from it to each peer
Cost star_cost(std::span<const WordShape> tensors, int parties, int rank) {
  const std::int64_t peers = rank == kRoot ? parties - 1 : 1;
  return {
      .rounds = 2, .bytes = peers * packed_bytes(tensors), .messages = peers * std::ssize(cut_into_segments(tensors))};
}

void all_reduce_star(Group& group, Tensors tensors) {
  group.count_rounds(2);
  const Segments segments(tensors);
  if (group.rank() == kRoot) {
    add_up_and_send_back(group, segments);
  } else {
    send_and_take_back(group, segments);
  }
}

}  // namespace tacit::net
