// SegmentSender and SegmentReceiver transfer tensors segment by segment: the sender to some peers,
// the receiver from one.
//
// At most kSegmentsUnderWay segments of a flow are in progress, so memory is bounded for tensors of
// any length. A receiver posts up to that many segments ahead. Lock step never stalls if every rank
// posts before it waits, and its sends stay at most that many segments ahead of its own receives.
#pragma once

#include <vector>

#include "net/collectives/group.h"
#include "net/collectives/segment.h"

namespace tacit::net {

inline constexpr std::int64_t kSegmentsUnderWay = 4;

// The segments of a list of tensors.
class Segments {
 public:
  Segments() = default;
  explicit Segments(Tensors tensors);
  std::int64_t count() const { return std::ssize(segments_); }
  const std::vector<Words>& operator[](std::int64_t i) const { return segments_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<std::vector<Words>> segments_;
};

// The other parties, starting with the next one. If all parties send in this order, no two parties
// send to the same party at a time.
std::vector<int> peers_after(const Group& group);
// The other parties, starting with the previous one: the order in which messages arrive.
std::vector<int> peers_before(const Group& group);

class SegmentSender {
 public:
  using Use = ArrivingSegment::Use;
  SegmentSender(Group& group, std::vector<int> to);

  // Sends one more segment to every receiver, for this use there. Waits if too many are under way.
  void send(const std::vector<Words>& segment, Use use = Use::kStore);
  std::int64_t sent() const { return sent_; }

  // has_left tells whether the first `count` segments have left, and wait_until_left waits for it.
  // Their words may change afterwards.
  bool has_left(std::int64_t count);
  void wait_until_left(std::int64_t count);
  void finish() { wait_until_left(sent_); }

 private:
  struct Slot {
    PackedSegment segment;
    std::vector<Transfer> transfers;  // declared last: destroyed before the memory that they read
  };
  Slot& slot(std::int64_t i) { return slots_[static_cast<std::size_t>(i % kSegmentsUnderWay)]; }

  Group& group_;
  std::vector<int> to_;
  std::vector<Slot> slots_;
  std::int64_t sent_ = 0;
  std::int64_t left_ = 0;  // number of segments that have left
};

class SegmentReceiver {
 public:
  using Use = ArrivingSegment::Use;
  SegmentReceiver(Group& group, int from);

  // Posts the receive of one more segment. At most kSegmentsUnderWay may be posted and not yet
  // taken.
  void post(const std::vector<Words>& segment, Use use);
  bool may_post() const { return posted_ - taken_ < kSegmentsUnderWay; }
  std::int64_t posted() const { return posted_; }
  std::int64_t taken() const { return taken_; }

  void wait_for_next();  // returns when its bytes have arrived
  void take_next();      // stores or adds its words

 private:
  struct Slot {
    ArrivingSegment segment;
    Use use = Use::kStore;
    Transfer transfer;  // goes before the memory that it writes to
  };
  Slot& slot(std::int64_t i) { return slots_[static_cast<std::size_t>(i % kSegmentsUnderWay)]; }

  Group& group_;
  int from_;
  std::vector<Slot> slots_;
  std::int64_t posted_ = 0;
  std::int64_t taken_ = 0;
};

// Receives a whole list of tensors for one use, and posts as far ahead as permitted.
class TensorReceiver {
 public:
  TensorReceiver(Group& group, int from, const Segments& segments, SegmentReceiver::Use use);

  bool done() const { return receiver_.taken() == segments_->count(); }
  void wait_for_next() { receiver_.wait_for_next(); }
  void take_next();

 private:
  void post_ahead();

  SegmentReceiver receiver_;
  const Segments* segments_;
  SegmentReceiver::Use use_;
};

}  // namespace tacit::net
