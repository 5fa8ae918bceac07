// What every rank sees of a run: the randomness that it draws and is dealt, and what is sent to it.
#pragma once

#include <vector>

#include "tests/mpc/security/recorded_run.h"

namespace tacit::mpc {

// Words of so many bits; bits of a BitTensor are words of one bit.
struct SeenWords {
  std::vector<std::uint64_t> words;
  int bits = 0;
};

struct View {
  std::vector<SeenWords> drawn;  // masks and dealt values, in the order in which they were asked for
};

struct Views {
  explicit Views(int parties) : by_party(static_cast<std::size_t>(parties)) {}

  std::vector<View> by_party;
  net::Record record;
};

// Runs the program at every party of `views` and a dealer, over a recording mesh with direct openings.
void run_viewed(Views& views, const SteppedProgram& program);

}  // namespace tacit::mpc
