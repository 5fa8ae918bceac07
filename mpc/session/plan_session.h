// PlanSession runs a program without data and peers, in order to add up its cost. It computes no
// values.
//
// The profile has costs and no times. Values have shapes and formats and no contents. Every
// decision is true, and outputs are not used. The costs are for one rank among `parties` parties.
// The number of parties may differ from the number of owners that the program names, since the owner
// of an input does not change its cost.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "mpc/correlations/request_notes.h"
#include "mpc/session/session_over.h"

namespace tacit::mpc {

// The words of the values made in all steps of one name, and in the one that makes most.
struct WordsOfSteps {
  std::int64_t steps = 0, all = 0, most = 0;
};

class PlanSession final : public SessionOver<Planner> {
 public:
  // `owners` is the number of owners that the program may name. `openings` is copied.
  PlanSession(int owners, int parties, int rank, net::AllReducePlan openings,
              CorrelationsFrom from = CorrelationsFrom::kDealer);
  ~PlanSession() override;

  int parties() const override { return owners_; }
  bool computes() const override { return false; }
  void set_step(std::string step) override;
  void output(const std::function<void(const PublicReader&)>&) override {}

  const Work& work() const { return planner_.work(); }
  // The words of all values made in the steps of this name.
  WordsOfSteps words_of(const std::string& step) const;
  // The rounds and messages of batches of correlations that are made ahead, which no operation states; with Ferret, the bytes of extensions
  // as well. Called at the end of the program, when the last batch ends.
  Cost making();
  std::int64_t memory_of_maker() const;  // bytes; 0 without one
  // The most bytes that the dealer sends for one operation, of those since this was called last.
  std::int64_t take_most_dealt() { return std::exchange(most_dealt_, 0); }

 protected:
  void begin(std::int64_t operation) override;
  void perform(Operation& operation) override;

 private:
  Planner& context() override { return planner_; }
  const CostSetting* cost_setting() const override { return &setting_; }

  int owners_;
  net::AllReducePlan openings_;
  std::unique_ptr<RequestNotes> maker_;  // null unless correlations are made ahead
  CostSetting setting_;
  Workers serial_;
  Planner planner_;
  std::string step_;
  std::int64_t before_step_ = 0;                  // words
  std::int64_t most_dealt_ = 0;                   // bytes
  std::int64_t dealt_before_ = 0;                 // bytes before the current operation
  std::map<std::string, WordsOfSteps> words_of_;  // in earlier steps
};

}  // namespace tacit::mpc
