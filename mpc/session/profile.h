// Profile divides a session's cost and time by part of the program, and within each part by
// protocol.
//
// Names, calls and costs are public, and equal in a planning session. Times come from this rank's
// clock. The time of a call lasts from its begin to its end, and includes waiting for messages to
// arrive or leave; the waiting thread moves bytes, so this includes encryption and decryption. The
// time of a part beyond its calls is the rank's own work: local algebra, products by public
// matrices, files.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpc/session/cost.h"

namespace tacit::mpc {

// Time of waiting for other ranks.
struct Waited {
  std::chrono::nanoseconds for_parties{0}, for_dealer{0};

  Waited& operator+=(const Waited& other);
  Waited& operator-=(const Waited& other);
  friend Waited operator-(Waited a, const Waited& b) { return a -= b; }
};

// The cost of all calls of one protocol.
struct ProtocolCost {
  std::string_view protocol;  // the name of the operation: "matmul"
  std::int64_t calls = 0;
  Cost cost;

  bool operator==(const ProtocolCost&) const = default;
};

struct Profile {
  struct Protocol {
    ProtocolCost stated;
    std::chrono::nanoseconds time{0};
    Waited waited;  // included in `time`
  };
  struct Part {
    std::string name;
    std::int64_t times = 0;  // number of times that the part has ended
    std::chrono::nanoseconds time{0};
    std::vector<Protocol> protocols;  // in the order of their first calls

    Cost cost() const;
    Waited waited() const;
  };
  std::vector<Part> parts;  // in the order of their first begin

  Cost cost() const;
  std::chrono::nanoseconds time() const;
  std::vector<ProtocolCost> by_protocol() const;  // in the order of the parts
};

// The difference to an earlier profile of the same session. Parts without a new call or time are
// left out.
Profile operator-(const Profile& now, const Profile& before);

// A profile in the making. Thread: its session's.
class RunningProfile {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Times { kTaken, kNone };
  explicit RunningProfile(Times times) : timed_(times == Times::kTaken) {}

  // A part's time is added when the part ends.
  void begin_part(std::string_view name);
  void end_part();

  // The position of a call: in the current part, or in a part without a name if none has begun.
  struct Call {
    std::size_t part = 0, protocol = 0;
  };
  Call begin_call(std::string_view protocol, const Cost& cost);  // `protocol` must outlive every profile
  void end_call(Call call, std::chrono::nanoseconds time, const Waited& waited);

  Clock::time_point now() const { return timed_ ? Clock::now() : Clock::time_point{}; }
  const Profile& so_far() const { return profile_; }

 private:
  const bool timed_;
  Profile profile_;
  std::optional<std::size_t> part_;
  Clock::time_point part_begun_{};
};

}  // namespace tacit::mpc
