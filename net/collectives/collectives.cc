#include "net/collectives/collectives.h"

#include <algorithm>

#include "net/collectives/cut.h"
#include "net/collectives/made_words.h"
#include "net/collectives/segment_flow.h"
#include "net/error.h"

namespace tacit::net {

namespace {

using Use = ArrivingSegment::Use;

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

// The cost of sending a list to each of `receivers` receivers.
Cost sending(std::span<const WordShape> tensors, std::int64_t receivers) {
  return {.bytes = receivers * packed_bytes(tensors), .messages = receivers * std::ssize(cut_into_segments(tensors))};
}

Cost one_round(int parties) { return {.rounds = parties > 1 ? 1 : 0}; }

void begin(Group& group) { group.count_rounds(one_round(group.parties()).rounds); }

void send_all(const Segments& segments, SegmentSender& sender) {
  while (sender.sent() < segments.count()) sender.send(segments[sender.sent()]);
  sender.finish();
}

void take_all(TensorReceiver& receiver) {
  while (!receiver.done()) receiver.take_next();
}

void reduce_all(Tensors tensors) {
  for (const Words& tensor : tensors) reduce(tensor);
}

std::vector<Segments> segments_by_party(TensorsByParty by_party) {
  std::vector<Segments> all;
  for (const Tensors tensors : by_party) all.emplace_back(tensors);
  return all;
}

// Takes one segment from each peer in turn, so that no peer waits long.
void take_all(std::vector<TensorReceiver>& receivers) {
  for (bool all_done = false; !all_done;) {
    all_done = true;
    for (TensorReceiver& receiver : receivers) {
      if (receiver.done()) continue;
      receiver.take_next();
      all_done = false;
    }
  }
}

std::int64_t longest(const std::vector<Segments>& lists) {
  std::int64_t most = 0;
  for (const Segments& segments : lists) most = std::max(most, segments.count());
  return most;
}

// Sends every peer its own list, one segment to each in turn.
class SenderToEach {
 public:
  SenderToEach(Group& group, const std::vector<Segments>& lists, Use use, BeforeUse before_use = {})
      : peers_(peers_after(group)), lists_(lists), use_(use), before_use_(std::move(before_use)) {
    for (const int peer : peers_) senders_.emplace_back(group, std::vector{peer});
  }

  // Returns after the first `count` segments of each list have been sent.
  void send_until(std::int64_t count) {
    for (; sent_ < count; ++sent_) {
      for (std::size_t p = 0; p < peers_.size(); ++p) {
        const Segments& segments = lists_[at(peers_[p])];
        if (sent_ >= segments.count()) continue;
        if (before_use_) before_use_(segments[sent_]);
        senders_[p].send(segments[sent_], use_);
      }
    }
  }

  void finish() {
    for (SegmentSender& sender : senders_) sender.finish();
  }

 private:
  const std::vector<int> peers_;
  const std::vector<Segments>& lists_;
  const Use use_;
  const BeforeUse before_use_;
  std::vector<SegmentSender> senders_;
  std::int64_t sent_ = 0;
};

}  // namespace

Cost broadcast_cost(std::span<const WordShape> tensors, int parties, int root, int rank) {
  Cost cost = one_round(parties);
  if (rank == root) cost += sending(tensors, parties - 1);
  return cost;
}

void broadcast(Group& group, int root, Tensors tensors) {
  begin(group);
  const Segments segments(tensors);
  if (group.rank() == root) {
    reduce_all(tensors);
    SegmentSender sender(group, peers_after(group));
    send_all(segments, sender);
  } else {
    TensorReceiver receiver(group, root, segments, Use::kStore);
    take_all(receiver);
  }
}

Cost gather_cost(ShapesByParty by_party, int root, int rank) {
  Cost cost = one_round(static_cast<int>(by_party.size()));
  if (rank != root) cost += sending(by_party[at(rank)], 1);
  return cost;
}

void gather(Group& group, int root, TensorsByParty by_party) {
  begin(group);
  TACIT_CHECK(std::ssize(by_party) == group.parties());
  if (group.rank() == root) {
    const std::vector<Segments> lists = segments_by_party(by_party);
    reduce_all(by_party[at(root)]);
    std::vector<TensorReceiver> receivers;
    for (const int peer : peers_before(group)) receivers.emplace_back(group, peer, lists[at(peer)], Use::kStore);
    take_all(receivers);
  } else {
    SegmentSender sender(group, {root});
    send_all(Segments(by_party[at(group.rank())]), sender);
  }
}

Cost scatter_cost(ShapesByParty by_party, int root, int rank) {
  Cost cost = one_round(static_cast<int>(by_party.size()));
  if (rank != root) return cost;
  for (int peer = 0; peer < std::ssize(by_party); ++peer) {
    if (peer != root) cost += sending(by_party[at(peer)], 1);
  }
  return cost;
}

void scatter(Group& group, int root, TensorsByParty by_party) {
  begin(group);
  TACIT_CHECK(std::ssize(by_party) == group.parties());
  const Tensors mine = by_party[at(group.rank())];
  if (group.rank() == root) {
    const std::vector<Segments> lists = segments_by_party(by_party);
    reduce_all(mine);
    SenderToEach sender(group, lists, Use::kStore);
    sender.send_until(longest(lists));
    sender.finish();
  } else {
    const Segments segments(mine);
    TensorReceiver receiver(group, root, segments, Use::kStore);
    take_all(receiver);
  }
}

Cost all_gather_cost(ShapesByParty by_party, int rank) {
  const int parties = static_cast<int>(by_party.size());
  Cost cost = one_round(parties);
  cost += sending(by_party[at(rank)], parties - 1);
  return cost;
}

void all_gather(Group& group, TensorsByParty by_party) {
  begin(group);
  TACIT_CHECK(std::ssize(by_party) == group.parties());
  const std::vector<Segments> lists = segments_by_party(by_party);
  const Segments& mine = lists[at(group.rank())];
  reduce_all(by_party[at(group.rank())]);
  std::vector<TensorReceiver> receivers;
  for (const int peer : peers_before(group)) receivers.emplace_back(group, peer, lists[at(peer)], Use::kStore);
  SegmentSender sender(group, peers_after(group));
  for (std::int64_t s = 0; s < longest(lists); ++s) {
    while (sender.sent() < std::min(mine.count(), s + kSegmentsUnderWay)) sender.send(mine[sender.sent()]);
    for (TensorReceiver& receiver : receivers) {
      if (!receiver.done()) receiver.take_next();
    }
  }
  sender.finish();
}

Cost reduce_scatter_cost(ShapesByParty by_party, int rank) { return scatter_cost(by_party, rank, rank); }

void reduce_scatter(Group& group, TensorsByParty by_party) { reduce_scatter(group, by_party, {}); }

void reduce_scatter(Group& group, TensorsByParty by_party, const BeforeUse& before_use) {
  begin(group);
  TACIT_CHECK(std::ssize(by_party) == group.parties());
  const std::vector<Segments> lists = segments_by_party(by_party);
  // With more parties, the addition reduces the words.
  if (group.parties() == 1) reduce_all(by_party[at(group.rank())]);
  std::vector<TensorReceiver> receivers;
  for (const int peer : peers_before(group))
    receivers.emplace_back(group, peer, lists[at(group.rank())], Use::kContribute);
  SenderToEach sender(group, lists, Use::kContribute, before_use);
  const Segments& mine = lists[at(group.rank())];
  for (std::int64_t s = 0; s < longest(lists); ++s) {
    sender.send_until(s + kSegmentsUnderWay);
    if (before_use && s < mine.count()) before_use(mine[s]);
    for (TensorReceiver& receiver : receivers) {
      if (!receiver.done()) receiver.take_next();
    }
  }
  sender.finish();
}

Cost barrier_cost(int parties) { return {.rounds = parties > 1 ? 1 : 0, .messages = parties - 1}; }

void barrier(Group& group) {
  begin(group);
  std::vector<Transfer> transfers;
  for (const int peer : peers_after(group)) transfers.push_back(group.receive(peer, {}));
  for (const int peer : peers_after(group)) transfers.push_back(group.send(peer, {}));
  for (Transfer& transfer : transfers) group.wait(transfer);
}

}  // namespace tacit::net
