// A product in front of a ReLU narrows the rings of a model's data and weights. Other rings stay.
#include "gnn/model/factor_rings.h"

#include <gmock/gmock.h>

#include "gnn/arithmetic/default_ranges.h"
#include "mpc/session/clear_session.h"

namespace tacit::gnn {
namespace {

using Kind = LayerSpec::Kind;
using testing::ElementsAre;

constexpr int kFractionBits = 13, kColumnsOfData = 100;

FactorRings rings_of(std::vector<LayerSpec> layers, int fraction_bits = kFractionBits,
                     EdgesAre edges = EdgesAre::kPublic) {
  mpc::ClearSession session;
  const Arithmetic arithmetic(session, {64, kFractionBits}, kDefaultRanges);
  return factor_rings(arithmetic, {std::move(layers)}, kColumnsOfData, fraction_bits, edges);
}

std::vector<LayerSpec> two(Kind kind, bool bias = true) {
  return {
      {.kind = kind, .outputs = 16, .bias = bias}, {.kind = Kind::kRelu}, {.kind = kind, .outputs = 7, .bias = bias}};
}

// 26 fraction bits, values up to 1023, two bits of their head and six to be watched: 44 bits. A gradient by weights reaches 16383: 48.
TEST(FactorRings, AreThoseOfTheProductInFrontOfARelu) {
  const FactorRings dense = rings_of(two(Kind::kDense));
  EXPECT_EQ(dense.data, 48);
  EXPECT_THAT(dense.parameters, ElementsAre(44, 57, 57, 57));
  EXPECT_THAT(rings_of(two(Kind::kDense, false)).parameters, ElementsAre(44, 57));
}

// Gathered data lose 13 bits of their ring.
TEST(FactorRings, LeaveDataTheBitsThatAGatherTakes) {
  EXPECT_EQ(rings_of(two(Kind::kGraphConvolution)).data, 61);
  EXPECT_THAT(rings_of(two(Kind::kGraphConvolution)).parameters, ElementsAre(44, 57, 57, 57));
  EXPECT_EQ(rings_of(two(Kind::kMeanAggregation)).data, 61);
  EXPECT_THAT(rings_of(two(Kind::kMeanAggregation)).parameters, ElementsAre(44, 44, 57, 57, 57, 57));
  for (const EdgesAre edges : {EdgesAre::kPublic, EdgesAre::kSecret}) {
    EXPECT_EQ(rings_of(two(Kind::kSumAggregation), kFractionBits, edges).data, 48) << "entries are 0 and 1";
  }
  EXPECT_EQ(rings_of(two(Kind::kSumAggregation), kFractionBits, EdgesAre::kPublicWithWeights).data, 61);
  EXPECT_EQ(rings_of(two(Kind::kGraphConvolution), kFractionBits, EdgesAre::kSecret).data, 61);
}

TEST(FactorRings, HaveNoFractionBitsForWholeData) {
  const FactorRings dense = rings_of(two(Kind::kDense), 0);
  EXPECT_EQ(dense.data, 35);
  EXPECT_THAT(dense.parameters, ElementsAre(31, 57, 57, 57));
  EXPECT_EQ(rings_of(two(Kind::kGraphConvolution), 0).data, 48) << "gathered data have fractions";
  EXPECT_THAT(rings_of(two(Kind::kMeanAggregation), 0).parameters, ElementsAre(31, 44, 57, 57, 57, 57));
  for (const EdgesAre edges : {EdgesAre::kPublic, EdgesAre::kSecret}) {
    EXPECT_EQ(rings_of(two(Kind::kSumAggregation), 0, edges).data, 35);
    EXPECT_THAT(rings_of(two(Kind::kSumAggregation), 0, edges).parameters, ElementsAre(31, 57, 57, 57));
  }
  std::vector<LayerSpec> half = two(Kind::kSumAggregation), whole = half;
  half[0].epsilon = 0.5;
  whole[0].epsilon = -1;
  EXPECT_EQ(rings_of(half, 0).data, 48);
  EXPECT_EQ(rings_of(whole, 0).data, 35);
}

// The weights of a layer between two ReLUs are a factor of its product and of the gradient by its input. A dropout takes bits of
// that gradient.
TEST(FactorRings, OfALayerBetweenRelusHoldTheGradientByItsInput) {
  std::vector<LayerSpec> layers = two(Kind::kDense);
  layers.push_back({.kind = Kind::kRelu});
  layers.push_back({.kind = Kind::kDense, .outputs = 2});
  EXPECT_THAT(rings_of(layers).parameters, ElementsAre(44, 57, 44, 57, 57, 57));
  layers.insert(layers.begin() + 2, {.kind = Kind::kDropout, .rate = 0.75});
  EXPECT_THAT(rings_of(layers).parameters, ElementsAre(44, 57, 44, 57, 57, 57)) << "a factor of 4 has no fraction bit";
  layers[2].rate = 1.0 / 3;  // 1.5
  EXPECT_THAT(rings_of(layers).parameters, ElementsAre(44, 57, 45, 57, 57, 57));
}

TEST(FactorRings, StayWhereNoReluSaysWhatIsNeeded) {
  const std::vector<LayerSpec> one = {{.kind = Kind::kDense, .outputs = 7}};
  EXPECT_EQ(rings_of(one).data, 64);
  EXPECT_THAT(rings_of(one).parameters, ElementsAre(57, 57));
  std::vector<LayerSpec> normed = two(Kind::kDense);
  normed.insert(normed.begin() + 1, {.kind = Kind::kLayerNorm});
  EXPECT_EQ(rings_of(normed).data, 64);
  std::vector<LayerSpec> jumping = two(Kind::kDense);
  jumping.back().jump = true;
  EXPECT_EQ(rings_of(jumping).data, 64);
}

}  // namespace
}  // namespace tacit::gnn
