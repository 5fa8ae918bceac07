#include "net/collectives/cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/net/sample_tensors.h"

namespace tacit::net {
namespace {

std::vector<std::vector<WordShape>> shape_lists() {
  std::vector<std::vector<WordShape>> all = {
      {},
      {{0, 64}},
      {{1, 1}},
      {{3, 64}},
      {{7, 13}, {0, 51}, {1, 63}},
      {{64, 7}, {64, 64}, {65, 38}, {1000, 1}},
      {{300'000, 64}},
      {{300'001, 13}, {5, 64}, {200'003, 63}},
      std::vector<WordShape>(5000, {10, 51}),
  };
  std::mt19937 random(1);
  std::uniform_int_distribution<int> length(0, 5), count(0, 40'000), bits(1, 64);
  for (int i = 0; i < 30; ++i) {
    std::vector<WordShape> list(static_cast<std::size_t>(length(random)));
    for (WordShape& shape : list) shape = {count(random), bits(random)};
    all.push_back(list);
  }
  return all;
}

// Every word once and in order, and every cut between blocks of eight.
void expect_exact(const std::vector<Parts>& pieces, const std::vector<WordShape>& tensors) {
  Parts joined;
  std::int64_t bytes = 0;
  for (const Parts& parts : pieces) {
    bytes += packed_bytes(shapes_of(parts, tensors));
    for (const Part& part : parts) {
      EXPECT_EQ(part.begin % kPackBlock, 0);
      EXPECT_GT(part.count, 0);
      if (!joined.empty() && joined.back().tensor == part.tensor) {
        EXPECT_EQ(joined.back().begin + joined.back().count, part.begin);
        joined.back().count += part.count;
      } else {
        joined.push_back(part);
      }
    }
  }
  Parts whole;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (tensors[t].count > 0) whole.push_back({static_cast<std::int64_t>(t), 0, tensors[t].count});
  }
  EXPECT_EQ(joined, whole);
  EXPECT_EQ(bytes, packed_bytes(tensors)) << "cutting adds no padding";
}

TEST(Cut, ChunksAreTheWholeAndNearlyEqual) {
  for (const auto& tensors : shape_lists()) {
    for (const int chunks : {1, 2, 3, 5, 8}) {
      SCOPED_TRACE(describe(tensors) + " in " + std::to_string(chunks));
      const auto cut = cut_into_chunks(tensors, chunks);
      ASSERT_EQ(std::ssize(cut), chunks);
      expect_exact(cut, tensors);
      for (const Parts& chunk : cut) {
        EXPECT_LE(packed_bytes(shapes_of(chunk, tensors)), packed_bytes(tensors) / chunks + 2 * kWordBits);
      }
    }
  }
}

TEST(Cut, SegmentsAreTheWholeAndFewAndOfBoundedSize) {
  for (const auto& tensors : shape_lists()) {
    SCOPED_TRACE(describe(tensors));
    const auto cut = cut_into_segments(tensors);
    expect_exact(cut, tensors);
    for (std::size_t i = 0; i < cut.size(); ++i) {
      const std::int64_t bytes = packed_bytes(shapes_of(cut[i], tensors));
      EXPECT_LE(bytes, kSegmentBytes);
      const bool last = i + 1 == cut.size();
      EXPECT_GT(bytes, last ? 0 : kSegmentBytes - kWordBits) << "segment " << i;
    }
  }
}

TEST(Cut, ViewsShowTheWordsOfTheParts) {
  const std::vector<WordShape> tensors = {{20, 13}, {30, 64}};
  const SampleTensors sample(tensors, 0);
  const auto views = views_of({{0, 8, 12}, {1, 0, 16}}, sample.tensors());
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].words.data(), sample.tensors()[0].words.data() + 8);
  EXPECT_EQ(views[0].count(), 12);
  EXPECT_EQ(views[0].bits, 13);
  EXPECT_EQ(views[1].words.data(), sample.tensors()[1].words.data());
  EXPECT_EQ(views[1].count(), 16);
}

}  // namespace
}  // namespace tacit::net
