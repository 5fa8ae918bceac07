// Predictor — predicts with a trained model on secrets: the same program for parties, the dealer, the
// clear session and the planning session.
//
// Thread: its session's.
#pragma once

#include "gnn/train/node_outputs.h"
#include "gnn/train/predictions.h"
#include "gnn/train/share_for_prediction.h"

namespace tacit::gnn {

class Predictor {
 public:
  // `parameters` of the trained model, in the order of Model::parameters(). The session must outlive the predictor. Throws
  // ConfigError if they do not fit the plan's model.
  Predictor(mpc::Session& session, const TrainingPlan& plan, PredictionGraph graph, Tensors parameters);

  // To the ranks that the plan names. Throws RangeLeft at every party if a value left its declared range; then nothing
  // is revealed.
  Predictions reveal_predictions(const OncePerName& once);
  std::vector<NamedMatrix> reveal_model(const OncePerName& once);

  // For many small reveals: share_predictions() computes all predictions on shares, with the same audit, and reveal_rows()
  // reveals some rows to a rank.
  SharedPredictions share_predictions(const OncePerName& once);
  Predictions reveal_rows(const SharedPredictions& shared, const Rows& rows, int rank);

 private:
  Tensor outputs();
  void audit();

  mpc::Session& session_;
  TrainingPlan plan_;
  PredictionGraph graph_;
  Arithmetic arithmetic_;
  std::vector<Parameter> parameters_;
  NodeOutputs nodes_;
  bool audited_ = false;  // with the parameters masked
};

}  // namespace tacit::gnn
