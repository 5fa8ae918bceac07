#include "launcher/run/output_folder.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "launcher/job/job_agreement.h"
#include "launcher/job/job_text.h"
#include "launcher/run/event_log.h"
#include "net/error.h"
#include "tests/launcher/job/small_job.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class OutputFolderTest : public testing::Test {
 protected:
  OutputFolderTest() { folder_.make(); }
  void happened(const char* event, const Json& more) const { EventLog(folder_.events()).add(event, more); }

  const TemporaryFolder temporary_;
  const OutputFolder folder_{temporary_.path(), 3};
};

TEST_F(OutputFolderTest, IsTheRanksAndItsOwnersAlone) {
  EXPECT_EQ(folder_.path(), temporary_.path() / "rank3");
  EXPECT_EQ(fs::status(folder_.path()).permissions(), fs::perms::owner_all);
  std::ofstream(temporary_.path() / "file") << "mine";
  EXPECT_THAT([&] { OutputFolder(temporary_.path() / "file", 0).make(); },
              ThrowsMessage<ConfigError>(AllOf(HasSubstr("cannot be made"), HasSubstr("--output"))));
}

TEST_F(OutputFolderTest, ThatOthersMayWriteToOrThatIsALinkIsRefused) {
  const auto refused = [&](const char* because) {
    EXPECT_THAT([&] { folder_.make(); }, ThrowsMessage<ConfigError>(AllOf(HasSubstr(because), HasSubstr("--output"))));
  };
  for (const fs::perms more : {fs::perms::others_write, fs::perms::group_write}) {
    fs::permissions(folder_.path(), fs::perms::owner_all | more);
    refused("so others on this machine may write to it; expected 0700; run `chmod 700 ");
  }
  fs::permissions(folder_.path(), fs::perms(0755));
  EXPECT_NO_THROW(folder_.make());
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(folder_.path().c_str(), 12345, 0), 0);
    refused("belongs to user 12345, not to you (user 0)");
  }
  fs::rename(folder_.path(), temporary_.path() / "elsewhere");
  fs::create_directory_symlink(temporary_.path() / "elsewhere", folder_.path());
  refused("is a symbolic link, which could lead to anybody's files");
}

TEST_F(OutputFolderTest, IsFreeForTheSameJobWithMoreEpochsOrMorePatience) {
  const std::string stopping = "stopping = { metric = \"loss\", patience = 5 }\n";
  const Job a = read(small_job_and(stopping)).job;
  folder_.write("job.toml", small_job_and(stopping));
  happened("started", {{"command", "train"}, {"training_digest", hex(training_digest(a))}});
  happened("epoch", {{"epoch", 1}});
  happened("finished", {{"command", "train"}});
  const auto with = [&](std::int64_t epochs, std::int64_t patience) {
    Job job = a;
    job.training.epochs = epochs;
    job.training.stopping->judged.patience = patience;
    return job;
  };
  for (const Job& job : {a, with(30, 5), with(20, 6), with(30, 6)}) EXPECT_NO_THROW(folder_.expect_free_for(job, true));
  EXPECT_THAT([&] { folder_.expect_free_for(with(20, 4), true); },
              ThrowsMessage<ConfigError>(HasSubstr("training.stopping.patience was 5 and is 4")));
  EXPECT_THROW(folder_.expect_free_for(with(19, 6), true), ConfigError);
}

TEST_F(OutputFolderTest, OfAPrivateTrainingWithAnEpsilonIsFreeForItsNumberOfEpochsAlone) {
  for (const bool by_epsilon : {true, false}) {
    const std::string text = std::string(kPrivateJob) + (by_epsilon ? "epsilon = 1.0\n" : "noise = 1.0\n");
    const Job a = read(text).job;
    Job more = a;
    more.training.epochs = 30;
    folder_.write("job.toml", text);
    happened("started", {{"command", "train"}, {"training_digest", hex(training_digest(a))}});
    happened("epoch", {{"epoch", 1}});
    EXPECT_NO_THROW(folder_.expect_free_for(a, true));
    if (by_epsilon) {
      EXPECT_THAT(
          [&] { folder_.expect_free_for(more, true); },
          ThrowsMessage<ConfigError>(AllOf(HasSubstr("noise follows from privacy.epsilon and its number of epochs: "),
                                           HasSubstr("training.epochs was 20 and is 30"))));
    } else {
      EXPECT_NO_THROW(folder_.expect_free_for(more, true));
    }
  }
}

TEST_F(OutputFolderTest, IsFreeForTheSameJobUntilThatHasFinished) {
  const Job a = read(kSmallJob).job;
  Job b = a, later = a;
  b.training.epochs = 30;
  later.training.model_to = mpc::To::rank(1);
  EXPECT_NO_THROW(folder_.expect_free_for(a, false)) << "nothing is in it";
  happened("started", {{"command", "train"}, {"training_digest", hex(training_digest(a))}});
  EXPECT_NO_THROW(folder_.expect_free_for(b, false)) << "nothing was trained";
  happened("epoch", {{"epoch", 1}});
  EXPECT_NO_THROW(folder_.expect_free_for(a, false));
  EXPECT_NO_THROW(folder_.expect_free_for(later, false)) << "what is revealed of the model may be asked for later";
  EXPECT_THAT([&] { folder_.expect_free_for(b, false); },
              ThrowsMessage<ConfigError>(HasSubstr("another job: its job.toml cannot be read")));
  happened("started", {{"command", "predict"}, {"training_digest", hex(training_digest(b))}});
  happened("finished", {{"command", "predict"}});
  EXPECT_NO_THROW(folder_.expect_free_for(a, false)) << "predictions do not change the training";
  EXPECT_THROW(folder_.expect_free_for(b, false), ConfigError);
  happened("finished", {{"command", "train"}});
  EXPECT_THAT([&] { folder_.expect_free_for(a, false); },
              ThrowsMessage<ConfigError>(AllOf(HasSubstr("has finished"), HasSubstr("--afresh"))));
  EXPECT_NO_THROW(folder_.expect_free_for(a, true)) << "--resume goes on";
}

// job.toml stays that of the finished results until all ranks of a later run have agreed.
TEST_F(OutputFolderTest, IsFreeForTheJobOfTheKeptResults) {
  const Job a = read(kSmallJob).job;
  Job more = a, most = a;
  more.training.epochs = 30;
  most.training.epochs = 40;
  const auto starts = [&](const Job& job, bool keeps) {
    happened("started",
             {{"command", "train"}, {"training_digest", hex(training_digest(job))}, {"keeps_finished", keeps}});
  };
  folder_.write("job.toml", std::string(kSmallJob));
  starts(a, false);
  happened("epoch", {{"epoch", 1}});
  happened("finished", {{"command", "train"}});
  starts(more, true);
  happened("failed", {{"exit_code", 3}});
  for (const Job& job : {a, more, most}) EXPECT_NO_THROW(folder_.expect_free_for(job, true));
  starts(more, true);
  happened("replaces", Json::object());
  folder_.write("job.toml", small_job_with("epochs = 20", "epochs = 30"));
  for (const Job& job : {more, most}) EXPECT_NO_THROW(folder_.expect_free_for(job, true));
  EXPECT_THAT([&] { folder_.expect_free_for(a, true); },
              ThrowsMessage<ConfigError>(HasSubstr("training.epochs was 30 and is 20")));
}

TEST_F(OutputFolderTest, OfAnotherJobNamesTheFirstSettingThatDiffers) {
  const ReadJob before = read(kSmallJob);
  happened("started", {{"command", "train"}, {"training_digest", hex(training_digest(before.job))}});
  happened("epoch", {{"epoch", 1}});
  folder_.write("job.toml", "# rank: 3 (--rank)\n\n" + to_toml(before.job, before.sources));
  const auto refused = [&](const std::string& text) {
    return refusal([&] { folder_.expect_free_for(read(text).job, true); });
  };
  EXPECT_EQ(refused(small_job_with("epochs = 20", "epochs = 30")), "accepted") << "a training goes on with more epochs";
  EXPECT_THAT(refused(small_job_with("epochs = 20", "epochs = 10")),
              HasSubstr("another job: training.epochs was 20 and is 10; name another folder"));
  EXPECT_THAT(refused(small_job_and("clip = 2")), HasSubstr("another job: training.clip was not in it, and is 2"));
  EXPECT_THAT(refused(small_job_with("gcn = { hidden = 16 }", "layers = [{ kind = \"gcn\", outputs = 1 }]")),
              HasSubstr("another job: model.layers[0].outputs was 16 and is 1"));
}

TEST_F(OutputFolderTest, KnowsTheLaunchThatItsLastRunIsOf) {
  EXPECT_FALSE(folder_.was_begun_by("a"));
  happened("started", {{"command", "train"}, {"launch", nullptr}});
  EXPECT_FALSE(folder_.was_begun_by("")) << "of no launch";
  happened("started", {{"command", "train"}, {"launch", "a"}});
  EXPECT_TRUE(folder_.was_begun_by("a"));
  EXPECT_FALSE(folder_.was_begun_by("b"));
  happened("started", {{"command", "train"}, {"launch", "b"}});
  EXPECT_FALSE(folder_.was_begun_by("a"));
}

TEST_F(OutputFolderTest, IsHeldAsIfARunWroteInItAndNotWhileOneDoes) {
  EXPECT_FALSE(folder_.hold()) << "nobody has written";
  EXPECT_FALSE(fs::exists(folder_.events()));
  {
    const EventLog run(folder_.events());
    EXPECT_THAT([&] { (void)folder_.hold(); }, ThrowsMessage<ConfigError>(HasSubstr("this rank runs already")));
  }
  EXPECT_FALSE(OutputFolder(folder_.events(), 0).hold()) << "a file is in the place of a folder";
  const net::Descriptor held = folder_.hold();
  EXPECT_THAT([&] { EventLog(folder_.events()); }, ThrowsMessage<ConfigError>(HasSubstr("this rank runs already")));
}

TEST_F(OutputFolderTest, IsMovedAsideToTheFirstFreeName) {
  EXPECT_EQ(folder_.move_aside(), folder_.path().string() + ".1");
  EXPECT_EQ(folder_.move_aside(), "");
  folder_.make();
  EXPECT_EQ(folder_.move_aside(), folder_.path().string() + ".2");
}

}  // namespace
}  // namespace tacit::launcher
