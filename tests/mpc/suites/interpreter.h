// Interpreter — runs the program of a claim: the parties and their dealer, the clear session, or a
// session that is wrong on purpose. A claim holds for the first two, and a test asserts that it
// fails for the third.
#pragma once

#include <functional>
#include <vector>

#include "tests/mpc/run_program.h"

namespace tacit::mpc {

struct Interpreter {
  int parties = 1;
  std::function<void(const Program&)> run;  // at every rank
};

Interpreter real_parties(int parties, const RunOptions& options = {.openings = net::AllReduce::kTwoPhase});
Interpreter in_the_clear(std::uint64_t seed = 1);  // the next run takes the next seed

// The sum of the shares of all ranks.
struct Total {
  RingTensor words;
  int fraction_bits = 0;

  std::int64_t size() const { return words.size(); }
  std::int64_t units(std::int64_t i) const { return signed_value(words.data()[i], words.bits()); }
};

// Runs the program at every rank. Returns one total for each share that the program returns.
using SharesOf = std::function<std::vector<Share>(Session& session, int rank)>;
std::vector<Total> totals(const Interpreter& interpreter, const SharesOf& program);

// Every word of the share itself is reduced.
bool reduced(const RingTensor& words);

}  // namespace tacit::mpc
