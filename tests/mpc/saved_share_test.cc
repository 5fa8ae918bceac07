// A share that is saved in one session and restored in another is the same value under new shares.
#include "mpc/session/saved_share.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/restore.h"
#include "mpc/protocols/reveal.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "mpc/session/inside.h"
#include "tests/mpc/operators.h"
#include "tests/mpc/run_program.h"
#include "tests/temporary_folder.h"

namespace tacit::mpc {
namespace {

static_assert(Opaque<SavedShare> && !std::is_copy_constructible_v<SavedShare>);

const Shape kSavedShapes[] = {{3, 5}, {1, 1}, {0, 4}, {200, 1}};
const Format kFormats[] = {{64, 13}, {51, 13}, {38, 13}, {3, 0}};

Matrix some_matrix(Shape shape) {
  return Matrix::NullaryExpr(shape.rows, shape.cols,
                             [](auto row, auto col) { return static_cast<double>((3 * row + col) % 7) - 3; });
}

// The state that one rank keeps between two sessions.
struct Kept {
  std::vector<std::byte> sealed;
  std::vector<RingTensor> shares;
};

class SavedShares : public testing::Test {
 protected:
  SavedShares() {
    StorageKey::make(folder_.path() / "key");
    key_.emplace(StorageKey::load(folder_.path() / "key"));
  }

  void save(Session& session, int rank) {
    Sealer sealer(*key_, {});
    Kept kept;
    for (const Format format : kFormats) {
      for (const Shape shape : kSavedShapes) {
        const Matrix values = format.ring_bits == 3 ? Matrix(Matrix::Zero(shape.rows, shape.cols)) : some_matrix(shape);
        const Share share = input(session, 0, shape, format, &values, "some values");
        const SavedShare saved = mpc::save(share);
        if (rank == session.parties()) continue;  // the dealer
        saved.write_to(sealer);
        kept.shares.push_back(Inside::words(share));
      }
    }
    kept.sealed = sealer.finish();
    const std::lock_guard lock(mutex_);
    kept_[rank] = std::move(kept);
  }

  std::vector<Share> restored(Session& session, int rank) {
    std::unique_lock lock(mutex_);
    Unsealer unsealer(*key_, {}, kept_[rank].sealed);
    lock.unlock();
    std::vector<Share> shares;
    for (const Format format : kFormats) {
      for (const Shape shape : kSavedShapes) {
        std::optional<SavedShare> saved = SavedShare::nothing(shape, format);
        if (rank < session.parties()) saved = SavedShare::read_from(unsealer, shape, format);
        shares.push_back(restore(session, saved.value()));
        EXPECT_EQ(shares.back().shape(), shape);
        EXPECT_EQ(shares.back().format(), format);
      }
    }
    EXPECT_TRUE(rank == session.parties() || unsealer.finish());
    return shares;
  }

  void expect_values(Session& session, const std::vector<Share>& shares, bool seen) {
    for (const Share& share : shares) {
      const Public revealed = reveal(session, share, To::everyone(), "a restored value");
      if (!seen || share.ring_bits() == 3) continue;
      EXPECT_EQ(value_of(revealed), some_matrix(share.shape()));
    }
  }

  TemporaryFolder folder_;
  std::optional<StorageKey> key_;
  std::mutex mutex_;
  std::map<int, Kept> kept_;
};

TEST_F(SavedShares, AreTheSameValuesInAnotherClearSession) {
  ClearSession first(1, 1), second(1, 2);
  save(first, 0);
  expect_values(second, restored(second, 0), true);
}

TEST_F(SavedShares, AreTheSameValuesUnderNewSharesForAnyNumberOfParties) {
  for (const int parties : {2, 3, 5}) {
    kept_.clear();
    run_parties(parties, [&](Session& session, int rank) { save(session, rank); });
    run_parties(parties, [&](Session& session, int rank) {
      const std::vector<Share> shares = restored(session, rank);
      expect_values(session, shares, rank < parties);
      if (rank == parties) return;
      // A 64-bit word stays the same by chance once in 2^64.
      EXPECT_NE(Inside::words(shares[0]).words()[0], kept_[rank].shares[0].words()[0]);
    });
  }
}

TEST_F(SavedShares, ServeEveryProtocolAsOtherSharesDo) {
  run_parties(3, [&](Session& session, int rank) { save(session, rank); });
  run_parties(3, [&](Session& session, int rank) {
    const Share x = restored(session, rank)[0];
    const std::vector<Masked> masked = mask(session, std::vector{x, x});
    const Share square = drop(session, product(session, masked[0], masked[1]), 13);
    const Public revealed = reveal(session, square, To::everyone(), "squares");
    if (rank == 3) return;
    const Matrix expected = some_matrix({3, 5}).cwiseProduct(some_matrix({3, 5}));
    EXPECT_LE((value_of(revealed) - expected).cwiseAbs().maxCoeff(), std::ldexp(2, -13));
  });
}

}  // namespace
}  // namespace tacit::mpc
