// PackedSegment and ArrivingSegment are one segment of tensors as an outgoing and as an incoming
// message.
//
// Long runs of 64-bit words travel directly from and to the tensors. All other words are packed
// into scratch memory at the sender, and stored or added from scratch memory at the receiver: in
// ranges that the group may give to several threads (Group::set_ranges). The bytes do not depend on it.
#pragma once

#include <span>
#include <vector>

#include "net/collectives/cut.h"
#include "net/collectives/group.h"

namespace tacit::net {

class PackedSegment {
 public:
  // The words that pieces() refers to in place must not change until all sends have finished.
  void pack(std::vector<Words> parts, Group& group);
  std::span<const ConstBytes> pieces() const { return pieces_; }

 private:
  std::vector<ConstBytes> pieces_;
  Group::Scratch scratch_;
};

class ArrivingSegment {
 public:
  enum class Use : unsigned char {
    kStore,
    kAdd,         // every party adds the same words: a sum that is wrong at one differs from the others'
    kContribute,  // adds to a sum that this party computes for the others; ContributionWatch sees the words
  };

  // Prepares the memory of the message: receive it into pieces(), then call finish(). With kStore,
  // the message may go directly to the words, so it owns them until finish(). With kAdd, the words
  // stay free until finish().
  void expect(std::vector<Words> parts, Use use, Group& group);
  std::span<const Bytes> pieces() const { return pieces_; }
  void finish(const Group& group);

  // True if receiving such a segment writes to the words before finish().
  static bool lands_in_place(std::span<const Words> parts, Use use);

 private:
  struct Packed {
    Words words;
    Bytes bytes;
  };
  std::vector<Bytes> pieces_;
  std::vector<Packed> packed_;
  Use use_ = Use::kStore;
  Group::Scratch scratch_;
};

}  // namespace tacit::net
