#include "mpc/ot/ferret_round.h"

#include <algorithm>

#include "net/error.h"

namespace tacit::mpc {

template <typename Trees>
struct FerretRound<Trees>::Scratch {
  Scratch(const FerretSet& set, const Key& key)
      : grower(set.depth), rows(std::string_view(key.data(), key.size()), set.log_base) {}
  HalfTreeGrower grower;
  LpnRows rows;
};

template <typename Trees>
FerretRound<Trees>::FerretRound(const FerretSet& set, const Key& key, std::uint64_t number, Trees trees,
                                SecretBlocks base)
    : set_(set),
      key_(key),
      number_(number),
      trees_(std::move(trees)),
      base_(std::move(base)),
      group_(std::int64_t{kTreesTogether} << set.depth) {
  TACIT_CHECK(set.trees % kTreesTogether == 0 && base_.size() >= set.base());
}

template <typename Trees>
void FerretRound<Trees>::make(std::int64_t group, Scratch& scratch, Block* out) const {
  trees_.grow(group, scratch.grower, out);
  scratch.rows.add(number_, group * group_.size(), base_.blocks().first(static_cast<std::size_t>(set_.base())),
                   {out, static_cast<std::size_t>(group_.size())});
}

template <typename Trees>
void FerretRound<Trees>::take(std::span<Block> out, Workers& workers) {
  TACIT_CHECK(std::ssize(out) <= left());
  const std::int64_t size = group_.size();
  while (!out.empty()) {
    const std::int64_t group = taken_ / size, begin = taken_ % size, whole = std::ssize(out) / size;
    std::int64_t some = 0;
    if (begin == 0 && whole > 0) {
      some = whole * size;
      workers.for_ranges(whole, 1, [&](std::int64_t from, std::int64_t to) {
        Scratch scratch(set_, key_);
        for (std::int64_t g = from; g < to; ++g) make(group + g, scratch, out.data() + g * size);
      });
    } else {
      some = std::min(size - begin, std::ssize(out));
      Scratch scratch(set_, key_);
      if (begin == 0) make(group, scratch, group_.data());
      std::copy_n(group_.data() + begin, some, out.data());
    }
    taken_ += some;
    out = out.subspan(static_cast<std::size_t>(some));
  }
}

template class FerretRound<WholeHalfTrees>;
template class FerretRound<PuncturedHalfTrees>;

}  // namespace tacit::mpc
