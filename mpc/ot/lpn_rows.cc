#include "mpc/ot/lpn_rows.h"

#include <algorithm>

#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kRowsAtOnce = 512;  // their words of the stream stay in the first-level cache

constexpr std::int64_t kRowBlocks = TransferLoops::kNumbers / 2;

}  // namespace

LpnRows::LpnRows(std::string_view key, int log_base, Instructions instructions)
    : loops_(transfer_loops(instructions)),
      pi_(key, instructions),
      log_base_(log_base),
      stream_(static_cast<std::size_t>(kRowsAtOnce * kRowBlocks)) {
  TACIT_CHECK(key.size() == sizeof(Block) && log_base >= 1 && log_base <= TransferLoops::kColumnBits);
}

void LpnRows::add(std::uint64_t round, std::int64_t first, std::span<const Block> base, std::span<Block> rows) {
  TACIT_CHECK(std::ssize(base) == std::int64_t{1} << log_base_);
  for (std::int64_t at = 0; at < std::ssize(rows); at += kRowsAtOnce) {
    const std::int64_t count = std::min(kRowsAtOnce, std::ssize(rows) - at);
    auto number = static_cast<std::uint64_t>((first + at) * kRowBlocks);
    const auto some = std::span(stream_).first(static_cast<std::size_t>(count * kRowBlocks));
    for (Block& block : some) block = {round, number++};
    pi_.permute(some);
    loops_.add_rows(reinterpret_cast<std::uint64_t*>(rows.data() + at), count,
                    reinterpret_cast<const std::uint64_t*>(base.data()),
                    reinterpret_cast<const std::uint64_t*>(some.data()), (std::uint64_t{1} << log_base_) - 1);
  }
}

}  // namespace tacit::mpc
