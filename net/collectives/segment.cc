#include "net/collectives/segment.h"

#include <algorithm>
#include <functional>

namespace tacit::net {

namespace {

// Below this size, a separate piece costs more than the copy that it saves.
constexpr std::int64_t kInPlaceBytes = 16 * 1024;
static_assert(kSegmentBytes / kInPlaceBytes * 2 + 1 <= kMaxPieces);

bool in_place(const Words& part) {
  return part.bits == kWordBits && packed_bytes(part.count(), part.bits) >= kInPlaceBytes;
}

// Hands out the scratch memory piece by piece, and joins neighbouring pieces.
class Layout {
 public:
  explicit Layout(std::byte* scratch) : scratch_(scratch) {}

  Bytes next(std::int64_t bytes) {
    TACIT_CHECK(used_ + bytes <= kSegmentBytes);
    const Bytes place(scratch_ + used_, static_cast<std::size_t>(bytes));
    used_ += bytes;
    return place;
  }

  template <typename Piece>
  static void append(Piece place, std::vector<Piece>& pieces) {
    if (place.empty()) return;
    if (!pieces.empty() && pieces.back().data() + pieces.back().size() == place.data()) {
      pieces.back() = Piece(pieces.back().data(), pieces.back().size() + place.size());
    } else {
      pieces.push_back(place);
    }
  }

 private:
  std::byte* scratch_;
  std::int64_t used_ = 0;
};

constexpr std::int64_t kGrain = 1 << 15;  // words that are worth waking a thread for

// Calls work(some of the words, their bytes) for ranges of whole blocks. Eight words take k whole bytes, so each range begins at
// a whole byte.
template <typename Place, typename Work>
void in_ranges(const Group& group, const Words& part, Place bytes, const Work& work) {
  const std::int64_t blocks = (part.count() + kPackBlock - 1) / kPackBlock;
  const auto work_on = [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t first = begin * kPackBlock, count = std::min(end * kPackBlock, part.count()) - first;
    work(part.part(first, count), bytes.subspan(static_cast<std::size_t>(begin * part.bits),
                                                static_cast<std::size_t>(packed_bytes(count, part.bits))));
  };
  group.for_ranges(blocks, kGrain / kPackBlock, std::cref(work_on));  // a copy would take memory of its own
}

}  // namespace

void PackedSegment::pack(std::vector<Words> parts, Group& group) {
  if (!scratch_ && !std::all_of(parts.begin(), parts.end(), in_place)) scratch_ = group.borrow();
  Layout layout(scratch_.get());
  pieces_.clear();
  for (const Words& part : parts) {
    if (in_place(part)) {
      Layout::append(as_bytes(part), pieces_);
    } else {
      const Bytes place = layout.next(packed_bytes(part.count(), part.bits));
      in_ranges(group, part, place, [](const Words& some, Bytes bytes) { net::pack(some, bytes); });
      Layout::append(ConstBytes(place), pieces_);
    }
  }
}

bool ArrivingSegment::lands_in_place(std::span<const Words> parts, Use use) {
  return use == Use::kStore && std::any_of(parts.begin(), parts.end(), in_place);
}

void ArrivingSegment::expect(std::vector<Words> parts, Use use, Group& group) {
  const auto straight = [&](const Words& part) { return use == Use::kStore && in_place(part); };
  if (!scratch_ && !std::all_of(parts.begin(), parts.end(), straight)) scratch_ = group.borrow();
  Layout layout(scratch_.get());
  use_ = use;
  pieces_.clear();
  packed_.clear();
  for (const Words& part : parts) {
    if (straight(part)) {
      Layout::append(as_writable_bytes(part), pieces_);
    } else {
      const Bytes place = layout.next(packed_bytes(part.count(), part.bits));
      packed_.push_back({part, place});
      Layout::append(place, pieces_);
    }
  }
}

void ArrivingSegment::finish(const Group& group) {
  for (const Packed& part : packed_) {
    in_ranges(group, part.words, part.bytes, [this](const Words& some, Bytes bytes) {
      use_ == Use::kStore ? unpack(bytes, some) : add_packed(bytes, some);
    });
  }
}

}  // namespace tacit::net
