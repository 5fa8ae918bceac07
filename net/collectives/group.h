// Group is the parties of a mesh on one stream, for collective operations. Helpers are never
// members.
//
// The group keeps its collectives' scratch memory for reuse: a few segments for each peer. Thread:
// one at a time. Two groups on two streams may work at once.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "net/mesh.h"

namespace tacit::net {

// ContributionWatch sees the words that a party sends for a sum, if one party computes this sum for the others. A word
// that is damaged on its way makes the sum wrong at all parties alike: only the two ends of the message can find it.
class ContributionWatch {
 public:
  virtual ~ContributionWatch() = default;
  // One message: the bytes that leave, and the bytes that arrived, before they are added.
  virtual void sent(int to, std::span<const ConstBytes> message) = 0;
  virtual void received(int from, std::span<const ConstBytes> message) = 0;
};

class Group {
 public:
  // The mesh must outlive the group and this rank must be a party.
  explicit Group(Mesh& mesh, Stream stream = kMainStream);
  Group(const Group&) = delete;  // lenders point to this object
  Group& operator=(const Group&) = delete;

  Mesh& mesh() { return *mesh_; }
  int rank() const { return rank_; }
  int parties() const { return parties_; }
  // The party that is `steps` after this one in a circle; `steps` may be negative.
  int neighbour(int steps) const { return ((rank_ + steps) % parties_ + parties_) % parties_; }

  [[nodiscard]] Transfer send(int to, std::span<const ConstBytes> pieces) {
    return mesh_->channel(to).send(stream_, pieces);
  }
  [[nodiscard]] Transfer receive(int from, std::span<const Bytes> pieces) {
    return mesh_->channel(from).receive(stream_, pieces);
  }
  // Waits for a transfer of a collective, and adds the time to waited().
  void wait(Transfer& transfer);
  std::chrono::nanoseconds waited() const { return waited_; }
  void count_rounds(std::int64_t rounds) { mesh_->count_rounds(rounds); }

  // Null: no watch. The watch must outlive the group.
  void set_watch(ContributionWatch* watch) { watch_ = watch; }
  ContributionWatch* watch() const { return watch_; }

  // Cuts 0 … count into ranges of some `grain`, calls work(begin, end) for each, and returns when all are done.
  using Ranges = std::function<void(std::int64_t count, std::int64_t grain,
                                    const std::function<void(std::int64_t begin, std::int64_t end)>& work)>;
  // How words are packed and unpacked. Without, or with null: one range, in the calling thread.
  void set_ranges(Ranges ranges) { ranges_ = std::move(ranges); }
  void for_ranges(std::int64_t count, std::int64_t grain,
                  const std::function<void(std::int64_t begin, std::int64_t end)>& work) const;

  // kSegmentBytes of memory that is lent until the handle goes.
  class Lender {
   public:
    explicit Lender(Group* group = nullptr) : group_(group) {}
    void operator()(std::byte* memory) const { group_->spare_.emplace_back(memory); }

   private:
    Group* group_;
  };
  using Scratch = std::unique_ptr<std::byte[], Lender>;
  Scratch borrow();

 private:
  Mesh* mesh_;
  Stream stream_;
  int rank_;
  int parties_;
  std::chrono::nanoseconds waited_{0};
  std::vector<std::unique_ptr<std::byte[]>> spare_;
  ContributionWatch* watch_ = nullptr;
  Ranges ranges_;
};

}  // namespace tacit::net
