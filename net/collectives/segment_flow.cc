#include "net/collectives/segment_flow.h"

#include <algorithm>

namespace tacit::net {

Segments::Segments(Tensors tensors) {
  for (const Parts& parts : cut_into_segments(shapes(tensors))) segments_.push_back(views_of(parts, tensors));
}

std::vector<int> peers_after(const Group& group) {
  std::vector<int> peers;
  for (int step = 1; step < group.parties(); ++step) peers.push_back(group.neighbour(step));
  return peers;
}

std::vector<int> peers_before(const Group& group) {
  std::vector<int> peers;
  for (int step = 1; step < group.parties(); ++step) peers.push_back(group.neighbour(-step));
  return peers;
}

SegmentSender::SegmentSender(Group& group, std::vector<int> to) : group_(group), to_(std::move(to)) {}

void SegmentSender::send(const std::vector<Words>& segment, Use use) {
  if (std::ssize(slots_) < kSegmentsUnderWay) {
    slots_.emplace_back();
  } else {
    wait_until_left(sent_ - kSegmentsUnderWay + 1);
  }
  Slot& s = slot(sent_);
  s.transfers.clear();
  s.segment.pack(segment, group_);
  for (const int peer : to_) {
    if (use == Use::kContribute && group_.watch() != nullptr) group_.watch()->sent(peer, s.segment.pieces());
    s.transfers.push_back(group_.send(peer, s.segment.pieces()));
  }
  ++sent_;
}

bool SegmentSender::has_left(std::int64_t count) {
  while (left_ < count) {
    const auto& transfers = slot(left_).transfers;
    if (!std::all_of(transfers.begin(), transfers.end(), [](const Transfer& t) { return t.done(); })) return false;
    ++left_;
  }
  return true;
}

void SegmentSender::wait_until_left(std::int64_t count) {
  for (; left_ < count; ++left_) {
    for (Transfer& transfer : slot(left_).transfers) group_.wait(transfer);
  }
}

SegmentReceiver::SegmentReceiver(Group& group, int from) : group_(group), from_(from) {}

void SegmentReceiver::post(const std::vector<Words>& segment, Use use) {
  TACIT_CHECK(may_post());
  if (std::ssize(slots_) < kSegmentsUnderWay) slots_.emplace_back();
  Slot& s = slot(posted_);
  s.segment.expect(segment, use, group_);
  s.use = use;
  s.transfer = group_.receive(from_, s.segment.pieces());
  ++posted_;
}

void SegmentReceiver::wait_for_next() {
  TACIT_CHECK(taken_ < posted_);
  group_.wait(slot(taken_).transfer);
}

void SegmentReceiver::take_next() {
  wait_for_next();
  Slot& s = slot(taken_);
  if (s.use == Use::kContribute && group_.watch() != nullptr) {
    const std::span<const Bytes> pieces = s.segment.pieces();
    group_.watch()->received(from_, std::vector<ConstBytes>(pieces.begin(), pieces.end()));
  }
  s.segment.finish(group_);
  ++taken_;
}

TensorReceiver::TensorReceiver(Group& group, int from, const Segments& segments, SegmentReceiver::Use use)
    : receiver_(group, from), segments_(&segments), use_(use) {
  post_ahead();
}

void TensorReceiver::take_next() {
  receiver_.take_next();
  post_ahead();
}

void TensorReceiver::post_ahead() {
  while (receiver_.may_post() && receiver_.posted() < segments_->count()) {
    receiver_.post((*segments_)[receiver_.posted()], use_);
  }
}

}  // namespace tacit::net
