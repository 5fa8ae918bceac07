#include <algorithm>

#include "net/collectives/all_reduce_algorithms.h"
#include "net/collectives/cut.h"
#include "net/collectives/segment_flow.h"

namespace tacit::net {

namespace {

using Use = ArrivingSegment::Use;

// One segment of one step.
struct Item {
  const std::vector<Words>* words = nullptr;
  Use use = Use::kStore;
};

// In step t, t = 0 … 2(n-1)-1, a party sends chunk rank-t to the next party and receives chunk
// rank-t-1 from the previous one. In the first n-1 steps it adds the received chunk to its own,
// later it stores the chunk. A party therefore sends its own chunk first, and then every chunk that
// it has received, except the chunk of the last step.
class Ring {
 public:
  Ring(Group& group, Tensors tensors) : group_(group) {
    for (const Parts& chunk : cut_into_chunks(shapes(tensors), group.parties())) {
      chunks_.emplace_back(views_of(chunk, tensors));
    }
    const int steps = 2 * (group.parties() - 1);
    own_ = chunk(0).count();
    for (const Segments& segments : chunks_) others_ += segments.count();
    others_ -= own_;
    for (int t = 0; t < steps; ++t) {
      const Use use = t < group.parties() - 1 ? Use::kContribute : Use::kStore;
      append(t, use, outgoing_);
      append(t + 1, use, incoming_);
    }
  }

  void run() {
    group_.count_rounds(2 * (group_.parties() - 1));
    while (receiver_.taken() < std::ssize(incoming_) || sender_.sent() < std::ssize(outgoing_)) {
      send_what_is_ready();
      post_receives();
      if (receiver_.taken() < std::ssize(incoming_)) receiver_.take_next();
    }
    sender_.finish();
  }

 private:
  const Segments& chunk(int steps_back) const {
    return chunks_[static_cast<std::size_t>(group_.neighbour(-steps_back))];
  }

  void append(int steps_back, Use use, std::vector<Item>& items) const {
    const Segments& segments = chunk(steps_back);
    for (std::int64_t s = 0; s < segments.count(); ++s) items.push_back({&segments[s], use});
  }

  void send_what_is_ready() {
    // Sends no further ahead than the window. Otherwise all parties could wait for room at the next
    // party, in a circle.
    const std::int64_t ready = std::min(own_ + receiver_.taken(), receiver_.taken() + kSegmentsUnderWay);
    while (sender_.sent() < std::min(ready, std::ssize(outgoing_))) {
      const Item& item = outgoing_[static_cast<std::size_t>(sender_.sent())];
      sender_.send(*item.words, item.use);
    }
  }

  void post_receives() {
    while (receiver_.may_post() && receiver_.posted() < std::ssize(incoming_)) {
      const Item& item = incoming_[static_cast<std::size_t>(receiver_.posted())];
      if (ArrivingSegment::lands_in_place(*item.words, item.use) && !may_be_overwritten()) return;
      receiver_.post(*item.words, item.use);
    }
  }

  // The sum of a segment overwrites the words that this party sent n-1 steps before. Since then,
  // every segment of the other chunks has arrived once.
  bool may_be_overwritten() {
    const std::int64_t sent_as = receiver_.posted() - others_;
    if (sent_as < sender_.sent() && sender_.has_left(sent_as + 1)) return true;
    if (receiver_.posted() > receiver_.taken()) return false;  // there is another segment to wait for
    sender_.wait_until_left(sent_as + 1);
    return true;
  }

  Group& group_;
  std::vector<Segments> chunks_;
  std::vector<Item> outgoing_;
  std::vector<Item> incoming_;
  std::int64_t own_ = 0;     // segments of this party's own chunk: sent before any is received
  std::int64_t others_ = 0;  // segments of the other chunks
  SegmentReceiver receiver_{group_, group_.neighbour(-1)};
  SegmentSender sender_{group_, {group_.neighbour(1)}};
};

}  // namespace

// ring: chunks travel round the circle twice: first they are added up, then the sums are distributed. A
// chunk is passed on segment by segment.
//
// Rounds      2(n-1)
// Sends       2(n-1)/n · k bits per element, all to the next party
Cost ring_cost(std::span<const WordShape> tensors, int parties, int rank) {
  const std::vector<Parts> chunks = cut_into_chunks(tensors, parties);
  Cost cost{.rounds = 2 * (parties - 1)};
  for (int t = 0; t < 2 * (parties - 1); ++t) {
    const auto sent = static_cast<std::size_t>(((rank - t) % parties + parties) % parties);
    const std::vector<WordShape> chunk = shapes_of(chunks[sent], tensors);
    cost.bytes += packed_bytes(chunk);
    cost.messages += std::ssize(cut_into_segments(chunk));
  }
  return cost;
}

void all_reduce_ring(Group& group, Tensors tensors) { Ring(group, tensors).run(); }

}  // namespace tacit::net
