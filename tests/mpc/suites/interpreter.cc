#include "tests/mpc/suites/interpreter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

void add_to(RingTensor& sum, const RingTensor& share) {
  const std::uint64_t ring = low_bits(sum.bits());
  for (std::int64_t i = 0; i < sum.size(); ++i) sum.data()[i] = (sum.data()[i] + share.data()[i]) & ring;
}

}  // namespace

Interpreter real_parties(int parties, const RunOptions& options) {
  return {parties, [=](const Program& program) { run_parties(parties, program, options); }};
}

Interpreter in_the_clear(std::uint64_t seed) {
  return {1, [seed](const Program& program) mutable {
            ClearSession session(8, seed++);
            program(session, -1);
          }};
}

std::vector<Total> totals(const Interpreter& interpreter, const SharesOf& program) {
  std::mutex mutex;
  std::vector<Total> sums;
  interpreter.run([&](Session& session, int rank) {
    const std::vector<Share> shares = program(session, rank);
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (!Inside::held(shares[i])) continue;
      const RingTensor& words = Inside::words(shares[i]);
      EXPECT_TRUE(reduced(words)) << "share " << i << " of rank " << rank;
      if (i == sums.size()) {
        sums.push_back({words, shares[i].fraction_bits()});
      } else {
        add_to(sums[i].words, words);
      }
    }
  });
  return sums;
}

bool reduced(const RingTensor& words) {
  const std::uint64_t ring = low_bits(words.bits());
  return std::all_of(words.words().begin(), words.words().end(), [=](std::uint64_t word) { return word <= ring; });
}

}  // namespace tacit::mpc
