// The ledger's file: reservations, refusals, and its state after a crash.
#include "gnn/privacy/privacy_ledger.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "gnn/privacy/ledger_lines.h"
#include "net/error.h"
#include "tests/gnn/privacy/sample_plan.h"
#include "tests/no_room.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

std::array<std::byte, 32> bytes_of(int number) {
  std::array<std::byte, 32> bytes{};
  bytes[0] = static_cast<std::byte>(number);
  return bytes;
}

// Session `number` of the job `job`.
SessionStart start(int number, int job = 1, int data = 1) {
  return {bytes_of(number), bytes_of(job), bytes_of(data), {}};
}
SessionStart resumed(int number, int from, std::int64_t step, int job = 1) {
  return {bytes_of(number), bytes_of(job), bytes_of(1), SessionStart::From{bytes_of(from), step}};
}

class LedgerFile : public testing::Test {
 protected:
  fs::path path() const { return folder_.path() / "privacy" / "0"; }
  std::string text() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& text) const { std::ofstream(path(), std::ios::binary) << text; }
  std::vector<std::int64_t> steps() const { return PrivacyLedger::read(path()).charged_steps(); }

  template <typename Act>
  std::string refusal(const Act& act) const {
    try {
      act();
      return "";
    } catch (const ConfigError& error) {
      told_ = error.told();
      return error.what();
    }
  }
  std::string refusal_to_reserve(const SessionStart& next, const PrivacyPlan& plan = sample_plan()) const {
    return refusal([&] { PrivacyLedger(path(), "rank 1").reserve(next, plan); });
  }

  TemporaryFolder folder_;
  mutable std::string told_;
  using Steps = std::vector<std::int64_t>;
};

TEST_F(LedgerFile, IsMadeForItsOwnerAndKeepsWhatWasSpent) {
  {
    PrivacyLedger ledger(path());
    struct stat about {};
    ASSERT_EQ(::stat(path().c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 07777, 0600u);
    ledger.allow({3, 1e-6});
    const Charge charge = ledger.reserve(start(1), sample_plan());
    EXPECT_EQ(charge.before.told(), 0);
    EXPECT_GT(charge.after.told(), 0);
    EXPECT_LT(charge.after.by_loss, charge.after.by_renyi);
    EXPECT_EQ(steps(), Steps({0}));
    ledger.revealed("model", "everyone", 100);
    EXPECT_EQ(steps(), Steps({100}));
    ledger.ended();
    EXPECT_EQ(epsilon_of(ledger.content().charged_at_most(1e-6), 1e-6).told(), charge.after.told());
  }
  const LedgerContent read = PrivacyLedger::read(path());
  EXPECT_FALSE(read.open);
  EXPECT_EQ(read.allowed->epsilon, 3);
  EXPECT_EQ(read.sessions[0].reveals[0].what, "model");
  EXPECT_EQ(fs::directory_iterator(path().parent_path())->path(), path()) << "the folder has no other file";
}

TEST_F(LedgerFile, ChargesNothingForAJobThatRevealedNothing) {
  {
    PrivacyLedger ledger(path());
    ledger.reserve(start(1), sample_plan());
    ledger.ended();
  }
  PrivacyLedger ledger(path());
  EXPECT_EQ(ledger.reserve(start(2, 2), sample_plan()).before.told(), 0);
}

TEST_F(LedgerFile, WritesARevealOnce) {
  PrivacyLedger ledger(path());
  ledger.reserve(start(1), sample_plan());
  ledger.revealed("model", "everyone", 50);
  const std::string once = text();
  ledger.revealed("model", "everyone", 50);
  ledger.revealed("model", "everyone", 40);
  EXPECT_EQ(text(), once);
  ledger.revealed("model", "rank 1", 40);
  ledger.revealed("model", "everyone", 60);
  EXPECT_EQ(ledger.content().sessions[0].reveals.size(), 3U);
  EXPECT_EQ(steps(), Steps({60}));
}

TEST_F(LedgerFile, ResumesAJobAndChargesRepeatedStepsAgain) {
  {
    PrivacyLedger ledger(path());
    ledger.reserve(start(1), sample_plan());
    ledger.revealed("model", "everyone", 70);
  }
  {
    PrivacyLedger ledger(path());
    ledger.reserve(resumed(2, 1, 50), sample_plan());  // killed before a reveal
  }
  EXPECT_EQ(steps(), Steps({70, 0}));
  PrivacyLedger ledger(path());
  const Charge charge = ledger.reserve(resumed(3, 2, 60), sample_plan());
  ledger.revealed("model", "everyone", 100);
  EXPECT_EQ(steps(), Steps({70, 10, 40}));
  EXPECT_EQ(epsilon_of(ledger.content().charged_at_most(1e-6), 1e-6).told(), charge.after.told());
  ledger.ended();
}

TEST_F(LedgerFile, ResumesAJobThatWasEndedByHand) {
  {
    PrivacyLedger ledger(path());
    ledger.reserve(start(1), sample_plan());
    ledger.ended();
    ledger.reserve(start(2, 2), sample_plan());
    ledger.ended();
  }
  PrivacyLedger ledger(path());
  ledger.reserve(resumed(3, 1, 50), sample_plan());
  ledger.revealed("model", "everyone", 100);
  EXPECT_EQ(steps(), Steps({50, 0, 50}));
}

TEST_F(LedgerFile, OfAJobThatTheLedgerDoesNotKnowIsNotResumed) {
  { PrivacyLedger(path()).reserve(start(1), sample_plan()); }
  const std::string before = text();
  EXPECT_THAT(refusal_to_reserve(resumed(2, 9, 50)), AllOf(HasSubstr("does not list"), HasSubstr("older copy")));
  EXPECT_EQ(told_, "does not know the checkpoint");
  EXPECT_EQ(text(), before);
}

TEST_F(LedgerFile, BlocksASecondJobUntilTheFirstHasEnded) {
  { PrivacyLedger(path()).reserve(start(1, 1), sample_plan()); }
  const std::string before = text();
  EXPECT_THAT(refusal_to_reserve(start(2, 2)), AllOf(HasSubstr("the reservation of another job, 01000000"),
                                                     HasSubstr("`tacit privacy end " + path().string() + "`")));
  EXPECT_EQ(told_, "has data on which another job has not ended");
  EXPECT_EQ(text(), before);
  PrivacyLedger(path()).ended();
  EXPECT_EQ(refusal_to_reserve(start(2, 2)), "");
}

TEST_F(LedgerFile, LetsAJobStartAfreshThatWasCutOff) {
  { PrivacyLedger(path()).reserve(start(1), sample_plan()); }
  PrivacyLedger ledger(path());
  ledger.reserve(start(2), sample_plan());
  ledger.revealed("model", "everyone", 100);
  EXPECT_EQ(steps(), Steps({0, 100}));
}

// Two attempts from the beginning, and a resume of the first one.
TEST_F(LedgerFile, LetsAJobResumeAnEarlierAttempt) {
  { PrivacyLedger(path()).reserve(start(1), sample_plan()); }
  { PrivacyLedger(path()).reserve(start(2), sample_plan()); }
  PrivacyLedger ledger(path());
  ledger.reserve(resumed(3, 1, 50), sample_plan());
  ledger.revealed("model", "everyone", 100);
  EXPECT_EQ(steps(), Steps({50, 0, 50}));
}

TEST_F(LedgerFile, IsLockedWhileAJobUsesIt) {
  {
    PrivacyLedger ledger(path());
    EXPECT_THAT(refusal([&] { PrivacyLedger second(path()); }), HasSubstr("another process uses the privacy ledger"));
    EXPECT_EQ(told_, "has data on which another job runs");
    PrivacyLedger::read(path());
  }
  EXPECT_EQ(refusal([&] { PrivacyLedger second(path()); }), "");
}

TEST_F(LedgerFile, OfOtherDataOrAnotherUnitIsRefused) {
  {
    PrivacyLedger ledger(path());
    ledger.reserve(start(1), sample_plan());
    ledger.ended();
  }
  const std::string before = text();
  EXPECT_THAT(refusal_to_reserve(start(2, 1, 7)), HasSubstr("belongs to other data"));
  EXPECT_EQ(told_, "is of other data");
  PrivacyPlan edges = sample_plan();
  edges.unit = "edge";
  EXPECT_THAT(refusal_to_reserve(start(2), edges),
              HasSubstr("counts the privacy of one record, and this job has the unit edge"));
  EXPECT_THAT(refusal_to_reserve(start(1)), HasSubstr("lists this one already"));
  EXPECT_EQ(text(), before);
}

TEST_F(LedgerFile, DoesNotContainTheDigestOfTheData) {
  PrivacyLedger(path()).reserve(start(1, 1, 0xab), sample_plan());
  EXPECT_THAT(text(), testing::Not(HasSubstr("ab" + std::string(62, '0'))));
}

// After a crash within the append of any line, the ledger charges everything that was revealed before, and the reveal that
// the line announces.
TEST_F(LedgerFile, NeverChargesLessThanWasRevealedAfterACrashAtAnyByte) {
  struct Moment {
    std::size_t size;
    std::int64_t first, second;  // charged steps of both sessions
  };
  std::vector<Moment> moments;
  {
    PrivacyLedger ledger(path());
    const auto note = [&](std::int64_t first, std::int64_t second) {
      moments.push_back({text().size(), first, second});
    };
    note(0, 0);
    ledger.reserve(start(1), sample_plan());
    note(0, 0);
    ledger.revealed("model", "everyone", 30);
    note(30, 0);
    ledger.revealed("model", "everyone", 70);
    note(70, 0);
    ledger.reserve(resumed(2, 1, 50), sample_plan());
    note(70, 0);
    ledger.revealed("model", "everyone", 100);
    note(70, 50);
    ledger.ended();
    note(70, 50);
  }
  const std::string whole = text();
  for (std::size_t i = 0; i + 1 < moments.size(); ++i) {
    const bool reveals = i == 1 || i == 2 || i == 4;  // the next line
    for (std::size_t size = moments[i].size; size < moments[i + 1].size;
         size += size < moments[i].size + 12 ? 1U : 7U) {
      write(whole.substr(0, size));
      std::vector<std::int64_t> charged;
      {
        PrivacyLedger ledger(path());
        EXPECT_EQ(ledger.recovered(), static_cast<std::int64_t>(size - moments[i].size));
        EXPECT_EQ(ledger.content().open.has_value(), i > 0);
        charged = ledger.content().charged_steps();
      }
      EXPECT_EQ(steps(), charged) << "the recovered line counts for the same";
      charged.resize(2);
      const bool unreadable = size > moments[i].size && size < moments[i].size + 10;  // "reserved; " may be a reveal
      if (size == moments[i].size || !(reveals || unreadable)) {
        EXPECT_EQ(charged, Steps({moments[i].first, moments[i].second})) << size;
      } else {
        EXPECT_GE(charged[0], moments[i].first) << size;
        EXPECT_GE(charged[1], moments[i].second) << size;
      }
      if (reveals && size > moments[i].size) {
        EXPECT_GE(charged[0], moments[i + 1].first) << size << ": the end of the file may have been lost later";
        EXPECT_GE(charged[1], moments[i + 1].second) << size;
      }
    }
  }
}

TEST_F(LedgerFile, GoesOnAfterACrashAndSaysSo) {
  {
    PrivacyLedger ledger(path());
    ledger.reserve(start(1), sample_plan());
    ledger.revealed("model", "everyone", 30);
  }
  write(text() + "revealed; time=5; step=40; to=ev");
  EXPECT_EQ(PrivacyLedger::read(path()).charged_steps(), Steps({40}));
  EXPECT_THAT(text(), testing::EndsWith("to=ev")) << "a reader changes nothing";
  {
    PrivacyLedger ledger(path());
    EXPECT_EQ(ledger.recovered(), 32);
    ledger.reserve(resumed(2, 1, 20), sample_plan());
    ledger.revealed("model", "everyone", 100);
  }
  EXPECT_THAT(text(), HasSubstr("; bytes=32; step=40; "));
  EXPECT_EQ(PrivacyLedger(path()).recovered(), 0);
  EXPECT_EQ(steps(), Steps({40, 80}));
}

TEST_F(LedgerFile, ThatIsDamagedIsRefusedAndNotChanged) {
  {
    PrivacyLedger ledger(path());
    ledger.reserve(start(1), sample_plan());
    ledger.revealed("model", "everyone", 30);
  }
  std::string damaged = text();
  damaged[damaged.size() - 60] ^= 1;
  write(damaged);
  EXPECT_THAT(refusal_to_reserve(start(2)),
              AllOf(HasSubstr(path().string() + " is damaged: line 3"), HasSubstr("bring it back from a copy")));
  EXPECT_EQ(told_, "is damaged");
  EXPECT_EQ(text(), damaged);
  write("");
  EXPECT_THAT(refusal_to_reserve(start(2)), HasSubstr("is empty"));
  write("Tacit privacy ledger, version 7\n");
  EXPECT_THAT(refusal_to_reserve(start(2)), HasSubstr("has version 7"));
  EXPECT_EQ(text(), "Tacit privacy ledger, version 7\n");
  fs::resize_file(path(), (std::uintmax_t{16} << 20) + 1);
  EXPECT_THAT(refusal_to_reserve(start(2)), HasSubstr("a privacy ledger has at most 16777216"));
}

TEST_F(LedgerFile, ThatIsNoRegularFileIsRefused) {
  fs::create_directories(path());
  EXPECT_THAT(refusal_to_reserve(start(1)), HasSubstr("Is a directory"));
  fs::remove(path());
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  EXPECT_THAT(refusal_to_reserve(start(1)), HasSubstr("is not a regular file"));
  fs::remove(path());
  fs::create_symlink(folder_.path() / "elsewhere", path());
  EXPECT_THAT(refusal_to_reserve(start(1)), HasSubstr("is a symbolic link; name the file itself"));
  EXPECT_THAT(refusal([&] { PrivacyLedger::read(folder_.path() / "none"); }), HasSubstr("No such file"));
}

TEST_F(LedgerFile, ThatSomebodyChangesDuringAJobStopsTheReveal) {
  PrivacyLedger ledger(path());
  ledger.reserve(start(1), sample_plan());
  const std::string before = text();
  write(before + "x");
  EXPECT_THAT(refusal([&] { ledger.revealed("model", "everyone", 10); }),
              HasSubstr("somebody changed, moved or removed"));
  write(before);
  ledger.revealed("model", "everyone", 10);
  const fs::path elsewhere = folder_.path() / "elsewhere";
  fs::rename(path(), elsewhere);
  write(before);
  EXPECT_THAT(refusal([&] { ledger.revealed("model", "everyone", 20); }), HasSubstr("somebody changed, moved"));
  fs::rename(elsewhere, path());
  ledger.revealed("model", "everyone", 20);
  fs::remove(path());
  EXPECT_THAT(refusal([&] { ledger.revealed("model", "everyone", 30); }), HasSubstr("somebody changed, moved"));
}

TEST_F(LedgerFile, OnAFullDiskRefusesTheRevealAndStaysWhole) {
  PrivacyLedger ledger(path());
  ledger.reserve(start(1), sample_plan());
  const std::string before = text();
  {
    const NoRoom no_room(before.size() + 20);
    EXPECT_THAT(refusal([&] { ledger.revealed("model", "everyone", 10); }), HasSubstr("cannot be written"));
  }
  EXPECT_EQ(text(), before);
}

// A raw table, its noisy statistics, and the parts that were made from it have one ledger.
TEST_F(LedgerFile, FollowsATableToThePartsThatWereMadeFromIt) {
  const std::string table(32, 'a'), other(32, 'b');
  using Imputed = CleaningMark::Imputed;
  PrivacyPlan sums = sample_plan();
  sums.steps = sums.steps_per_epoch = 1;
  const SessionStart statistics = {bytes_of(1), bytes_of(1), digest_of_table(table), {}};
  {
    PrivacyLedger ledger(path());
    ledger.reserve(statistics, sums);
    ledger.revealed("statistics", "all parties", 1);
    ledger.ended();
  }
  const std::string session = PrivacyLedger::read(path()).sessions[0].id;
  const auto training = [&](int number, int data, const CleaningMark& mark) {
    SessionStart start = {bytes_of(number), bytes_of(number), bytes_of(data), {}};
    start.cleaning = mark;
    return start;
  };
  const auto end = [&] { PrivacyLedger(path()).ended(); };
  EXPECT_THAT(refusal_to_reserve({bytes_of(2), bytes_of(2), bytes_of(2), {}}), HasSubstr("belongs to other data"));
  EXPECT_THAT(refusal_to_reserve(training(2, 2, {Imputed::kConstants, other, ""})), HasSubstr("belongs to other data"));
  EXPECT_THAT(refusal_to_reserve(training(2, 2, {Imputed::kNoisy, other, session})),
              HasSubstr("belongs to other data"));
  EXPECT_THAT(refusal_to_reserve(training(2, 2, {Imputed::kNoisy, table, std::string(64, 'c')})),
              HasSubstr("does not list the epsilon that these spent (session cccccccc)"));
  EXPECT_EQ(told_, "does not list the statistics by which its data were cleaned");
  EXPECT_EQ(steps(), Steps({1})) << "and nothing else was reserved";
  const double before = epsilon_of(PrivacyLedger::read(path()).charged_at_most(1e-6), 1e-6).told();
  {
    PrivacyLedger ledger(path());
    const Charge charge = ledger.reserve(training(2, 2, {Imputed::kNoisy, table, session}), sample_plan());
    EXPECT_EQ(charge.before.told(), before);
    EXPECT_GT(charge.after.told(), before);
    ledger.revealed("model", "everyone", 100);
    ledger.ended();
  }
  EXPECT_EQ(refusal_to_reserve(training(3, 3, {Imputed::kConstants, table, ""})), "") << "of the same table";
  end();
  EXPECT_EQ(refusal_to_reserve(training(4, 4, {Imputed::kNoisy, "", session})), "") << "of a range of the table";
  end();
  EXPECT_EQ(refusal_to_reserve({bytes_of(5), bytes_of(5), bytes_of(4), {}}), "") << "the same part without a mark";
  end();
  EXPECT_EQ(refusal_to_reserve({bytes_of(6), bytes_of(6), digest_of_table(table), {}}, sums), "") << "the table again";
  EXPECT_EQ(PrivacyLedger::read(path()).data.size(), 4U);
}

// A ledger that begins with a training on a cleaned part takes the statistics of its table.
TEST_F(LedgerFile, FollowsAPartToItsTable) {
  const std::string table(32, 'a');
  SessionStart training = start(1);
  training.cleaning = CleaningMark{CleaningMark::Imputed::kConstants, table, ""};
  EXPECT_EQ(refusal_to_reserve(training), "");
  PrivacyLedger(path()).ended();
  EXPECT_EQ(refusal_to_reserve({bytes_of(2), bytes_of(2), digest_of_table(table), {}}), "");
  PrivacyLedger(path()).ended();
  EXPECT_THAT(refusal_to_reserve({bytes_of(3), bytes_of(3), digest_of_table(std::string(32, 'b')), {}}),
              HasSubstr("belongs to other data"));
}

}  // namespace
}  // namespace tacit::gnn
