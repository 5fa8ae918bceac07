// One segment of tensors as a message: PackedSegment on its way out, ArrivingSegment on its way in.
//
// Words of 64 bits that lie together in some number travel straight from and to the tensors; everything else is packed
// into scratch memory on one side and stored or added out of it on the other.
#pragma once

#include <span>
#include <vector>

#include "net/collectives/cut.h"
#include "net/collectives/group.h"

namespace tacit::net {

class PackedSegment {
 public:
  // The words that pieces() shows in place must not change until nobody sends them any more.
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
    kContribute,  // to a sum that this party makes for others: ContributionWatch is told
  };

  // Where the message goes: receive it into pieces(), then call finish(). To be stored, it may go straight to the
  // words, which belong to the message then; to be added, they are free until finish().
  void expect(std::vector<Words> parts, Use use, Group& group);
  std::span<const Bytes> pieces() const { return pieces_; }
  void finish();

  // Whether receiving such a segment writes to the words before finish().
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
