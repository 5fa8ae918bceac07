// Simulation — n parties, and a dealer unless they are pairwise, in one process, for tacit.mpc: every rank is a thread over the
// memory mesh, with the real session and the real protocols. All ranks run each command at the same time.
//
// Values      A SharedMatrix holds the values of all ranks; a rank's thread touches only the rank's values
// Errors      A command that every rank refuses with one ConfigError does not change the simulation. Any other error,
// and
//             a signal that is heard while a command runs, ends it
// Thread      any; one command at a time, others wait
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mpc/levels/range_audit.h"
#include "mpc/session/session.h"
#include "net/mesh.h"
#include "python/bindings/crew.h"
#include "python/bindings/recorded_mesh.h"
#include "python/bindings/shared_functions.h"

namespace tacit::python {

struct SimulationOptions {
  int parties = 3;
  double bound = 1024;  // the declared bound of all values
  int fraction_bits = 13;
  bool record = true;     // keep the messages that each rank receives
  bool pairwise = false;  // without a dealer: the parties make the correlations

  int ranks() const { return parties + (pairwise ? 0 : 1); }

  static constexpr int kMostParties = 64;
  // The largest bound for which the ring of a product has room for the bits that the range watch compares.
  static double most_bound(int fraction_bits);
};

struct SharedMatrix {
  mpc::Shape shape;
  std::vector<Held> by_rank;
};
using Shared = std::shared_ptr<SharedMatrix>;
using Operands = std::vector<Shared>;

// The traffic of the ranks since the simulation began.
struct SimulationCost {
  std::int64_t rounds = 0;
  std::int64_t bytes = 0;  // sent to the other parties by the party that sends most
  std::int64_t messages = 0;
  std::int64_t dealt_bytes = 0;                  // sent by the dealer to all parties together
  std::int64_t made_rounds = 0, made_bytes = 0;  // the part that makes correlations, as rank 0 states it
  std::vector<mpc::ProtocolCost> by_protocol;    // stated by rank 0
};

class Simulation {
 public:
  Simulation(const SimulationOptions& options, Crew::Poll poll);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const SimulationOptions& options() const { return options_; }

  Shared share(const mpc::Matrix& mine, int owner, double bound);
  // `step` names the command in errors and in the ranks' views.
  using Function = std::function<Held(const Seat& seat, const std::vector<Held*>& operands)>;
  Shared compute(const std::string& step, const Operands& operands, const Function& function);
  // Asks the range watch first, and reveals nothing if a value has left its bound. `to`: a party; -1 for all.
  std::vector<mpc::Matrix> reveal(const Operands& values, const std::string& reason, int to);

  SimulationCost cost();
  std::vector<mpc::Reveal> reveals() const;
  // The messages that a rank has received; a dealer is the last rank.
  std::vector<SeenMessage> view(int rank) const { return views_.of(rank); }

  // All ranks compare their transcripts and say goodbye. Does nothing in a simulation that has ended.
  void close();
  // Ends it without a word among the ranks. Waits until each rank has noticed, at its next message.
  void stop(const std::string& why);

 private:
  struct Rank;
  void run(const std::string& step, const std::function<void(Rank& rank)>& command);
  Rank& at(int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }
  int size() const { return options_.ranks(); }
  void abort(const std::string& why);
  void end(const std::string& why);  // the ranks may still be on their way
  [[noreturn]] void fail(const Crew::Outcome& outcome, const std::string& step);
  void audit();
  SimulationCost measured();

  bool has_ended() const { return !ended_.empty(); }

  const SimulationOptions options_;
  const Crew::Poll poll_;
  mutable std::recursive_mutex one_command_;  // a handler of a signal may call again; guards the following members
  Views views_;
  std::vector<std::shared_ptr<Rank>> ranks_;
  std::string ended_;  // the reason; empty: the simulation goes on
  bool began_ = false;
  SimulationCost last_cost_;
  std::vector<mpc::Reveal> reveals_;
  std::int64_t audited_rounds_ = 0;
  Crew crew_;  // the last member, so that its threads end before the members that they use
};

}  // namespace tacit::python
