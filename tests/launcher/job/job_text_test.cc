#include "launcher/job/job_text.h"

#include <gmock/gmock.h>

#include "launcher/job/job_agreement.h"
#include "launcher/job/load_job.h"
#include "tests/launcher/job/small_job.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;

TEST(JobText, SaysOfEverySettingWhereItCameFrom) {
  const ReadJob job = read(kSmallJob);
  const std::string text = to_toml(job.job, job.sources);
  EXPECT_THAT(text, testing::ContainsRegex("\nepochs = 20 +# small.toml:11\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\nseed = 1 +# default\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\n\\[\\[model.layers\\]\\]\nkind = \"relu\" +# small.toml:9\n"));
}

TEST(JobText, IsReadBackAsTheSameJob) {
  const auto expect_round_trip = [](const ReadJob& job) {
    const std::string text = to_toml(job.job, job.sources);
    const ReadJob again = read(text);
    EXPECT_EQ(agreement_of(again.job), agreement_of(job.job)) << text;
    EXPECT_EQ(again.job.output, job.job.output);
    EXPECT_EQ(again.job.files.of(1), job.job.files.of(1));
    EXPECT_EQ(again.job.keys.storage.of(1), job.job.keys.storage.of(1));
    EXPECT_EQ(to_toml(again.job, job.sources), text);
  };
  expect_round_trip(read(kSmallJob));
  expect_round_trip(read(small_job_and(R"(clip = 1e-3
optimiser = { kind = "adam", rate = 3e-3 }
schedule = { kind = "step", factor = 0.1, every = 7 }
stopping = { metric = "mae", part = "test" }
[reveal]
loss = "nobody"
model = 1
[[reveal.metric]]
what = "mae"
to = 2
[keys]
storage = "a \"b\" \\ {rank}"
identity = ["a", "b", "c", "d"]
)")));
  const std::string of_classes = replaced(std::string(kSmallJob), "[model]", "classes = 2\n[model]");
  expect_round_trip(read(of_classes));
  const std::string named =
      replaced(std::string(kSmallJob), "[model]", "class_names = [\"a b\", \"\\\"ü\\\"\"]\n[model]");
  expect_round_trip(read(named + "[[reveal.metric]]\nwhat = \"f1\"\nclass = \"a b\"\n"));
  const std::string stopped = named + R"(stopping = { metric = "f1", class = "a b" }
plateau = { metric = "roc_auc", class = 1, bins = 64, part = "test" }
[[reveal.metric]]
what = "f1"
class = 0
part = "validation"
every = 1
[[reveal.metric]]
what = "roc_auc"
class = 1
bins = 64
every = 1
)";
  expect_round_trip(read(stopped));
  EXPECT_EQ(read(stopped).job.training.stopping->judged.of_class, 0);
  EXPECT_EQ(read(named).job.data.classes, 2);
  EXPECT_EQ(agreement_of(read(named + "[[reveal.metric]]\nwhat = \"f1\"\nclass = 0\n").job),
            agreement_of(read(named + "[[reveal.metric]]\nwhat = \"f1\"\nclass = \"a b\"\n").job))
      << "a class by its number is the same class";
  expect_round_trip(read(of_classes + R"(class_weights = [0.5, 16]
label_smoothing = 0.1
stopping = { metric = "loss", part = "validation" }
[[reveal.metric]]
what = "loss"
part = "validation"
every = 3
[[reveal.metric]]
what = "f1"
class = 0
[[reveal.metric]]
what = "f1"
average = "micro"
[[reveal.metric]]
what = "roc_auc"
bins = 64
)"));
  const ReadJob none = read(of_classes + "class_weights = \"balanced\"\n[reveal]\nmetric = []\n");
  expect_round_trip(none);
  EXPECT_TRUE(none.job.training.metrics.empty());
  EXPECT_TRUE(read(shared_toml(none.job)).job.training.metrics.empty());
  // Settings follow [data.links] here, which are not the table's.
  expect_round_trip(read(R"(name = "links"
parties = 3
[data]
features = "rows"
edges = "edges"
join = "intersection"
files = "part{rank}.npz"
[data.links]
drawn = 2
[model]
gcn = { hidden = 16 }
[training]
epochs = 20
)"));
}

// A host of `tacit launch --hosts` gets this text, and a run that goes on reads it.
TEST(JobText, OfEachExampleIsReadBackAsTheSameJob) {
  int examples = 0;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(TACIT_SOURCE_DIR) / "examples")) {
    if (file.path().extension() != ".toml" || file.path().filename() == "rules.toml") continue;
    ++examples;
    const ReadJob job = load_job(file.path());
    EXPECT_EQ(agreement_of(read(to_toml(job.job, job.sources)).job), agreement_of(job.job)) << file.path();
    EXPECT_EQ(agreement_of(read(shared_toml(job.job)).job), agreement_of(job.job)) << file.path();
  }
  EXPECT_GE(examples, 8);
}

}  // namespace
}  // namespace tacit::launcher
