// Profile — where a session's cost and its time went: by part of the program, and in each by protocol.
//
// Names, calls and costs are public, and the same where a session only plans. Times are of this rank's own clock. A
// call's is from its begin to its end, of which some is waiting until a message had come or left; a thread that waits
// moves bytes meanwhile, so en- and decryption is in that. What a part takes beyond its calls is the rank's own work:
// local algebra, products by public matrices, files.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpc/session/cost.h"

namespace tacit::mpc {

// For other ranks.
struct Waited {
  std::chrono::nanoseconds for_parties{0}, for_dealer{0};

  Waited& operator+=(const Waited& other);
  Waited& operator-=(const Waited& other);
  friend Waited operator-(Waited a, const Waited& b) { return a -= b; }
};

// What all calls of one protocol cost.
struct ProtocolCost {
  std::string_view protocol;  // the session's word for it: "matmul"
  std::int64_t calls = 0;
  Cost cost;

  bool operator==(const ProtocolCost&) const = default;
};

struct Profile {
  struct Protocol {
    ProtocolCost stated;
    std::chrono::nanoseconds time{0};
    Waited waited;  // of that time
  };
  struct Part {
    std::string name;
    std::int64_t times = 0;  // that it has ended
    std::chrono::nanoseconds time{0};
    std::vector<Protocol> protocols;  // in the order of their first calls

    Cost cost() const;
    Waited waited() const;
  };
  std::vector<Part> parts;  // in the order of their first beginnings

  Cost cost() const;
  std::chrono::nanoseconds time() const;
  std::vector<ProtocolCost> by_protocol() const;  // in the order in which the parts have them
};

// What came after an earlier state of the same session's profile; parts of which nothing came are left out.
Profile operator-(const Profile& now, const Profile& before);

// A profile that is being made. Thread: its session's.
class RunningProfile {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Times { kTaken, kNone };
  explicit RunningProfile(Times times) : timed_(times == Times::kTaken) {}

  // A part's time is added when it ends.
  void begin_part(std::string_view name);
  void end_part();

  // A call, of the part that has begun; one without a name, if none has.
  struct Call {
    std::size_t part = 0, protocol = 0;
  };
  Call begin_call(std::string_view protocol, const Cost& cost);  // `protocol` outlives every profile
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
