#include "launcher/job/job_agreement.h"

#include <gmock/gmock.h>

#include "tests/launcher/job/small_job.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;
using testing::Key;
using testing::Not;

net::Agreement agreement(const std::string& text) { return agreement_of(read(text).job); }

TEST(JobAgreement, IsEqualHoweverAJobIsWritten) {
  const std::string listed = small_job_with("gcn = { hidden = 16 }", R"([[model.layers]]
kind = "gcn"
outputs = 16
[[model.layers]]
kind = "relu"
[[model.layers]]
kind = "gcn"
outputs = 1
)");
  EXPECT_EQ(agreement(listed), agreement(std::string(kSmallJob)));
  EXPECT_EQ(agreement(small_job_and("seed = 1 # as it is anyway")), agreement(std::string(kSmallJob)));
  EXPECT_EQ(job_digest(read(listed).job), job_digest(read(kSmallJob).job));
}

TEST(JobAgreement, HoldsNoRanksOwnPaths) {
  const std::string local = small_job_with("parties = 3", "parties = 3\noutput = \"x\"\nmaster = \"a:1\"");
  EXPECT_EQ(agreement(local), agreement(std::string(kSmallJob)));
  EXPECT_EQ(job_digest(read(local).job), job_digest(read(kSmallJob).job));
  EXPECT_THAT(agreement(small_job_with("[model]", "files = \"a{rank}\"\n[model]")).pairs(),
              Not(testing::Contains(Key("data.files"))));
}

TEST(JobAgreement, NamesTheSettingThatDiffers) {
  const auto differ = [](const std::string& other) {
    return net::difference(agreement(std::string(kSmallJob)), 0, agreement(other), 2).value_or("equal");
  };
  EXPECT_EQ(differ(small_job_with("epochs = 20", "epochs = 21")),
            "the ranks do not agree on \"training.epochs\": rank 0 has \"20\", rank 2 has \"21\"");
  EXPECT_THAT(differ(small_job_with("hidden = 16", "hidden = 8")), HasSubstr("\"model.layers[0].outputs\""));
  EXPECT_THAT(differ(small_job_with("\"rank 1\"", "\"public\"")), HasSubstr("\"data.edges\""));
  EXPECT_THAT(differ(small_job_and("clip = 2")), HasSubstr("on \"training.clip\": rank 0 has none, rank 2 has \"2\""));
}

TEST(JobAgreement, ChangesItsHashWithEverySharedSetting) {
  const mpc::Digest usual = job_digest(read(kSmallJob).job);
  for (const char* with :
       {"epochs = 21", "epochs = 20\nseed = 2", "epochs = 20\nbatch = 1", "epochs = 20\nclip = 1",
        "epochs = 20\nevaluate_every = 1", "epochs = 20\noptimiser = { rate = 0.2 }",
        "epochs = 20\noptimiser = { momentum = 0.5 }", "epochs = 20\nschedule = { warm_up = 1 }",
        "epochs = 20\nstopping = { metric = \"rmse\" }", "epochs = 20\n[ring]\nfraction_bits = 12",
        "epochs = 20\n[ranges]\nweights = 8", "epochs = 20\n[reveal]\nloss = 0", "epochs = 20\n[reveal]\nmodel = 0",
        "epochs = 20\n[checkpoints]\nevery = 5", "epochs = 20\n[preprocessing]\nfeatures = \"none\"",
        "epochs = 20\n[preprocessing]\ncut = 4"}) {
    EXPECT_NE(job_digest(read(small_job_with("epochs = 20", with)).job), usual) << with;
  }
}

// After a violation reported by the range watch, a run may resume with wider ranges; the recipient
// of the model may be decided late.
TEST(JobAgreement, OfARunLeavesOutSettingsThatSessionsMayChange) {
  const auto digest = [](const std::string& text) { return training_digest(read(text).job); };
  const mpc::Digest usual = digest(std::string(kSmallJob));
  for (const char* more :
       {"[ranges]\nweights = 8", "[reveal]\nmodel = 0", "[reveal]\npredictions = 0", "[audit]\nevery = 7"}) {
    EXPECT_EQ(digest(small_job_and(more)), usual) << more;
  }
  EXPECT_EQ(digest("openings = \"direct\"\n" + std::string(kSmallJob)), usual);
  for (const char* more : {"seed = 2", "[reveal]\nloss = 0", "[checkpoints]\nevery = 5"}) {
    EXPECT_NE(digest(small_job_and(more)), usual) << more;
  }
}

TEST(JobAgreement, OfTheLargestJobIsWithinTheRendezvousLimits) {
  Job job = read(kSmallJob).job;
  job.parties = 1023;
  for (gnn::PartOwnership* part :
       {&job.data.ownership.features, &job.data.ownership.labels, &job.data.ownership.masks}) {
    *part = {gnn::PartOwnership::Kind::kByRows, 0, std::vector<std::int64_t>(1023, std::int64_t{1} << 40)};
  }
  job.training.model.layers.resize(gnn::kMostLayers, {.outputs = 1 << 20, .residual = true});
  job.training.metrics.resize(gnn::kMostMetrics);
  job.training.clip = 1;
  job.training.stopping.emplace();
  const net::Agreement largest = agreement_of(job);
  EXPECT_LE(std::ssize(largest.pairs()), net::Agreement::kMaxPairs - 20) << "leave room for future settings";
  EXPECT_THAT(largest.pairs().at("data.masks"), HasSubstr("BLAKE2b"));
}

}  // namespace
}  // namespace tacit::launcher
