// ToldProfile — the rounds, bytes and time of a rank's last session by part, read from its summary.
#pragma once

#include <string>
#include <vector>

#include "launcher/json.h"
#include "mpc/session/cost.h"

namespace tacit::launcher {

struct ToldTime {
  double seconds = 0;
  double waited_for_parties = 0, waited_for_dealer = 0;  // parts of `seconds`
};

struct ToldProfile {
  struct Protocol {
    std::string protocol;
    std::int64_t calls = 0;
    ToldTime time;
    mpc::Cost cost;
  };
  struct Part {
    std::string part;  // "layer 0 forward"
    std::int64_t times = 0;
    ToldTime time;
    std::vector<Protocol> protocols;
  };
  using Parts = std::vector<Part>;

  Parts before, first_epoch;
  std::int64_t epochs = 0;  // after the first
  Parts parts;              // of all these epochs together
  Parts after;
};

// Reads a profile from a file that may be anybody's. Leaves out parts beyond the limits.
ToldProfile profile_in(const Json& profile);

inline constexpr std::size_t kMostPartsTold = 1000;     // before the epochs, in the first, ...
inline constexpr std::size_t kMostProtocolsTold = 100;  // of a part
inline constexpr double kMostSecondsTold = 1e12;

}  // namespace tacit::launcher
