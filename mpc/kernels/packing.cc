#include "mpc/kernels/packing.h"

#include <algorithm>

namespace tacit::mpc {

namespace {

constexpr std::int64_t kGrain = 1 << 15;  // words that are worth waking a thread for

// The packed words begin … end. Eight words take k whole bytes, so a range of whole blocks begins at a whole byte.
template <typename AnyBytes>
AnyBytes part(AnyBytes packed, std::int64_t begin, std::int64_t end, int bits) {
  return packed.subspan(static_cast<std::size_t>(begin / net::kPackBlock * bits),
                        static_cast<std::size_t>(net::packed_bytes(end - begin, bits)));
}

// Calls work(begin, end) for ranges of whole blocks, the last one up to `count`.
template <typename Work>
void for_blocks(std::int64_t count, Workers& workers, const Work& work) {
  const std::int64_t blocks = (count + net::kPackBlock - 1) / net::kPackBlock;
  workers.for_ranges(blocks, kGrain / net::kPackBlock, [&](std::int64_t begin, std::int64_t end) {
    work(begin * net::kPackBlock, std::min(end * net::kPackBlock, count));
  });
}

}  // namespace

void pack(net::ConstWords words, net::Bytes packed, Workers& workers) {
  TACIT_CHECK(std::ssize(packed) == net::packed_bytes(words.count(), words.bits));
  for_blocks(words.count(), workers, [&](std::int64_t begin, std::int64_t end) {
    const auto some = words.words.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    net::pack({some, words.bits}, part(packed, begin, end, words.bits));
  });
}

void unpack(net::ConstBytes packed, net::Words words, Workers& workers) {
  TACIT_CHECK(std::ssize(packed) == net::packed_bytes(words.count(), words.bits));
  for_blocks(words.count(), workers, [&](std::int64_t begin, std::int64_t end) {
    net::unpack(part(packed, begin, end, words.bits), words.part(begin, end - begin));
  });
}

}  // namespace tacit::mpc
