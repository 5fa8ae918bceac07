#include "gnn/checkpoint/reveal_ledger.h"

#include <gtest/gtest.h>

#include <fstream>

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
  }
  const Lines read = RevealLedger::read(path());
  ASSERT_EQ(counts(read), Counts({5, 1}));
  EXPECT_EQ(read[0].reason, "training loss");
  EXPECT_EQ(read[1].to, mpc::To::rank(1));
  RevealLedger next(path(), {kLoss});  // the checkpoint knows of fewer
  next.write({kLoss});
  EXPECT_EQ(counts(next.total({kLoss})), Counts({8, 1}));
  EXPECT_EQ(counts(RevealLedger::read(path())), Counts({8, 1}));
}

TEST_F(Ledgers, ThatAreDamagedCountAsTheCheckpointDoes) {
  { RevealLedger(path(), {}).write({kMore}); }
  std::fstream(path()).seekp(70) << "9";
  EXPECT_TRUE(RevealLedger::read(path()).empty());
  EXPECT_EQ(counts(RevealLedger(path(), {kLoss}).total({})), Counts({3}));
}

}  // namespace
}  // namespace tacit::gnn
