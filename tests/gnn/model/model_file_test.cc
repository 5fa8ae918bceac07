// A revealed model in a file: the names of PyTorch Geometric's layers, and the way back.
#include "gnn/model/model_file.h"

#include <gmock/gmock.h>

#include "net/error.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

using Kind = LayerSpec::Kind;

ModelSpec every_kind() {
  return {{{.kind = Kind::kGraphConvolution, .outputs = 5},
           {.kind = Kind::kRelu},
           {.kind = Kind::kDropout, .rate = 0.5},
           {.kind = Kind::kMeanAggregation, .outputs = 4},
           {.kind = Kind::kDense, .outputs = 3, .bias = false},
           {.kind = Kind::kGraphConvolution, .outputs = 2}}};
}

TEST(ModelFile, HasTheNamesAndShapesOfPyTorchGeometric) {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> found;
  for (const NamedArray& array : exported(every_kind(), initial_parameters(every_kind(), 7, 1))) {
    found.emplace_back(array.key, array.array.shape);
    EXPECT_EQ(array.array.type(), NpyType::kFloat32);
  }
  EXPECT_THAT(found, testing::ElementsAre(testing::Pair("convs.0.lin.weight", testing::ElementsAre(5, 7)),
                                          testing::Pair("convs.0.bias", testing::ElementsAre(5)),
                                          testing::Pair("convs.1.lin_r.weight", testing::ElementsAre(4, 5)),
                                          testing::Pair("convs.1.lin_l.weight", testing::ElementsAre(4, 5)),
                                          testing::Pair("convs.1.lin_l.bias", testing::ElementsAre(4)),
                                          testing::Pair("lins.0.weight", testing::ElementsAre(3, 4)),
                                          testing::Pair("convs.2.lin.weight", testing::ElementsAre(2, 3)),
                                          testing::Pair("convs.2.bias", testing::ElementsAre(2))));
}

TEST(ModelFile, IsReadBackAsItWas) {
  const TemporaryFolder folder;
  const std::vector<NamedMatrix> model = initial_parameters(every_kind(), 7, 3);
  write_model(folder.path() / "model.npz", every_kind(), model);
  const std::vector<NamedMatrix> back = read_model(folder.path() / "model.npz", every_kind(), 7);
  ASSERT_EQ(back.size(), model.size());
  for (std::size_t i = 0; i < model.size(); ++i) {
    EXPECT_EQ(back[i].name, model[i].name);
    EXPECT_EQ(back[i].values, model[i].values);  // initial weights are exact in float32
  }
}

TEST(ModelFile, OfAnotherModelIsRefusedByName) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "model.npz";
  write_model(file, every_kind(), initial_parameters(every_kind(), 7, 3));
  const auto refusal = [&](const ModelSpec& model, std::int64_t inputs) -> std::string {
    try {
      read_model(file, model, inputs);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal(every_kind(), 8),
              testing::AllOf(testing::HasSubstr("convs.0.lin.weight"), testing::HasSubstr("(5, 8)")));
  EXPECT_THAT(refusal(ModelSpec::gcn(5, 2), 7), testing::HasSubstr("8 arrays"));
}

}  // namespace
}  // namespace tacit::gnn
