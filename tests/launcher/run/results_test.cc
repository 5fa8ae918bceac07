// Revealed results are stored in numpy's order: row after row, each row a node or a unit's weights.
#include "launcher/run/results.h"

#include <gmock/gmock.h>

#include <fstream>

#include "gnn/data/npz.h"
#include "gnn/model/model_file.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;

// Six distinct numbers, so that a transposed or reordered matrix differs.
gnn::Matrix three_by_two() {
  gnn::Matrix numbers(3, 2);
  numbers << 11, 12, 21, 22, 31, 32;
  return numbers;
}

class Results : public testing::Test {
 protected:
  gnn::NpyArray read(const std::filesystem::path& file, const char* name) const { return gnn::Npz(file).read(name); }
  void write(const gnn::RunResult& result) {
    folder_.make();
    write_results(result, job_, folder_, nullptr);
  }

  const TemporaryFolder temporary_;
  OutputFolder folder_{temporary_.path(), 0};
  Job job_;
};

TEST_F(Results, KeepPredictionsOfSeveralTargetsRowAfterRow) {
  gnn::RunResult result;
  result.predictions.values = three_by_two();
  write(result);
  const gnn::NpyArray array = read(folder_.predictions(), "predictions");
  EXPECT_THAT(array.shape, ElementsAre(3, 2));
  EXPECT_THAT(gnn::values_as<double>(array), ElementsAre(11, 12, 21, 22, 31, 32));
}

TEST_F(Results, KeepClassesAsWholeNumbersInTheOrderOfTheNodes) {
  gnn::RunResult result;
  result.predictions.values = gnn::Matrix(three_by_two().col(1));
  job_.data.classes = 33;
  write(result);
  const gnn::NpyArray array = read(folder_.predictions(), "predictions");
  EXPECT_FALSE(array.is_float());
  EXPECT_THAT(array.shape, ElementsAre(3));
  EXPECT_THAT(gnn::values_as<double>(array), ElementsAre(12, 22, 32));
}

// Programs read numbers, and people read names.
TEST_F(Results, NameClassesBesideTheirNumbers) {
  gnn::RunResult result;
  result.predictions.values = (gnn::Matrix(2, 2) << 1, 0, 0, 1).finished();
  result.predictions.probabilities = (gnn::Matrix(2, 2) << 0.25, 0.75, 0.5, 0.5).finished();
  job_.data.classes = 2;
  job_.data.class_names = {"licit", "fraud, \"grave\""};
  write(result);
  EXPECT_THAT(gnn::values_as<std::int64_t>(read(folder_.predictions(), "predictions")), ElementsAre(1, 0, 0, 1));
  EXPECT_EQ(gnn::Npz(folder_.predictions()).read_text("class_names"), job_.data.class_names);
  std::ifstream table(folder_.predictions_table());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(table), {}),
            "node,prediction_0,prediction_1,class_name_0,class_name_1,probability_licit,\"probability_fraud, "
            "\"\"grave\"\"\"\n"
            "0,1,0,\"fraud, \"\"grave\"\"\",licit,0.250000,0.750000\n"
            "1,0,1,licit,\"fraud, \"\"grave\"\"\",0.500000,0.500000\n");
  result.predictions = {};
  result.predictions.values = (gnn::Matrix(1, 1) << 0).finished();
  write(result);
  std::ifstream one(folder_.predictions_table());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(one), {}), "node,prediction,class_name\n0,0,licit\n");
}

// PyTorch multiplies by the transposed weights, so a file holds a row for each output.
TEST_F(Results, KeepWeightsWithARowForEachOutput) {
  gnn::RunResult result;
  result.model = {{"layer 0 weight", three_by_two()}};
  job_.training.model = {{{.kind = gnn::LayerSpec::Kind::kDense, .outputs = 2, .bias = false}}};
  write(result);
  const gnn::NpyArray array = read(folder_.model(), "lins.0.weight");
  EXPECT_THAT(array.shape, ElementsAre(2, 3));
  EXPECT_THAT(gnn::values_as<double>(array), ElementsAre(11, 21, 31, 12, 22, 32));
  EXPECT_EQ(gnn::read_model(folder_.model(), job_.training.model, 3).front().values, three_by_two());
}

}  // namespace
}  // namespace tacit::launcher
