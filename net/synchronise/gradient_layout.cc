#include "net/synchronise/gradient_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/collectives/all_reduce_plan.h"
#include "net/error.h"

namespace tacit::net {

namespace {

constexpr auto kWordBytes = static_cast<std::int64_t>(sizeof(std::uint64_t));
constexpr std::int64_t kMostGradients = std::int64_t{1} << 38;  // 1 TiB, the longest message

bool in_buckets(SyncWay way) { return way == SyncWay::kBuckets || way == SyncWay::kSecureSum; }

AllReduce algorithm_of(SyncWay way, std::int64_t words, int parties) {
  switch (way) {
    case SyncWay::kGatherScatter:
      return AllReduce::kStar;
    case SyncWay::kRing:
      return AllReduce::kRing;
    case SyncWay::kTwoPhase:
      return AllReduce::kTwoPhase;
    case SyncWay::kPerLayer:
    case SyncWay::kBuckets:
    case SyncWay::kSecureSum:
      return AllReducePlan::unmeasured(parties).choose(words * kWordBytes);
  }
  TACIT_CHECK(false);
}

}  // namespace

std::string parameter_name(std::size_t parameter, std::span<const std::string> names) {
  return names.empty() ? fmt::format("parameter {}", parameter) : fmt::format("parameter {}", names[parameter]);
}

void check_sizes(std::span<const std::int64_t> sizes, std::span<const std::string> names) {
  if (sizes.empty()) throw ConfigError("gradients of no parameters: give the size of each parameter of the model");
  if (!names.empty() && names.size() != sizes.size()) {
    throw ConfigError(
        fmt::format("{} names for {} parameters: give one for each, or none", names.size(), sizes.size()));
  }
  std::int64_t left = kMostGradients;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0) {
      throw ConfigError(fmt::format("{} has a size of {}", parameter_name(i, names), sizes[i]));
    }
    if (sizes[i] > left) {
      throw ConfigError(fmt::format("{} has {} gradients: all parameters together may have {}",
                                    parameter_name(i, names), sizes[i], kMostGradients));
    }
    left -= sizes[i];
  }
}

GradientLayout::GradientLayout(std::span<const std::int64_t> sizes, const SyncSettings& settings, int parties) {
  check_sizes(sizes, settings.names);
  if (in_buckets(settings.way) && settings.bucket_bytes < kWordBytes) {
    throw ConfigError(fmt::format("buckets of {} bytes: give at least {}", settings.bucket_bytes, kWordBytes));
  }
  if (settings.parts < 1) {
    throw ConfigError(fmt::format("{} parts of a step: give at least 1", settings.parts));
  }
  std::int64_t end = 0;
  for (const std::int64_t size : sizes) {
    parameters_.push_back({end, (size + 1) / 2});
    end = parameters_.back().end();
  }
  const auto add_piece = [&](Range words) {
    if (words.count > 0) pieces_.push_back({words, algorithm_of(settings.way, words.count, parties)});
  };
  if (settings.way == SyncWay::kPerLayer) {
    std::for_each(parameters_.begin(), parameters_.end(), add_piece);
  } else {
    const std::int64_t most =
        in_buckets(settings.way) ? settings.bucket_bytes / kWordBytes : std::max<std::int64_t>(end, 1);
    for (std::int64_t begin = 0; begin < end; begin += most) add_piece({begin, std::min(most, end - begin)});
  }
}

GradientLayout::PieceRange GradientLayout::pieces_of(std::size_t parameter) const {
  const Range& words = parameters_[parameter];
  if (words.count == 0) return {};
  const auto place = [&](auto piece) { return static_cast<std::size_t>(piece - pieces_.begin()); };
  const auto first = std::partition_point(pieces_.begin(), pieces_.end(),
                                          [&](const Piece& piece) { return piece.words.end() <= words.begin; });
  const auto last =
      std::partition_point(first, pieces_.end(), [&](const Piece& piece) { return piece.words.begin < words.end(); });
  return {place(first), place(last)};
}

Cost gradient_sum_cost(std::span<const std::int64_t> sizes, const SyncSettings& settings, int parties, int rank) {
  const GradientLayout layout(sizes, settings, parties);
  Cost cost;
  for (const GradientLayout::Piece& piece : layout.pieces()) {
    const WordShape words{piece.words.count, kWordBits};
    cost += all_reduce_cost(piece.algorithm, std::span(&words, 1), parties, rank);
  }
  return cost;
}

}  // namespace tacit::net
