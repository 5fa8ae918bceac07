// The tables that the parties make for a one-hot argmax are exact.
#include <gtest/gtest.h>

#include "mpc/protocols/pair_differences.h"
#include "tests/mpc/made/made_requests.h"

namespace tacit::mpc {
namespace {

TEST(WinnerMade, TablesAreExact) {
  for (const int parties : kNumbersOfParties) {
    std::vector<Ask<WinnerRequest>> asks;
    for (const std::int64_t columns : {2, 3, 7}) {
      for (const std::int64_t rows : {0, 1, 5, 64, 65}) {
        if (columns == 7 && rows > 5) continue;
        for (const auto& [bits, y_bits] : {std::pair(1, 1), std::pair(38, 25), std::pair(64, 64)}) {
          asks.push_back([=, bits = bits, y_bits = y_bits](TestMasks& masks) {
            return WinnerRequest{masks.bits({rows, pairs_of(columns)}), masks.words({rows, columns}), bits, y_bits};
          });
        }
      }
    }
    expect_exact(parties, asks);
  }
}

}  // namespace
}  // namespace tacit::mpc
