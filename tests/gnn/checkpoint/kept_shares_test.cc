// A revealed share is kept sealed beside its checkpoint, is restored unchanged, and is deleted with
// the checkpoint.
#include "gnn/checkpoint/kept_shares.h"

#include <gtest/gtest.h>

#include "mpc/protocols/input.h"
#include "mpc/protocols/restore.h"
#include "mpc/protocols/reveal.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

class KeptShareFiles : public testing::Test {
 protected:
  KeptShareFiles() : store_(folder_.options()) {
    store_.begin(session_, nonce_of(1));
    keep_with_checkpoint(5);
  }

  void keep_with_checkpoint(std::int64_t epoch) {
    store_.keep(epoch, "test rmse", mpc::save(mpc::constant(session_, values_, {51, 13}, "values")));
    store_.save(session_, sample_state(session_, epoch));
  }
  std::vector<std::filesystem::path> files() const { return folder_.files(".revealed"); }
  bool holds(const std::string& name = "test rmse", int nonce = 1, std::int64_t epoch = 5) const {
    return store_.kept({nonce_of(nonce), epoch}, name).has_value();
  }

  const Matrix values_ =
      Matrix{{1.5, -2.25}, {kRareValue, 0}, {7, 8}}.unaryExpr([](double x) { return std::round(x * 8192) / 8192; });
  const SampleFolder folder_;
  mpc::ClearSession session_;
  CheckpointStore store_;
};

TEST_F(KeptShareFiles, ComeBackAsTheyWere) {
  const std::optional<KeptShare> kept = store_.kept({nonce_of(1), 5}, "test rmse");
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->session, nonce_of(1));
  mpc::ClearSession other;
  EXPECT_EQ(mpc::value_of(mpc::reveal(other, mpc::restore(other, kept->share), mpc::To::everyone(), "a test")),
            values_);
}

TEST_F(KeptShareFiles, AreOfOneNameAndOneCheckpoint) {
  EXPECT_TRUE(holds());
  EXPECT_FALSE(holds("train rmse"));
  EXPECT_FALSE(holds("test rmse", 2));
  EXPECT_FALSE(holds("test rmse", 1, 6));
}

TEST_F(KeptShareFiles, CountForNothingWhereAByteIsDamagedOrLost) {
  ASSERT_EQ(files().size(), 1U);
  std::ifstream in(files()[0], std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    std::ofstream(files()[0], std::ios::binary) << damaged;
    EXPECT_FALSE(holds()) << "byte " << at;
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(files()[0], std::ios::binary) << whole.substr(0, length);
    EXPECT_FALSE(holds()) << length << " bytes";
  }
  std::ofstream(files()[0], std::ios::binary) << whole;
  EXPECT_TRUE(holds());
}

TEST_F(KeptShareFiles, GoWithTheirCheckpoint) {
  for (const std::int64_t epoch : {10, 15, 20}) keep_with_checkpoint(epoch);
  EXPECT_EQ(folder_.files().size(), 2U);
  EXPECT_EQ(files().size(), 2U);
  EXPECT_FALSE(holds());
  EXPECT_TRUE(holds("test rmse", 1, 20));
}

// Imitates a session that was killed after it kept the share and before it wrote the checkpoint.
TEST_F(KeptShareFiles, OfACheckpointThatWasNeverWrittenAreRemoved) {
  std::filesystem::remove(folder_.files().front());
  const CheckpointStore next(folder_.options());
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace tacit::gnn
