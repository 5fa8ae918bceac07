#include "gnn/checkpoint/reveal_ledger.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "mpc/sealed/storage_key.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

using Lines = std::vector<mpc::Reveal>;

const mpc::Reveal kLoss{"training loss", mpc::To::everyone(), 3, 3};
const mpc::Reveal kMore{"training loss", mpc::To::everyone(), 5, 5};
const mpc::Reveal kOther{"training loss", mpc::To::rank(1), 1, 1};

class Ledgers : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "reveals"; }
  static std::vector<std::int64_t> counts(const Lines& lines) {
    std::vector<std::int64_t> counts;
    for (const mpc::Reveal& line : lines) counts.push_back(line.count);
    return counts;
  }
  using Counts = std::vector<std::int64_t>;

 private:
  TemporaryFolder folder_;
};

TEST_F(Ledgers, AddUpReasonByReasonAndRankByRank) {
  EXPECT_EQ(counts(sum_of({kLoss}, {kMore, kOther})), Counts({8, 1}));
  EXPECT_EQ(counts(larger_of({kLoss, kOther}, {kMore})), Counts({5, 1}));
}

TEST_F(Ledgers, AreReadAsTheyWereWrittenLast) {
  {
    RevealLedger ledger(path(), {});
    ledger.write({kLoss});
    ledger.write({kMore, kOther});
    ledger.saved(5);
    ledger.set_steps(7);
    ledger.set_steps(6);
  }
  const RevealLedger::Account read = RevealLedger::read(path());
  ASSERT_EQ(counts(read.reveals), Counts({5, 1}));
  EXPECT_EQ(read.reveals[0].reason, "training loss");
  EXPECT_EQ(read.reveals[1].to, mpc::To::rank(1));
  EXPECT_EQ(read.saved, 5);
  EXPECT_EQ(read.steps, 7);
  RevealLedger next(path(), read);
  EXPECT_EQ(next.steps(), 7);
  next.write({kLoss});
  EXPECT_EQ(counts(next.total({kLoss})), Counts({8, 1}));
  EXPECT_EQ(counts(RevealLedger::read(path()).reveals), Counts({8, 1})) << "before its end, too";
  EXPECT_EQ(RevealLedger::read(path()).steps, 7) << "in every new file";
}

// A session that reveals `losses` losses. The machine's current boot is named "first boot".
class Machine {
 public:
  Machine(const std::filesystem::path& path, int losses) : ledger_(path, {}, "first boot") {
    for (int i = 1; i <= losses; ++i) ledger_.write({{"training loss", mpc::To::everyone(), i, i}});
    std::ifstream file(path, std::ios::binary);
    left_.assign(std::istreambuf_iterator<char>(file), {});
  }
  const std::string& left() const { return left_; }  // in the file, without the session's end

 private:
  RevealLedger ledger_;
  std::string left_;
};

class EndedLedgers : public Ledgers {
 protected:
  std::int64_t losses(const std::string& content, std::string_view boot) const {
    std::ofstream(path(), std::ios::binary) << content;
    const Lines lines = RevealLedger::read(path(), boot).reveals;
    return lines.empty() ? 0 : lines.front().count;
  }
  // A disk that lost everything after the last synchronised line, or only some bytes after it.
  static std::size_t end_of_synced(const std::string& content) {
    return content.find('\n', content.rfind("reserved")) + 1;
  }
};

TEST_F(EndedLedgers, CountExactlyAfterTheEndOfAProcess) {
  for (const int losses_revealed : {1, 2, 3, 40, 100}) {
    EXPECT_EQ(losses(Machine(path(), losses_revealed).left(), "first boot"), losses_revealed);
  }
}

TEST_F(EndedLedgers, LackNothingAfterTheEndOfTheMachine) {
  for (const int revealed : {1, 2, 3, 7, 16, 17, 33, 59}) {
    const std::string whole = Machine(path(), revealed).left();
    for (std::size_t kept = end_of_synced(whole); kept <= whole.size(); kept += 11) {
      for (const std::size_t zeros : {0u, 7u}) {
        const std::int64_t counted = losses(whole.substr(0, kept) + std::string(zeros, '\0'), "second boot");
        EXPECT_GE(counted, revealed) << kept << " of " << whole.size();
        EXPECT_LT(counted, revealed + RevealLedger::kMostReserved);
      }
    }
  }
}

// As a service reveals: each request has another number of nodes.
TEST_F(EndedLedgers, LackNoNumberOfRevealsOfDifferentSizesAfterTheEndOfTheMachine) {
  const std::vector<std::int64_t> sizes = {1,    1,    1,    1, 1,    1000, 1, 2, 1000, 1000,
                                           1000, 1000, 1000, 7, 5000, 1,    1, 1, 1,    1};
  std::string whole;
  std::int64_t elements = 0, largest = 0;
  RevealLedger ledger(path(), {}, "first boot");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    elements += sizes[i];
    largest = std::max(largest, sizes[i]);
    ledger.write({{"predictions", mpc::To::rank(1), static_cast<std::int64_t>(i) + 1, elements}});
    std::ifstream file(path(), std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(file), {});
    const std::filesystem::path copy = path().string() + "-copy";
    std::ofstream(copy, std::ios::binary) << whole.substr(0, end_of_synced(whole));
    const Lines lines = RevealLedger::read(copy, "second boot").reveals;
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_GE(lines[0].count, static_cast<std::int64_t>(i) + 1);
    EXPECT_GE(lines[0].elements, elements) << "after reveal " << i;
    EXPECT_LE(lines[0].elements, elements + RevealLedger::kMostReserved * largest);
    std::filesystem::remove(copy);
  }
  std::size_t reserved = 0;
  for (std::size_t at = 0; (at = whole.find("\nreserved ", at)) != std::string::npos; ++at) ++reserved;
  EXPECT_LE(reserved, 9u) << "about once for each largest size and for each doubling of the count";
}

TEST_F(EndedLedgers, WaitForTheDiskOnceInSixteenReveals) {
  const std::string whole = Machine(path(), 1000).left();
  std::size_t reserved = 0;
  for (std::size_t at = 0; (at = whole.find("\nreserved ", at)) != std::string::npos; ++at) ++reserved;
  EXPECT_LE(reserved, 1000 / 16 + 5);
}

TEST_F(EndedLedgers, ThatAreDamagedAreRefused) {
  const std::string whole = Machine(path(), 40).left();
  const auto refused = [&](const std::string& content, std::string_view boot) {
    try {
      losses(content, boot);
      return false;
    } catch (const ConfigError& error) {
      return std::string_view(error.what()).find("is damaged: a line") != std::string_view::npos &&
             std::string_view(error.what()).find("--afresh") != std::string_view::npos;
    }
  };
  for (std::size_t at = 0; at < whole.size(); at += 13) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_TRUE(refused(damaged, "first boot")) << at;
    if (at >= whole.rfind("\nreserved ")) continue;
    EXPECT_TRUE(refused(damaged, "second boot")) << at;
  }
  EXPECT_TRUE(refused(whole + std::string(500, 'x'), "first boot"));
  EXPECT_TRUE(refused("", "first boot"));
}

TEST_F(EndedLedgers, AreWrittenAnewBeforeTheyGrowWithoutEnd) {
  RevealLedger ledger(path(), {});
  for (int i = 1; i <= 20000; ++i) ledger.write({{std::string(60, 'r'), mpc::To::everyone(), i, i}});
  EXPECT_LT(std::filesystem::file_size(path()), 2u << 20);
  EXPECT_EQ(counts(RevealLedger::read(path()).reveals), Counts({20000}));
}

TEST_F(EndedLedgers, OfTheFormatBeforeAreRead) {
  const std::string text =
      "What was revealed: times, numbers, rank (-1: all), reason\n5 5 -1 training loss\n1 3 1 model\n";
  const mpc::Digest digest = mpc::digest_of(std::as_bytes(std::span(text)));
  const std::string checksum = fmt::format("{:02x}\n", fmt::join(std::span(digest).first<8>(), ""));
  EXPECT_EQ(losses(text + checksum, "any boot"), 5);
  EXPECT_THROW(losses(text + checksum + "noise", "any boot"), ConfigError);
}

}  // namespace
}  // namespace tacit::gnn
