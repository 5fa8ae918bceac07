// A model's file holds everything that reproduces its predictions, and reading it gives the written model.
#include "launcher/model/described_model.h"

#include <gmock/gmock.h>

#include "gnn/model/model_file.h"
#include "launcher/model/export_format.h"
#include "launcher/model/onnx_model.h"
#include "net/error.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using Kind = gnn::LayerSpec::Kind;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t kInputs = 7;

Job every_kind() {
  Job job;
  job.training.model = {{{.kind = Kind::kGraphConvolution, .outputs = 5},
                         {.kind = Kind::kRelu},
                         {.kind = Kind::kDropout, .rate = 0.5},
                         {.kind = Kind::kMeanAggregation, .outputs = 5, .residual = true},
                         {.kind = Kind::kDense, .outputs = 3, .bias = false}}};
  job.data.cut = 2.5;
  return job;
}

DescribedModel described(const Job& job, const gnn::GraphData* part = nullptr) {
  return described_model(job, gnn::initial_parameters(job.training.model, kInputs, 1), part);
}

gnn::GraphData part_with_names(std::size_t count) {
  gnn::GraphData part;
  for (std::size_t i = 0; i < count; ++i) part.feature_names.push_back("column " + std::to_string(i));
  return part;
}

TEST(DescribedModel, NamesLayersAndTheirArraysInOrderWithoutDropout) {
  const ModelDescription model = described(every_kind()).description;
  ASSERT_EQ(model.layers.size(), 4u);
  EXPECT_EQ(model.layers[0].arrays.weight, "convs.0.lin.weight");
  EXPECT_EQ(model.layers[1].kind, Kind::kRelu);
  EXPECT_EQ(model.layers[2].arrays.weight, "convs.1.lin_r.weight");
  EXPECT_EQ(model.layers[2].arrays.neighbour_weight, "convs.1.lin_l.weight");
  EXPECT_EQ(model.layers[2].arrays.bias, "convs.1.lin_l.bias");
  EXPECT_TRUE(model.layers[2].residual);
  EXPECT_EQ(model.layers[3].arrays.bias, "");
  EXPECT_EQ(model.inputs(), kInputs);
  EXPECT_EQ(model.outputs(), 3);
}

TEST(DescribedModel, HasJumpsNormsAndEpsilons) {
  Job job;
  job.training.model = {{{.kind = Kind::kSumAggregation, .outputs = 5, .epsilon = 0.5},
                         {.kind = Kind::kLayerNorm},
                         {.kind = Kind::kDense, .outputs = 2},
                         {.kind = Kind::kDense, .outputs = 3, .jump = true}}};
  const ModelDescription model = read_description(text_of(described(job).description), gnn::Place("model.npz"));
  EXPECT_EQ(model.layers[0].epsilon, 0.5);
  EXPECT_EQ(model.layers[1].epsilon, gnn::kNormEpsilon);
  EXPECT_EQ(model.layers[2].inputs, 5);
  EXPECT_TRUE(model.layers[3].jump);
  EXPECT_EQ(model.layers[3].inputs, 7);
  EXPECT_EQ(model.outputs(), 3);
}

TEST(DescribedModel, StatesTheScalingOfTheJob) {
  Job job = every_kind();
  ModelDescription model = described(job).description;
  EXPECT_EQ(model.features.scaling, Scaling::kStandardise);
  EXPECT_EQ(model.targets.scaling, Scaling::kStandardise);
  EXPECT_EQ(model.cut, 2.5);
  EXPECT_EQ(model.classes, 0);
  job.data.features = gnn::FeatureScaling::kRowSum;
  job.data.standardise_targets = false;
  model = described(job).description;
  EXPECT_EQ(model.features.scaling, Scaling::kRowSum);
  EXPECT_EQ(model.targets.scaling, Scaling::kNone);
  job.data.classes = 3;
  job.data.standardise_targets = true;
  model = described(job).description;
  EXPECT_EQ(model.targets.scaling, Scaling::kNone) << "classes have no unit";
  EXPECT_EQ(model.classes, 3);
}

TEST(DescribedModel, HasTheNamesOfColumnsOnlyIfAllAreHere) {
  const gnn::GraphData all = part_with_names(kInputs), some = part_with_names(kInputs - 1);
  EXPECT_EQ(described(every_kind(), &all).description.columns, all.feature_names);
  EXPECT_THAT(described(every_kind(), &some).description.columns, ElementsAre());
}

TEST(DescribedModel, ReadingGivesTheWrittenModel) {
  const TemporaryFolder folder;
  const gnn::GraphData part = part_with_names(kInputs);
  const DescribedModel model = described(every_kind(), &part);
  write_described_model(folder.path() / "model.npz", model);
  const DescribedModel back = read_described_model(folder.path() / "model.npz");
  EXPECT_EQ(text_of(back.description), text_of(model.description));
  EXPECT_EQ(back.description.columns, part.feature_names);
  ASSERT_EQ(back.arrays.size(), model.arrays.size());
  for (const gnn::NamedArray& one : model.arrays) {
    EXPECT_EQ(back.array(one.key).values, one.array.values) << one.key;
    EXPECT_EQ(back.array(one.key).shape, one.array.shape) << one.key;
  }
  const auto read = gnn::read_model(folder.path() / "model.npz", every_kind().training.model, kInputs);
  EXPECT_EQ(read.size(), model.arrays.size()) << "a program of one's own reads the same file";
}

TEST(DescribedModel, HasTheNamesOfItsClasses) {
  const gnn::Place place("model.npz");
  Job job = every_kind();
  job.data.class_names = {"licit", "fraud", "\"später\""};
  job.data.classes = 3;
  const std::string text = text_of(described(job).description);
  EXPECT_EQ(read_description(text, place).class_names, job.data.class_names);
  const auto refusal = [&](std::string_view what, std::string_view with) -> std::string {
    std::string wrong = text;
    wrong.replace(wrong.find(what), what.size(), with);
    try {
      read_description(wrong, place);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal("\"licit\",", ""), AllOf(HasSubstr("class_names"), HasSubstr("a list of 2; expected 3")));
  EXPECT_THAT(refusal("\"licit\"", "\"fraud\""), HasSubstr("the same name"));
  EXPECT_THAT(refusal("\"licit\"", "7"), HasSubstr("expected a text"));
}

// A name may be anything that a CSV file holds, and the file must stay readable.
TEST(DescribedModel, NamesOfColumnsAreShortenedOrLeftOut) {
  gnn::GraphData part = part_with_names(kInputs);
  part.feature_names[0] = "\xff\x01\"";
  part.feature_names[1] = std::string(5000, 'a');
  const gnn::Place place("model.npz");
  const ModelDescription read = read_description(text_of(described(every_kind(), &part).description), place);
  ASSERT_EQ(read.columns.size(), part.feature_names.size());
  EXPECT_THAT(read.columns[0], HasSubstr("\""));
  EXPECT_LT(read.columns[1].size(), 300u);

  Job wide = every_kind();
  wide.training.model.layers[0].outputs = 5;
  constexpr std::int64_t kMany = 200'000;
  const gnn::GraphData names = part_with_names(kMany);
  const auto parameters = gnn::initial_parameters(wide.training.model, kMany, 1);
  const std::string text = text_of(described_model(wide, parameters, &names).description);
  EXPECT_LT(text.size(), kMostNames);
  EXPECT_TRUE(read_description(text, place).columns.empty());
}

TEST(DescribedModel, AShiftNeedsFoldedFeaturesAndAFirstLayerThatTakesThem) {
  const gnn::Place place("model.npz");
  ModelDescription model = described(every_kind()).description;
  model.cut.reset();
  model.features.scaling = Scaling::kFolded;
  model.layers[0].arrays.shift = "convs.0.lin.shift";
  EXPECT_EQ(read_description(text_of(model), place).layers[0].arrays.shift, "convs.0.lin.shift");
  const auto refusal = [&](const ModelDescription& wrong) -> std::string {
    try {
      read_description(text_of(wrong), place);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  };
  ModelDescription cut = model;
  cut.cut = 3;
  EXPECT_THAT(refusal(cut), AllOf(HasSubstr("model.npz: features: "), HasSubstr("no cut")));
  ModelDescription later = model;
  later.layers[2].arrays.shift = "late";
  later.layers[2].arrays.neighbour_shift = "late too";
  EXPECT_THAT(refusal(later), HasSubstr("belongs to the first layer"));
  ModelDescription none = model;
  none.layers[0].arrays.shift = "";
  EXPECT_THAT(refusal(none), HasSubstr("needs a \"shift\""));
  ModelDescription unscaled = model;
  unscaled.features.scaling = Scaling::kNone;
  EXPECT_THAT(refusal(unscaled), HasSubstr("nothing is folded"));
}

TEST(ExportFormat, FollowsTheNameOfTheFile) {
  EXPECT_EQ(format_of("a/model.onnx"), ExportFormat::kOnnx);
  EXPECT_EQ(format_of("model.safetensors"), ExportFormat::kSafetensors);
  EXPECT_EQ(format_of("model.npz"), ExportFormat::kNpz);
  EXPECT_EQ(format_of("model"), ExportFormat::kNpz);
  EXPECT_THROW(parse_export_format("pickle"), ConfigError);
}

// Only a plain model has the layers of a class of PyTorch Geometric.
TEST(ExportFormat, PrintsAClassOfPyTorchGeometricOnlyForItsLayers) {
  Job job;
  job.training.model = gnn::ModelSpec::gcn(16, 2);
  const std::string plain = python_that_predicts(described(job), ExportFormat::kNpz, "a\"b.npz");
  EXPECT_THAT(plain, AllOf(HasSubstr("nn.GCN(in_channels=7, hidden_channels=16, num_layers=2, out_channels=2)"),
                           HasSubstr("numpy.load(\"a\\\"b.npz\")"), HasSubstr("x must be standardised")));
  const std::string other = python_that_predicts(described(every_kind()), ExportFormat::kNpz, "b.npz");
  EXPECT_THAT(other, AllOf(HasSubstr("load_numpy.read(\"b.npz\")"), testing::Not(HasSubstr("torch_geometric"))));
  EXPECT_THAT(python_that_predicts(described(every_kind()), ExportFormat::kOnnx, "c.onnx"),
              AllOf(HasSubstr("\"edge_weight_symmetric\": weights[\"symmetric\"]"), HasSubstr("[\"output\"]")));
}

}  // namespace
}  // namespace tacit::launcher
