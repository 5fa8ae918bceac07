#include "launcher/job/load_job.h"

#include <gmock/gmock.h>

#include <fstream>

#include "launcher/job/job.h"
#include "tests/launcher/job/small_job.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class LoadJob : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
    return folder_.path() / name;
  }
  std::string loading(const fs::path& file) const {
    return refusal([&] { load_job(file); });
  }
  static std::string roster(int parties, int dealers) {
    std::string text;
    for (int rank = 0; rank < parties + dealers; ++rank) {
      text += std::to_string(rank) + (rank < parties ? " party " : " dealer ");
      text += std::string(64, static_cast<char>('a' + rank)) + "\n";
    }
    return text;
  }

  TemporaryFolder folder_;
};

TEST_F(LoadJob, PathsStartAtTheFoldersOfThoseWhoNameThem) {
  const fs::path file = write("job.toml", small_job_with("[model]", "files = \"parts/rank{rank}.npz\"\n[model]"));
  const Job job = load_job(file, {"output=out/here"}).job;
  EXPECT_EQ(job.files.of(2), (folder_.path() / "parts/rank2.npz").string());
  EXPECT_EQ(job.output, (fs::current_path() / "out/here").string());
  const Job listed = load_job(file, {"data.files=[\"/a\", \"b/../c\", \"d\"]"}).job;
  EXPECT_EQ(listed.files.of(0), "/a");
  EXPECT_EQ(listed.files.of(1), (fs::current_path() / "c").string());
  EXPECT_EQ(listed.files.of(3), "");
}

// "{rank}" in the name of the folder itself would become a number.
TEST_F(LoadJob, AFolderWithRankInItsNameIsRefused) {
  fs::create_directory(folder_.path() / "of {rank}");
  const std::string files = small_job_with("[model]", "files = \"rank{rank}.npz\"\n[model]");
  EXPECT_THAT(loading(write("of {rank}/job.toml", files)), AllOf(HasSubstr("of {rank}"), HasSubstr("rename it")));
  EXPECT_EQ(loading(write("of {rank}/job.toml", std::string(kSmallJob))), "accepted");
}

TEST_F(LoadJob, AFlagBeatsTheFileAndALaterFlagAnEarlierOne) {
  const fs::path file = write("job.toml", std::string(kSmallJob));
  const ReadJob read = load_job(file, {"training.epochs=5", "training.epochs=6"});
  EXPECT_EQ(read.job.training.epochs, 6);
  EXPECT_EQ(read.sources.of("training.epochs").text(), "--set training.epochs=6");
  EXPECT_THAT(refusal([&] { load_job(file, {"training.epochs=many"}); }),
              AllOf(HasSubstr("--set training.epochs=many: training.epochs: expected a whole number"),
                    HasSubstr("not the text \"many\"")));
  EXPECT_THAT(refusal([&] { load_job(file, {"training.epohcs=3"}); }), HasSubstr("did you mean training.epochs?"));
}

TEST_F(LoadJob, AFlagReachesALayerAndAMetric) {
  const std::string layers =
      "[[model.layers]]\nkind = \"gcn\"\noutputs = 16\n[[model.layers]]\nkind = \"relu\"\n"
      "[[model.layers]]\nkind = \"gcn\"\noutputs = 1\n";
  const fs::path file = write("job.toml", small_job_with("[model]\ngcn = { hidden = 16 }\n", layers));
  const ReadJob read = load_job(file, {"model.layers[0].outputs=32"});
  EXPECT_EQ(read.job.training.model.layers[0].outputs, 32);
  EXPECT_EQ(read.sources.of("model.layers[0].outputs").text(), "--set model.layers[0].outputs=32");
  EXPECT_THAT(refusal([&] { load_job(file, {"model.layers[3].outputs=32"}); }),
              HasSubstr("model.layers: there is no entry 3; the list has the entries 0 ... 2"));
  EXPECT_THAT(refusal([&] { load_job(file, {"model.layers[0].output=32"}); }), HasSubstr("model.layers[0].outputs"));
}

TEST_F(LoadJob, TakesTheNumberOfPartiesFromTheRoster) {
  write("roster", roster(3, 1));
  const fs::path file = write("job.toml", small_job_with("parties = 3", "roster = \"roster\""));
  EXPECT_EQ(load_job(file).job.parties, 3);
  EXPECT_THAT(load_job(file).sources.of("parties").text(), HasSubstr("/roster"));
  const fs::path both = write("both.toml", small_job_with("parties = 3", "parties = 3\nroster = \"roster\""));
  EXPECT_EQ(loading(both), "accepted");
  write("roster", roster(4, 1));
  EXPECT_THAT(loading(both), AllOf(HasSubstr("both.toml:2:11: parties: 3 parties"), HasSubstr("has 4")));
  write("roster", roster(3, 0));
  EXPECT_THAT(loading(file), HasSubstr("has 0 dealers"));
  write("roster", "0 party abc\n");
  EXPECT_THAT(loading(file), HasSubstr("/roster:1:"));
  EXPECT_THAT(loading(write("none.toml", small_job_with("parties = 3", "roster = \"none\""))), HasSubstr("none"));
}

TEST_F(LoadJob, RefusesADealerInTheRosterOfAJobWithoutOne) {
  const fs::path file =
      write("job.toml", "correlations = \"pairwise\"\n" + small_job_with("parties = 3", "roster = \"roster\""));
  write("roster", roster(3, 1));
  EXPECT_THAT(loading(file), AllOf(HasSubstr("job.toml:3:10: roster: "), HasSubstr("has a dealer"),
                                   HasSubstr("correlations = \"pairwise\" has no use for it: take it out")));
  write("roster", roster(3, 0));
  EXPECT_EQ(loading(file), "accepted");
  EXPECT_EQ(load_job(file).job.ranks(), 3);
}

TEST_F(LoadJob, TakesTheExamples) {
  const fs::path examples = fs::path(TACIT_SOURCE_DIR) / "examples/jobs";
  int seen = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(examples)) {
    if (entry.path().extension() != ".toml") continue;
    ++seen;
    const Job job = load_job(entry.path()).job;
    EXPECT_EQ(entry.path().stem(), job.name);
    const gnn::TrainingPlan training = job.training;
    EXPECT_EQ(refusal([&] { gnn::check(training, 8); }), "accepted");
    EXPECT_EQ(refusal([&] { gnn::check(job, static_cast<int>(job.parties)); }), "accepted");
  }
  EXPECT_GE(seen, 3);
}

}  // namespace
}  // namespace tacit::launcher
