// Records each rank's view of a run: its drawn and dealt randomness, and the messages that it
// receives.
#pragma once

#include <memory>
#include <vector>

#include "mpc/correlations/dealer_correlations.h"
#include "tests/mpc/security/recorded_run.h"

namespace tacit::mpc {

// Words of `bits` bits; bits of a BitTensor are words of one bit.
struct SeenWords {
  std::vector<std::uint64_t> words;
  int bits = 0;
  std::string step = {};
};

struct View {
  std::vector<SeenWords> drawn;   // masks and dealt values, in the order of the requests
  std::vector<SeenWords> inputs;  // shares of all inputs
};

struct Views {
  explicit Views(int parties) : by_party(static_cast<std::size_t>(parties)) {}

  std::vector<View> by_party;
  net::Record record;
};

// Runs the program at every party of `views` and a dealer, over a recording mesh with direct openings.
void run_viewed(Views& views, const SteppedProgram& program, const CorrelationSource& source = from_the_dealer);

}  // namespace tacit::mpc
