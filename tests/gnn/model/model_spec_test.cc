// Layers that contradict each other are refused, with the layer's number and the reason.
#include "gnn/settings/model_spec.h"

#include <gmock/gmock.h>

#include "net/error.h"

namespace tacit::gnn {
namespace {

using Kind = LayerSpec::Kind;
using testing::HasSubstr;

std::string refusal_of(const std::vector<LayerSpec>& layers) {
  try {
    check(ModelSpec{layers}, 5);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ModelSpec, OfAJumpOverAPoolIsRefused) {
  const LayerSpec gcn{.kind = Kind::kGraphConvolution, .outputs = 4}, pool{.kind = Kind::kPooling};
  const LayerSpec dense{.kind = Kind::kDense, .outputs = 4};
  const LayerSpec jump{.kind = Kind::kDense, .outputs = 2, .jump = true};
  const std::vector<LayerSpec> over{gcn, pool, jump}, far_over{gcn, pool, dense, jump};
  EXPECT_THAT(refusal_of(over), HasSubstr("layer 2"));
  EXPECT_THAT(refusal_of(over), HasSubstr(kJumpOverPool));
  EXPECT_THAT(refusal_of(far_over), HasSubstr(kJumpOverPool));
  EXPECT_EQ(refusal_of({gcn, dense, jump, pool}), "accepted");
  EXPECT_EQ(refusal_of({pool, dense, dense, jump}), "accepted");
}

TEST(ModelSpec, OfAJumpOrALayerNormWithoutLayersBeforeItIsRefused) {
  const LayerSpec norm{.kind = Kind::kLayerNorm}, dense{.kind = Kind::kDense, .outputs = 4};
  EXPECT_THAT(refusal_of({{.kind = Kind::kDense, .outputs = 2, .jump = true}}), HasSubstr(kJump));
  EXPECT_THAT(refusal_of({dense, {.kind = Kind::kRelu, .jump = true}, dense}), HasSubstr(kJump));
  EXPECT_THAT(refusal_of({norm, dense}), HasSubstr(kLayerNorm));
  EXPECT_THAT(refusal_of({{.kind = Kind::kDense, .outputs = 1}, norm, dense}), HasSubstr(kLayerNorm));
  EXPECT_EQ(refusal_of({dense, norm, dense}), "accepted");
}

TEST(ModelSpec, OfAnEpsilonThatIsTooSmallForFixedPointIsRefused) {
  const auto with = [](double epsilon) {
    return refusal_of({{.kind = Kind::kSumAggregation, .outputs = 2, .epsilon = epsilon}});
  };
  for (const double epsilon : {-1.5, -0.99, 17.0}) EXPECT_THAT(with(epsilon), HasSubstr(text_of_epsilon())) << epsilon;
  for (const double epsilon : {-1.0, -0.5, 0.0, 16.0}) EXPECT_EQ(with(epsilon), "accepted") << epsilon;
}

TEST(ModelSpec, OfARestartThatIsTooLargeOrTooSmallForFixedPointIsRefused) {
  const auto with = [](double restart) {
    return refusal_of(
        {{.kind = Kind::kDense, .outputs = 2}, {.kind = Kind::kPropagation, .steps = 2, .restart = restart}});
  };
  for (const double restart : {0.9999, 0.985, 0.0009, 1e-9}) {
    EXPECT_THAT(with(restart), HasSubstr(text_of_restart())) << restart;
  }
  for (const double restart : {0.0, 0.001, 0.1, 0.984}) EXPECT_EQ(with(restart), "accepted") << restart;
}

}  // namespace
}  // namespace tacit::gnn
