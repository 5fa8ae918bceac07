#include "launcher/data/findings.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "bench/data/sensors.h"
#include "gnn/data/several_graphs.h"
#include "gnn/data/split.h"
#include "tests/launcher/job/small_job.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Rank 0 of a job with a single party, which holds all data.
constexpr std::string_view kAlone = R"(name = "alone"
parties = 1
[data]
features = "rank 0"
edges = "rank 0"
labels = "rank 0"
masks = "public"
[model]
gcn = { hidden = 16 }
)";

Findings of(const gnn::GraphData& data, const std::string& job) { return findings(data, read(job).job, 0, "a.npz"); }

std::string job_and(const std::string& more) { return std::string(kAlone) + more; }

const std::string kAsItIs = "[preprocessing]\nfeatures = \"none\"\ntargets = \"none\"\n";

class FindingsOf : public testing::Test {
 protected:
  gnn::GraphData data_ = gnn::make_sensors({.stations = 40});
};

TEST_F(FindingsOf, AFileThatFitsAreNone) {
  const Findings found = of(data_, std::string(kAlone));
  EXPECT_THAT(found.wrong, IsEmpty());
  EXPECT_THAT(found.notes, IsEmpty());
}

TEST_F(FindingsOf, MissingFeaturesAreCountedAndFilled) {
  data_.missing_features = true;
  data_.x->block(2, 1, 3, 2).setConstant(NAN);
  const std::string fills = "[preprocessing]\nmissing = \"mean\"\n";
  const Findings found = of(data_, job_and(fills));
  EXPECT_THAT(found.wrong, IsEmpty());
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("6 of 320 features are missing: each becomes the mean")));
  EXPECT_THAT(of(data_, job_and(fills + "[ranges]\nfeatures = 1\n")).wrong,
              Contains(HasSubstr("x, standardised, reaches")));
  data_.x->col(3).setConstant(NAN);
  EXPECT_THAT(of(data_, job_and(fills)).wrong, Contains(HasSubstr("a.npz: x, column 3: every feature is missing")));
}

TEST_F(FindingsOf, FeaturesThatBecomeZeroAreCounted) {
  data_.x->setConstant(0.25);
  data_.x->block(1, 1, 2, 3).setConstant(-0x1p-15);
  (*data_.x)(7, 2) = 0;
  (*data_.x)(8, 2) = 0x1p-14;
  const std::string ranges = "[ranges]\nfeatures = 10000\n";
  EXPECT_THAT(of(data_, job_and(kAsItIs + ranges)).notes,
              Contains(AllOf(HasSubstr("x: 6 features are smaller than half a unit"), HasSubstr("(2^-14,"))));
  EXPECT_THAT(of(data_, job_and(kAsItIs + ranges + "[ring]\nfraction_bits = 16\n")).notes,
              Not(Contains(HasSubstr("half a unit"))));
  EXPECT_THAT(of(data_, std::string(kAlone)).notes, Not(Contains(HasSubstr("half a unit")))) << "standardised";
  gnn::SparseFeatures sparse{{40, 3}, std::vector<std::int64_t>(41, 2), {0, 2}, {0x1p-20, 1.5}};
  sparse.row_begin[0] = 0;
  data_.x.reset();
  data_.sparse_x = sparse;
  EXPECT_THAT(of(data_, job_and(kAsItIs + ranges)).notes, Contains(HasSubstr("x: 1 feature is smaller")));
}

TEST_F(FindingsOf, NumbersOutsideTheirRangeAreTheFirstWarningThatThereIs) {
  const Findings raw = of(data_, job_and(kAsItIs + "[ranges]\nfeatures = 16\n"));
  EXPECT_THAT(raw.wrong, ElementsAre(AllOf(HasSubstr("a.npz: x reaches"), HasSubstr("at most 16 (ranges.features)")),
                                     HasSubstr("a.npz: y reaches")));
  EXPECT_THAT(of(data_, job_and(kAsItIs + "[ranges]\nfeatures = 10000\n")).wrong, IsEmpty());
  EXPECT_THAT(of(data_, job_and("[ranges]\nfeatures = 1\n")).wrong,
              Contains(AllOf(HasSubstr("x, standardised, reaches"), HasSubstr("preprocessing.cut"))));
  EXPECT_THAT(of(data_, job_and("[preprocessing]\ncut = 0.5\n[ranges]\nfeatures = 1\n")).wrong,
              Not(Contains(HasSubstr("x, standardised, reaches"))));
}

TEST_F(FindingsOf, TargetsThatTrainingWouldRefuseAreWrong) {
  const gnn::Matrix targets = *data_.targets;
  *data_.targets = 1e9 * targets;
  EXPECT_THAT(of(data_, std::string(kAlone)).wrong, IsEmpty()) << "any unit will do";
  *data_.targets = targets.array() + 1e10;
  EXPECT_THAT(of(data_, std::string(kAlone)).wrong,
              ElementsAre(AllOf(HasSubstr("a.npz: y, column 0: the targets' mean is more than 1048576 deviations away"),
                                HasSubstr("subtract a constant"), HasSubstr("they deviate by"))));
  data_.targets = targets.replicate(1, 3);
  EXPECT_THAT(of(data_, std::string(kAlone)).wrong,
              ElementsAre(HasSubstr("a.npz: y: 3 columns for a model of 1 output: let its last layer have")));
  const std::string three = replaced(std::string(kAlone), "hidden = 16", "hidden = 16, outputs = 3");
  EXPECT_THAT(of(data_, three).wrong, IsEmpty());
  const std::string two_owners =
      replaced(replaced(three, "parties = 1", "parties = 2"), "labels = \"rank 0\"", "labels = \"columns\"");
  EXPECT_THAT(of(data_, two_owners).wrong,
              ElementsAre(HasSubstr("3 columns for a model of 3 outputs, and other owners (1) have outputs, too")));
  data_.targets = targets.replicate(1, 2);
  EXPECT_THAT(of(data_, two_owners).wrong, IsEmpty());
}

// Targets are standardised by the training nodes, so the targets of other nodes may be far away.
TEST_F(FindingsOf, TargetsFarFromTheTrainingTargetsAreWrong) {
  const auto first_of = [](const gnn::NodeMask& mask) { return std::find(mask.begin(), mask.end(), true); };
  const auto node = first_of(*data_.test_mask) - data_.test_mask->begin();
  (*data_.targets)(node, 0) += 3000;
  EXPECT_THAT(of(data_, job_and("[ranges]\nfeatures = 16\n")).wrong,
              ElementsAre(HasSubstr("a.npz: y, standardised, reaches")));
}

TEST_F(FindingsOf, LabelsOfTheOtherKindNameTheRemedy) {
  EXPECT_THAT(of(data_, replaced(std::string(kAlone), "[model]", "classes = 4\n[model]")).wrong,
              Contains(HasSubstr("these are targets (numbers with fractions), but the job has classes = 4")));
  data_.targets.reset();
  data_.classes.emplace(40, 9);
  EXPECT_THAT(of(data_, std::string(kAlone)).wrong, Contains(HasSubstr("the job says no classes")));
  EXPECT_THAT(of(data_, replaced(std::string(kAlone), "[model]", "classes = 4\n[model]")).wrong,
              ElementsAre(AllOf(HasSubstr("is not one of 0 ... 3"), HasSubstr("it is 9"))));
}

TEST_F(FindingsOf, MasksAreThatTheyNameNodesAndOnceEach) {
  data_.test_mask.reset();
  EXPECT_THAT(of(data_, job_and("[[reveal.metric]]\nwhat = \"rmse\"\n[[reveal.metric]]\nwhat = \"mae\"\n")).wrong,
              ElementsAre(HasSubstr("test_mask: it is missing, and the job reveals rmse of it")));
  data_.test_mask = data_.train_mask;
  EXPECT_THAT(of(data_, std::string(kAlone)).notes,
              ElementsAre(HasSubstr("24 nodes are in both train_mask and test_mask")));
  EXPECT_THAT(
      of(data_, job_and("[privacy]\nnoise = 1.0\nclip = 1.0\ndelta = 1e-5\n")).wrong,
      Contains(HasSubstr("24 nodes are in both train_mask and test_mask: metrics of training records are exact")));
  data_.train_mask->assign(40, false);
  EXPECT_THAT(of(data_, std::string(kAlone)).wrong, ElementsAre(HasSubstr("train_mask: it names no node")));
}

TEST_F(FindingsOf, MasksAndLabelsOfSeveralGraphsAreOfGraphs) {
  const std::string job = replaced(std::string(kAlone), "gcn = { hidden = 16 }",
                                   "layers = [{ kind = \"gcn\", outputs = 4 }, { kind = \"pool\" }, { kind = "
                                   "\"dense\", outputs = 1 }]");
  data_.edges = gnn::Edges{{0, 1}, {1, 0}};
  data_.targets = gnn::Matrix::Constant(40, 1, 7);
  for (std::int64_t node = 0; node < 40; ++node) data_.graphs.push_back(node / 4);
  data_.train_mask->assign(10, true);
  data_.val_mask.reset();
  data_.test_mask = data_.train_mask;
  gnn::move_to_first_nodes(data_);
  EXPECT_THAT(of(data_, job).notes, AllOf(Contains(HasSubstr("10 graphs are in both train_mask and test_mask")),
                                          Contains(HasSubstr("y: the same number at every graph in 1 of"))));
  data_.train_mask->assign(40, false);
  EXPECT_THAT(of(data_, job).wrong, Contains(HasSubstr("train_mask: it names no graph")));
}

TEST_F(FindingsOf, ColumnsThatSayNothingAndEdgesThatLeadOneWayAreNoted) {
  data_.x->col(3).setConstant(7e6);
  data_.edges->from.pop_back();
  data_.edges->to.pop_back();
  data_.edges->from.push_back(data_.edges->from.front());
  data_.edges->to.push_back(data_.edges->to.front());
  EXPECT_THAT(of(data_, std::string(kAlone)).notes,
              ElementsAre(HasSubstr("x: the same number at every node in 1 of its columns (3)"),
                          HasSubstr("lead one way only"), HasSubstr("1 edges are repeated")));
}

TEST_F(FindingsOf, SeveralWrongThingsAreAllTold) {
  data_.x.reset();
  data_.train_mask->assign(40, false);
  EXPECT_EQ(of(data_, replaced(std::string(kAlone), "[model]", "classes = 4\n[model]")).wrong.size(), 3u);
}

TEST_F(FindingsOf, ABrokenGraphEndInSentences) {
  data_.edges->from[0] = 4000;
  (*data_.x)(2, 1) = std::numeric_limits<double>::quiet_NaN();
  data_.val_mask->resize(3);
  const Findings found = of(data_, std::string(kAlone));
  EXPECT_THAT(found.wrong, Contains(HasSubstr("not a finite number")));
}

}  // namespace
}  // namespace tacit::launcher
