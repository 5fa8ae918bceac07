// PredictingRank — the common part of a prediction and a service (service_run.h) at one rank: the agreements on the
// checkpoint and the data, the session with the restored model, and the account at the end.
//
// Thread: one.
#pragma once

#include <functional>

#include "gnn/checkpoint/kept_shares.h"
#include "gnn/run/prediction_run.h"
#include "gnn/train/predictor.h"

namespace tacit::gnn {

class PredictingRank {
 public:
  // Agrees with all ranks on the plans, the checkpoint and the data. `goal` is equal at all ranks. The arguments must
  // outlive this object. Throws ConfigError as run_prediction() does.
  PredictingRank(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                 const PredictionOptions& options, const std::string& goal);

  // A session with the model, ready to predict.
  struct Ready {
    mpc::Session& session;
    Predictor& predictor;
    const OncePerName& predictions;  // finds or keeps a value that depends on the data
    const OncePerName& of_model;     // finds or keeps a value of the model alone
    RunResult& result;
  };
  using Act = std::function<void(const Ready&)>;
  // Opens the session of this rank, a party's or the dealer's, and calls `act`. Then compares the transcripts and
  // returns the account with the results that `act` has set. A party's maker, if there is one, calls `ahead` in a thread of its own:
  // the part of `act` that needs correlations.
  RunResult run(const Act& act, const Act& ahead);

  const PredictionAgreement& agreement() const { return agreement_; }
  void begin_phase(const char* phase) const;

 private:
  // The half of a party's maker: it has no data, like a dealer's, and reports no phases.
  struct OfMaker {};
  PredictingRank(const PredictingRank& party, OfMaker);

  void check_own() const;
  std::vector<int> ranks_with_other_data();
  void agree_on_revealed(const PredictionOptions::Subject& subject);
  RunResult as_party(const Act& act, const Act& ahead);
  RunResult as_dealer(const Act& act);
  RunResult result_of(mpc::Session& session, const std::function<TrainingState()>& restore, const Act& act);

  net::Mesh& mesh_;
  const DataPlan& data_;
  const TrainingPlan& training_;
  const PredictionOptions& options_;
  mpc::CorrelationSource source_;  // of a party's session
  const bool is_maker_ = false;
  GraphData own_;
  std::optional<CheckpointStore> store_;  // at parties
  std::optional<ResumePoint> point_;
  PredictionAgreement agreement_;
  std::string subject_;  // ends the names of revealed shares
  KeptByName held_;
};

}  // namespace tacit::gnn
