// Session — what a program may do with secrets. One program, three interpreters: parties compute on shares, the dealer
// runs the same calls knowing only masks, and the clear session runs them on plain values.
//
// A program calls a Session in an order that depends on the job alone, or on what decide() said. Every rank makes the
// same calls with the same shapes and formats. A call that takes a list shares its rounds among all of it.
// Values belong to the session that made them. Thread: one.
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

// Who sees what is revealed.
struct To {
  static constexpr To everyone() { return {-1}; }
  static constexpr To rank(int party) { return {party}; }
  int party = -1;  // -1: all parties

  bool operator==(const To&) const = default;
};

// One line of the account of what was revealed.
struct Reveal {
  std::string reason;
  To to;
  std::int64_t count = 0;     // calls
  std::int64_t elements = 0;  // in all
};

// One line of the account of what was decided: its outcomes are known to all parties and to the dealer.
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
  // Whether anything looks into values. Where nothing does, what only their contents need may be left undone.
  virtual bool computes() const { return true; }

  // What the program is doing now, for errors and progress: "epoch 12, layer 1 forward". Public: it may reach all
  // ranks.
  virtual void set_step(std::string step) = 0;

  // A step that profile() books to its name until the next part begins: "layer 1 forward". What is repeated keeps its
  // name; which of the repetitions it is, "epoch 12", only errors say. "": none. Both are public as a step is.
  void begin_part(std::string_view part);
  void end_part() { profile_.end_part(); }  // and none begins
  void set_turn(std::string turn) { turn_ = std::move(turn); }

  // Runs one call of a protocol: numbers it, books its stated cost, and returns its result. Programs call the functions
  // of mpc/protocols instead, such as matmul(session, x, y); those check their arguments and call this.
  template <typename Result>
  Result run(OperationOf<Result>&& operation) {
    run_next(operation);
    return operation.take();
  }

  // Declares begin <= x <= end, in real terms, before bits above that range are given up. The clear session notes what
  // is outside; to the others it is nothing.
  virtual void expect_between(const Share& /*x*/, double /*begin*/, double /*end*/, std::string_view /*what*/) {}

  // The account of all reveals. reveal() adds to it before anything is opened.
  const std::vector<Reveal>& reveals() const { return reveals_; }
  void note_reveal(std::string_view reason, To to, std::int64_t elements);
  // Called with the account before every reveal, which is in it already: an account on disk that never lacks one.
  void before_reveals(std::function<void(const std::vector<Reveal>&)> note) { note_ = std::move(note); }

  // Counts a fact that all ranks and the dealer learn without a message, since the run ends where it is so.
  void note_decision(std::string_view reason);
  // What a program does with results that were revealed to this rank: it must not steer the calls that follow. Runs at
  // parties and in the clear, not at the dealer.
  virtual void output(const std::function<void(const PublicReader&)>& use);
  const std::vector<Decision>& decisions() const { return decisions_; }

  // What was asked for so far, as stated by the protocols; zero in the clear session.
  const Cost& stated() const { return stated_; }
  // The same by protocol; empty in the clear session.
  std::vector<ProtocolCost> stated_by_protocol() const;
  // The same by part and protocol, with times; calls that cost nothing are in it too. The part that goes on now has its
  // calls, and its time when it ends.
  const Profile& profile() const { return profile_.so_far(); }
  Workers& workers() { return workers_; }

 protected:
  using Times = RunningProfile::Times;
  explicit Session(Workers& workers, Times times = Times::kTaken) : workers_(workers), profile_(times) {}

  virtual void begin(std::int64_t operation) = 0;
  virtual Waited waited() = 0;                          // for other ranks, so far
  virtual const CostSetting* cost_setting() const = 0;  // null: nothing costs anything
  virtual void perform(Operation& operation) = 0;       // this interpreter's side of it

 private:
  class Call;
  void run_next(Operation& operation);

  Workers& workers_;
  std::int64_t operation_ = 0;
  Cost stated_;
  RunningProfile profile_;
  std::string turn_;
  std::vector<Reveal> reveals_;
  std::function<void(const std::vector<Reveal>&)> note_;
  std::vector<Decision> decisions_;
};

}  // namespace tacit::mpc
