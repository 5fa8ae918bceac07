// Session is the interface through which a program computes on secrets. One program has several
// interpreters: parties compute on shares, the dealer runs the same calls on masks only, the clear
// session computes on plain values, and the planning session adds up costs.
//
// The order of a program's calls may depend only on the job and on the outcomes of decide(). Every
// rank makes the same calls with the same shapes and formats. A call with a list handles the whole
// list in the same rounds. Values belong to the session that made them. Thread: one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "mpc/kernels/workers.h"
#include "mpc/session/profile.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

class Operation;
template <typename Result>
class OperationOf;

// The recipients of a revealed value.
struct To {
  static constexpr To everyone() { return {-1}; }
  static constexpr To rank(int party) { return {party}; }
  int party = -1;  // -1: all parties

  bool operator==(const To&) const = default;
};

// One line of the account of reveals.
struct Reveal {
  std::string reason;
  To to;
  std::int64_t count = 0;     // number of calls
  std::int64_t elements = 0;  // number of elements in all calls
};

// One line of the account of decisions. All parties and the dealer know the outcomes.
struct Decision {
  std::string reason;
  std::int64_t count = 0;
};

class Session {
 public:
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  virtual int parties() const = 0;
  // False in a planning session, which tracks shapes and costs but no values. Skip work that only
  // produces values.
  virtual bool computes() const { return true; }

  // Sets the program's current step, for errors and progress: "epoch 12, layer 1 forward". The step
  // is public: it may reach all ranks.
  virtual void set_step(std::string step) = 0;

  // Begins a part of the program, such as "layer 1 forward". profile() counts all calls until the next
  // part begins under this name, also if the name is repeated. Errors also contain the turn, such as
  // "epoch 12"; an empty turn is left out. Both names are public.
  void begin_part(std::string_view part);
  void end_part() { profile_.end_part(); }  // ends the current part without beginning another
  void set_turn(std::string turn) { turn_ = std::move(turn); }

  // Runs one call of a protocol: numbers it, books its stated cost, and returns its result.
  // Programs call the functions of mpc/protocols instead, such as matmul(session, x, y), which check
  // their arguments and call run().
  template <typename Result>
  Result run(OperationOf<Result>&& operation) {
    run_next(operation);
    return operation.take();
  }

  // Declares begin <= x <= end, as real numbers, before bits above that range are discarded. The
  // clear session records violations; other sessions ignore the declaration.
  virtual void expect_between(const Share& /*x*/, double /*begin*/, double /*end*/, std::string_view /*what*/) {}

  // The account of all reveals. reveal() adds a line before it opens anything.
  const std::vector<Reveal>& reveals() const { return reveals_; }
  void note_reveal(std::string_view reason, To to, std::int64_t elements);
  // Adds a function that is called before every reveal. The account already contains the reveal at
  // that time, so an account on disk is never incomplete.
  void before_reveals(std::function<void(const std::vector<Reveal>&)> note) { notes_.push_back(std::move(note)); }

  // Calls `then` once, after the next call of a protocol that takes a round between parties: after the same call at every
  // rank and for any number of parties. `then` may run further protocols, which come before the rest of the program and count
  // in the same part. For mpc/protocols/late_reveal.h. Only one function may be waiting.
  void after_next_round(std::function<void()> then);
  bool waits_for_round() const { return after_round_ != nullptr; }

  // Counts a fact that all ranks and the dealer learn without a message, because the run ends if it
  // holds.
  void note_decision(std::string_view reason);
  // Runs the program's handling of results revealed to this rank, which must not influence later
  // calls. Runs at parties and in the clear session, not at the dealer.
  virtual void output(const std::function<void(const PublicReader&)>& use);
  const std::vector<Decision>& decisions() const { return decisions_; }

  // The total stated cost so far; zero in the clear session.
  const Cost& stated() const { return stated_; }
  // The same by protocol; empty in the clear session.
  std::vector<ProtocolCost> stated_by_protocol() const;
  // The same by part and protocol, with times, including calls without cost. The current part
  // contains its calls so far; its time is added when it ends.
  const Profile& profile() const { return profile_.so_far(); }
  Workers& workers() { return workers_; }

 protected:
  using Times = RunningProfile::Times;
  explicit Session(Workers& workers, Times times = Times::kTaken) : workers_(workers), profile_(times) {}

  virtual void begin(std::int64_t operation) = 0;
  virtual Waited waited() = 0;                          // total time of waiting for other ranks
  virtual const CostSetting* cost_setting() const = 0;  // null: all costs are zero
  virtual void perform(Operation& operation) = 0;       // runs this interpreter's side

 private:
  class Call;
  void run_next(Operation& operation);
  bool takes_round(const Operation& operation) const;

  Workers& workers_;
  std::int64_t operation_ = 0;
  Cost stated_;
  RunningProfile profile_;
  std::string turn_;
  std::vector<Reveal> reveals_;
  std::vector<std::function<void(const std::vector<Reveal>&)>> notes_;
  std::vector<Decision> decisions_;
  std::function<void()> after_round_;
};

}  // namespace tacit::mpc
