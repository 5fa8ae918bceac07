// Quotients of counts on shares.
#include "gnn/arithmetic/quotients.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mpc/protocols/drop.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/local.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

constexpr mpc::Format kWholeWords{64, 0};

Matrix row_of(const std::vector<double>& numbers) {
  return Eigen::Map<const Matrix>(numbers.data(), 1, std::ssize(numbers));
}

// The last party's counts.
Matrix divided(mpc::Session& session, const Matrix& above, const Matrix& below, double most) {
  const int owner = session.parties() - 1;
  const mpc::Share numerators = mpc::input(session, owner, mpc::shape_of(above), kWholeWords, &above, "above"),
                   denominators = mpc::input(session, owner, mpc::shape_of(below), kWholeWords, &below, "below");
  const mpc::Public seen =
      mpc::reveal(session, quotients(session, numerators, denominators, most), mpc::To::everyone(), "quotients");
  Matrix result;
  session.output([&](const mpc::PublicReader& read) { result = read(seen); });
  return result;
}

TEST(Quotients, OfCountsAreRightAndZeroOverZeroIsZero) {
  for (const double most : {1.0, 7.0, 4096.0, 1048576.0}) {
    std::vector<double> above, below;
    for (const double denominator : {0.0, 1.0, 2.0, 3.0, 7.0, 100.0, 1000.0, 4095.0, 65537.0, 1048576.0}) {
      if (denominator > most) continue;
      for (const double part : {0.0, 0.03, 0.5, 1.0}) {
        above.push_back(std::floor(part * denominator));
        below.push_back(denominator);
      }
    }
    const auto expect = [&](const Matrix& seen, int parties) {
      for (std::size_t i = 0; i < above.size(); ++i) {
        const double right = below[i] == 0 ? 0 : above[i] / below[i];
        EXPECT_NEAR(seen(0, static_cast<Eigen::Index>(i)), right, std::ldexp(1, -15))
            << above[i] << "/" << below[i] << " of " << most << ", " << parties;
        if (below[i] == 0) {
          EXPECT_NEAR(seen(0, static_cast<Eigen::Index>(i)), 0, std::ldexp(1, -20));
        }
      }
    };
    mpc::ClearSession clear;
    expect(divided(clear, row_of(above), row_of(below), most), 1);
    for (const int parties : {2, 3, 5}) {
      mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
        const Matrix seen = divided(session, row_of(above), row_of(below), most);
        if (rank == 0) expect(seen, parties);
      });
    }
  }
}

TEST(Quotients, TakeOnesOfEveryFormatAsWholeNumbers) {
  const Matrix ones = row_of({0, 1, 1, 0, 1});
  for (const mpc::Format format : {mpc::Format{64, 13}, mpc::Format{48, 16}, mpc::Format{51, 13}, mpc::Format{20, 0}}) {
    mpc::run_parties(3, [&](mpc::Session& session, int rank) {
      Arithmetic arithmetic(session, {64, 13});
      const mpc::Share share = mpc::input(session, 1, mpc::shape_of(ones), format, &ones, "ones");
      const mpc::Share whole = whole_numbers(arithmetic, Tensor(share, 1, "ones"));
      EXPECT_EQ(whole.format(), kWholeWords);
      const mpc::Public seen = mpc::reveal(session, whole, mpc::To::everyone(), "ones");
      session.output([&](const mpc::PublicReader& read) { EXPECT_EQ(read(seen), ones) << rank; });
    });
  }
}

}  // namespace
}  // namespace tacit::gnn
